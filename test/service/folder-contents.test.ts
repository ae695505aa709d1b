import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import type { DropResponse, PublicationStartResponse } from "../../functions/drops/schemas.ts";
import { writeArchive } from "../../functions/folders/write-archive.ts";
import { type Account, newAccount, pageOf } from "../support/accounts.ts";
import { expectError } from "../support/expect-error.ts";
import { type Files, publishFolder } from "../support/folders.ts";
import { fetchPage, type SendOptions } from "../support/http.ts";
import { folderFile } from "../support/owner-address.ts";

let account: Account;

beforeAll(async () => {
  account = await newAccount("contents");
});

const open = ({ raw_url }: Pick<DropResponse, "raw_url">, path: string, options: SendOptions = {}) =>
  fetchPage(folderFile(raw_url, path), options);

const withEncodings = { headers: { "accept-encoding": "gzip, br" } };
const latin1 = (text: string) => Buffer.from(text, "latin1");

describe("a folder without a top-level index.html", () => {
  test("opens its only top-level page, with a warning that names it", async () => {
    const drop = await publishFolder(account.api, { "report.html": pageOf("the report"), "a/b.js": "1" });

    const top = await open(drop, "?x=1");
    const framed = await open(drop, "@1-framed/");

    expect(JSON.stringify(drop)).toContain('readers first see \\"report.html\\"');
    expect([top.status, top.headers.location]).toEqual([302, expect.stringMatching(/\/report\.html\?x=1$/)]);
    expect(framed.headers.location).toMatch(/\/report\.html$/);
    expect((await open(drop, "report.html")).text).toContain("the report");
    const { text } = await account.api.call("read-html", { params: { slug: drop.slug } });
    expect(text).toBe(pageOf("the report"));
  });

  test("opens the only index.html below, also when it is published by a manifest", async () => {
    const files = { "README.md": "read", "a site/index.html": pageOf("below") };
    const drop = await publishFolder(account.api, files);
    const listed = await account.api.succeed("list-files", { params: { slug: drop.slug } });
    const manifest = listed.files.map(({ path, sha256, size_bytes: bytes }) => [path, { sha256, bytes }]);

    const { publication_id: publication, missing } = await account.api.succeed("start-folder", {
      params: { slug: drop.slug },
      body: { files: { ...Object.fromEntries(manifest), "._x": { sha256: "0".repeat(64), bytes: 1 } } },
    });
    const next = await account.api.call("publish-folder", { params: { slug: drop.slug, publication } });

    expect((await open(drop, "")).headers.location).toMatch(/\/a%20site\/index\.html$/);
    expect(missing).toEqual([]);
    expect(JSON.parse(next.text)).toMatchObject({
      files: 2,
      warnings: [expect.stringContaining("a site/index.html")],
    });
  });
});

describe("a file's charset", () => {
  const entry = latin1(
    '<html><head><meta charset="iso-8859-1"><title>Gr\u00f6\u00dfe</title></head><body>\u00fc</body></html>',
  );
  const files: Files = {
    "index.html": entry,
    "xml.html": latin1('<?xml version="1.0" encoding="ISO-8859-15"?><html><title>\u00a4</title>'),
    "equiv.html": latin1('<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">\u00e4'),
    "none.html": latin1("<h1>\u00fc</h1>"),
    "mixed.html": Buffer.from('<meta charset="iso-8859-1"><h1>\u00fc</h1>'),
    "wide.html": Buffer.from("\ufeff<head><title>\u00fc</title>", "utf16le"),
    "s.css": latin1('@charset "windows-1252"; a::after { content: "\u00fc" }'),
    "x.js": Buffer.from("window.word = '\u00fc'"),
    "note.txt": Buffer.from("\ufeff\u00fc", "utf16le"),
  };
  let drop: DropResponse;
  beforeAll(async () => {
    const response = await fetchPage("/api/drops", {
      method: "POST",
      headers: { authorization: `Bearer ${account.api.token}`, "content-type": "application/zip" },
      body: writeArchive(
        Object.entries(files).map(([path, content]) => ({ path, bytes: Buffer.from(content as Uint8Array) })),
      ),
    });
    drop = JSON.parse(response.text);
  });

  test.each([
    ["index.html", "text/html; charset=windows-1252"],
    ["xml.html", "text/html; charset=iso-8859-15"],
    ["equiv.html", "text/html; charset=windows-1251"],
    ["none.html", "text/html"],
    ["mixed.html", "text/html; charset=utf-8"],
    ["wide.html", "text/html; charset=utf-8"],
    ["s.css", "text/css"],
    ["x.js", "text/javascript; charset=utf-8"],
    ["note.txt", "text/plain"],
  ])("%s is served as %s", async (path, type) => {
    const response = await open(drop, path);

    expect(response.headers["content-type"]).toBe(type);
    const style = /<style>@layer [^<]*<\/style>/;
    const sent = Buffer.from(files[path] as string);
    if (path === "wide.html") expect(response.text.replace(style, "")).toBe("<head><title>\u00fc</title>");
    else expect(response.bytes.toString("latin1").replace(style, "")).toBe(sent.toString("latin1"));
    const part = await open(drop, path, { headers: { range: "bytes=0-3" } });
    expect(part.headers["content-type"]).toBe(type);
  });

  test("applies to the title, and does not change the page that the owner reads", async () => {
    const { text } = await account.api.call("read-html", { params: { slug: drop.slug } });

    expect(drop.title).toBe("Gr\u00f6\u00dfe");
    expect(text).toBe(entry.toString("latin1"));
  });
});

