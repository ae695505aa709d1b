import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { frameScript } from "../../functions/viewer/raw-response.ts";

test("the service's scripts in a framed page are under 26.2 KB, and under 10.5 KB compressed", () => {
  expect(Buffer.byteLength(frameScript)).toBeLessThan(26_200);
  expect(gzipSync(frameScript).byteLength).toBeLessThan(10_500);
});
