import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { frameScript } from "../../functions/viewer/raw-response.ts";

test("what a framed page has of ours is small beside any page", () => {
  expect(Buffer.byteLength(frameScript)).toBeLessThan(7_600);
  expect(gzipSync(frameScript).byteLength).toBeLessThan(3_456);
});
