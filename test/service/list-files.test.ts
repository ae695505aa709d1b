import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { newAccount, pageOf, publish } from "../support/accounts.ts";
import { expectError } from "../support/expect-error.ts";
import { publishFolder } from "../support/folders.ts";

const digest = (text: string) => createHash("sha256").update(text).digest("hex");

test("a folder's owner can list the files of each version", async () => {
  const account = await newAccount("files");
  const entry = pageOf("one");
  const { slug } = await publishFolder(account.api, { "index.html": entry, "a/b.js": "1" });
  await publishFolder(account.api, { "index.html": entry, "c.weird": "23" }, { slug });

  const latest = await account.api.succeed("list-files", { params: { slug } });
  const first = await account.api.succeed("list-files", { params: { slug }, query: { v: 1 } });

  const file = (path: string, text: string, content_type: string) => ({
    path,
    size_bytes: Buffer.byteLength(text),
    sha256: digest(text),
    content_type,
  });
  const page = file("index.html", entry, "text/html; charset=utf-8");
  expect(latest).toEqual({
    slug,
    version: 2,
    spa: false,
    files: [file("c.weird", "23", "application/octet-stream"), page],
  });
  expect(first).toEqual({
    slug,
    version: 1,
    spa: false,
    files: [file("a/b.js", "1", "text/javascript; charset=utf-8"), page],
  });
});

test("a single page, a missing version and another account's folder return 404 for their files", async () => {
  const account = await newAccount("files");
  const { slug } = await publish(account.api);
  const folder = await publishFolder(account.api, { "index.html": pageOf("x") });
  const params = { slug: folder.slug };

  const ofPage = await account.api.call("list-files", { params: { slug } });
  const ofNone = await account.api.call("list-files", { params, query: { v: 2 } });
  const others = await (await newAccount("files")).api.call("list-files", { params });

  expectError(ofPage, "not_found");
  expect(ofPage.text).toContain(`GET /api/drops/${slug}/html?v=1`);
  expectError(ofNone, "not_found");
  expectError(others, "not_found");
});