describe("a compressed file", () => {
  const script = "export const answer = 42;\n".repeat(50);
  const drawing = "<svg xmlns='http://www.w3.org/2000/svg'/>";
  let drop: DropResponse;
  beforeAll(async () => {
    drop = await publishFolder(account.api, {
      "index.html": pageOf("entry"),
      "app.js.gz": gzipSync(script),
      "app.wasm.br": brotliCompressSync(script),
      "a.svgz": gzipSync(drawing),
      "no.json.gz": "{}",
      "backup.gz": gzipSync(script),
    });
  });

  test.each([
    ["app.js.gz", "gzip", "text/javascript; charset=utf-8", script],
    ["app.wasm.br", "br", "application/wasm", script],
    ["a.svgz", "gzip", "image/svg+xml", drawing],
  ])(
    "%s is served with its encoding and type, and decoded for clients without this encoding",
    async (path, encoding, type, text) => {
      const encoded = await open(drop, path, withEncodings);
      const plain = await open(drop, path, { headers: { "accept-encoding": "identity" } });
      const decode = encoding === "br" ? brotliDecompressSync : gunzipSync;

      expect(encoded.headers).toMatchObject({ "content-type": type, "content-encoding": encoding });
      expect(encoded.headers.vary).toContain("Accept-Encoding");
      expect(decode(encoded.bytes).toString()).toBe(text);
      expect(plain.headers["content-type"]).toBe(type);
      expect(plain.headers["content-encoding"]).toBeUndefined();
      expect(plain.text).toBe(text);
      expect(plain.headers.etag).not.toBe(encoded.headers.etag);
    },
  );

  test.each([
    ["no.json.gz", "application/octet-stream"],
    ["backup.gz", "application/gzip"],
  ])("%s is served as data, without an encoding", async (path, type) => {
    const response = await open(drop, path, withEncodings);

    expect(response.headers["content-type"]).toBe(type);
    expect(response.headers["content-encoding"]).toBeUndefined();
  });
});

describe("a page above 2 MiB", () => {
  const rows = Array.from({ length: 200_000 }, (_, index) => `<p>Row ${index} of the log</p>\n`).join("");
  const large = `<!doctype html><html><head><title>Log</title></head><body>${rows}</body></html>`;

  test("can be the entry page of a folder, and is served whole to clients that accept compression", async () => {
    const drop = await publishFolder(account.api, { "index.html": large, "small.html": pageOf("small") });

    const sent = await open(drop, "", withEncodings);
    const plain = await open(drop, "");
    const read = (headers: Record<string, string>) =>
      account.api.call("read-html", { params: { slug: drop.slug }, headers });

    expect([sent.status, sent.headers["content-encoding"]]).toEqual([200, "br"]);
    const text = brotliDecompressSync(sent.bytes).toString();
    expect(text.replace(/<style>@layer [^<]*<\/style>/, "")).toBe(large);
    expect([plain.status, plain.headers.location]).toEqual([302, expect.stringContaining("/_files/")]);
    expect(expectError(await read({}), "invalid_arg").message).toContain("Range: bytes=0-");
    const part = await read({ range: "bytes=0-" });
    expect([part.status, part.bytes.byteLength]).toEqual([206, 4 * 1024 * 1024]);
  });

  test("is refused on its own, with advice to publish a folder", async () => {
    const response = await fetchPage("/api/drops?title=Log", {
      method: "POST",
      headers: { authorization: `Bearer ${account.api.token}`, "content-type": "text/html" },
      body: Buffer.from(large).subarray(0, 2_200_000),
    });

    expect(expectError(response, "html_too_large").message).toContain("folder");
  });
});

test("a new folder can be published in steps: first its archive is uploaded to a URL", async () => {
  const zip = writeArchive([{ path: "index.html", bytes: Buffer.from(pageOf("in steps")) }]);
  const started: PublicationStartResponse = await account.api.succeed("start-publish", {
    body: { archive_bytes: zip.byteLength, title: "In steps" },
  });

  const early = await fetch(started.url, { method: "POST" });
  const put = await fetch(started.upload_url ?? "", { method: "PUT", body: new Uint8Array(zip) });
  const sent = await fetch(started.url, { method: "POST" });
  const again = await fetch(started.url, { method: "POST" });

  expect([early.status, put.status, sent.status]).toEqual([400, 200, 201]);
  const drop = (await sent.json()) as DropResponse;
  expect(drop).toMatchObject({ title: "In steps", files: 1, latest_version: 1 });
  expect(await again.json()).toEqual(drop);
  expect(started.command).toContain("-T folder.zip");
});
