import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { frameScript } from "../../functions/viewer/raw-response.ts";

test("scripts of ours in a framed page are small beside any page", () => {
  expect(Buffer.byteLength(frameScript)).toBeLessThan(26_200);
  expect(gzipSync(frameScript).byteLength).toBeLessThan(10_500);
});
