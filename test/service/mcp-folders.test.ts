import { beforeAll, expect, test } from "vitest";
import { type Account, newAccount } from "../support/accounts.ts";
import { fetchPage } from "../support/http.ts";
import { connectMcp, type McpClient } from "../support/mcp-client.ts";

let account: Account;
let mcp: McpClient;

const files = {
  "index.html": '<!doctype html><title>A folder</title><link rel="stylesheet" href="style.css"><p>one',
  "style.css": "p { color: teal }",
  "guide/about.html": "<!doctype html><title>About</title><p>about",
};

beforeAll(async () => {
  account = await newAccount("mcp-folders");
  mcp = await connectMcp(account.api.token);
});

test("tools publish a folder from texts, titled by its first page, and its next versions", async () => {
  const published = await mcp.succeed("publish_drop", { files, metadata: { project: "folder" } });
  const changed = { ...files, "style.css": "p { color: navy }" };
  const next = await mcp.succeed("update_drop", { slug: published.slug, files: changed });
  const found = await mcp.succeed("upsert_drop", { files, metadata: { project: "folder" } });

  expect(published).toMatchObject({ title: "A folder", latest_version: 1, files: 3 });
  expect(next).toMatchObject({ slug: published.slug, latest_version: 2, files: 3 });
  expect(found).toMatchObject({ slug: published.slug, latest_version: 3 });
  const style = await fetchPage(new URL("style.css", `${published.raw_url.replace(/\/?$/, "")}/`));
  expect([style.status, style.text]).toEqual([200, files["style.css"]]);
});

test("a folder published by a tool can have a passcode and its own title", async () => {
  const given = { files, title: "Another title", passcode: "open sesame" };

  expect(await mcp.succeed("publish_drop", given)).toMatchObject({ title: "Another title", locked: true });
});

test.each([
  ["a list instead of texts by path", { files: ["index.html"] }, "must be an object of texts by path"],
  ["no files", { files: {} }, "must be an object of texts by path"],
  ["a file that is not text", { files: { "index.html": "<p>a", "a.png": 1 } }, "upload_blob"],
  ["an unsafe path", { files: { "index.html": "<p>a", "../a.css": "a" } }, ".. in its path"],
  ["no entry page", { files: { "style.css": "a" } }, "index.html"],
  ["an additional page", { files, html: "<p>a" }, "not both"],
])("a folder with %s is refused, and nothing is published", async (_, given, words) => {
  const { total } = await mcp.succeed("list_drops");

  const { message } = await mcp.refuse("publish_drop", { title: "T", ...given }, "invalid_arg");

  expect(message).toContain(words);
  expect(await mcp.succeed("list_drops")).toMatchObject({ total });
});

test("a publication with neither a page nor a folder gets an error that names both", async () => {
  const { advice } = await mcp.refuse("publish_drop", { title: "T" }, "html_required");

  expect(advice).toContain("`files`");
});

test("a client that calls publish_folder is referred to publish_drop and its files argument", async () => {
  const failure = await mcp.client.callTool({ name: "publish_folder", arguments: {} }).catch(String);

  expect(failure).toMatch(/Nearest: publish_drop .*files/);
});
