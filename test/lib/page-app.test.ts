import { existsSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { makePageApp } from "../../lib/bundle/page-app.ts";

test("the app is one document of less than 310 KB, or 90 KB compressed", async () => {
  const { text, files } = await makePageApp();

  expect(text.match(/<\/script/g)).toHaveLength(3);
  expect(Buffer.byteLength(text)).toBeLessThan(310_000);
  expect(gzipSync(text).byteLength).toBeLessThan(90_000);
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
});
