import { expect, test } from "vitest";
import { blobLoad, pageLoad } from "../../scripts/bench/ingest/ingest-load.ts";
import { measureIngest } from "../../scripts/bench/ingest/ingest-memory.ts";
import { isThorough } from "../support/thorough.ts";

// `npm run bench ingest` does it with 64 at once, which takes a while.
test.runIf(process.platform === "linux")(
  "many large bodies at once do not fill the memory that the server is made for",
  async () => {
    const loads = isThorough ? [blobLoad(16, true), blobLoad(16, false), pageLoad(12)] : [pageLoad(12)];
    const results = await measureIngest(loads);

    for (const { load, residentMebibytesMax } of results) {
      expect(residentMebibytesMax, load.name).toBeGreaterThan(30);
      expect(residentMebibytesMax, load.name).toBeLessThan(512);
    }
  },
);
