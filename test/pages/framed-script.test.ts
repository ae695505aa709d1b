import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { frameScript } from "../../functions/pages/raw-response.ts";

test("what a framed page has of ours is small beside any page", () => {
  const script = frameScript("p".repeat(43));

  expect(Buffer.byteLength(script)).toBeLessThan(4_500);
  expect(gzipSync(script).byteLength).toBeLessThan(2_048);
});
