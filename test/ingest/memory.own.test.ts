// @module-tag nightly

import { expect, test } from "vitest";
import { blobLoad, pageLoad } from "./ingest-load.ts";
import { measureIngest } from "./ingest-memory.ts";

test.runIf(process.platform === "linux")(
  "many concurrent large bodies do not exceed the server's memory",
  async () => {
    const results = await measureIngest([blobLoad(16, true), blobLoad(16, false), pageLoad(12)]);

    for (const { load, residentMebibytesMax } of results) {
      expect(residentMebibytesMax, load.name).toBeGreaterThan(30);
      expect(residentMebibytesMax, load.name).toBeLessThan(512);
    }
  },
);
