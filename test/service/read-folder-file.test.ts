import { createHash, randomBytes } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import type { DropResponse } from "../../functions/drops/schemas.ts";
import { readArchive } from "../../functions/folders/archive.ts";
import { type Account, newAccount, pageOf, publish } from "../support/accounts.ts";
import { publishFolder } from "../support/folders.ts";
import { baseUrl, fetchPage, type SendOptions } from "../support/http.ts";
import { folderFile, hasOwnOrigin, isFolderHost, onBaseHost, rawPageOf } from "../support/owner-address.ts";
import { signInToRead } from "../support/reader.ts";
import { expectCommonHeaders } from "../support/security-headers.ts";
import { unusedUsername } from "../support/sign-in.ts";
import { Visitor } from "../support/visitor.ts";

let account: Account;

beforeAll(async () => {
  account = await newAccount("folder");
});

const sound = Buffer.from(Array.from({ length: 5_000 }, (_, index) => index % 251));
const site = {
  "index.html": pageOf("the entry"),
  "about.html": pageOf("about"),
  "docs/index.html": pageOf("docs"),
  "assets/app.js": "export const answer = 42;\n".repeat(100),
  "assets/style.css": "body { color: green }",
  "data.json": "{}",
  "sound.mp3": sound,
  "été 1+1.txt": "summer",
  "deep/er/a'(b);c=d,e@f&g!.txt": "odd",
  "no-ending": "?",
  "picture.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
  "module.wasm": new Uint8Array([0, 0x61, 0x73, 0x6d]),
  empty: "",
};

/** Requests a file of a folder at the URL where the drop serves it. */
function open({ raw_url }: DropResponse, path: string, options: SendOptions = {}) {
  return fetchPage(folderFile(raw_url, path), options);
}

/** Resolves a Location header against the request's URL. */
function locationOf(address: string, location: string | undefined): string {
  return new URL(location ?? "", address).href;
}

describe("a folder", () => {
  let drop: DropResponse;
  beforeAll(async () => {
    drop = await publishFolder(account.api, site);
  });

  test("is served at a URL with a trailing slash, to which the raw page's URL redirects with its query", async () => {
    const raw = rawPageOf(drop);

    for (const [query, path] of [
      ["", ""],
      ["?v=1", "@1/"],
      ["?v=1&framed=1", "@1-framed/"],
      ["?framed=1", "@1-framed/"],
    ] as const) {
      const { status, headers } = await fetchPage(raw + query);
      expect([status, headers["cache-control"]]).toEqual([302, "no-store"]);
      expect(locationOf(raw, headers.location)).toBe(folderFile(drop.raw_url, path));
    }
    const headers = { "sec-fetch-dest": "document" };
    const { location } = (await fetchPage(`${raw}?x=1;2&v=1`, { headers })).headers;
    expect(locationOf(raw, location)).toBe(`${folderFile(drop.raw_url, "@1/")}?x=1;2`);
  });

  test.each([
    ["", "text/html; charset=utf-8", "the entry"],
    ["index.html", "text/html; charset=utf-8", "the entry"],
    ["about.html", "text/html; charset=utf-8", "about"],
    ["about", "text/html; charset=utf-8", "about"],
    ["docs/", "text/html; charset=utf-8", "docs"],
    ["docs/index.html", "text/html; charset=utf-8", "docs"],
    ["assets/app.js", "text/javascript; charset=utf-8", "answer"],
    ["assets/app.js?v=7f3a&x", "text/javascript; charset=utf-8", "answer"],
    ["assets/style.css", "text/css; charset=utf-8", "green"],
    ["data.json", "application/json; charset=utf-8", "{}"],
    ["picture.svg", "image/svg+xml", "<svg"],
    ["module.wasm", "application/wasm", ""],
    ["%C3%A9t%C3%A9%201+1.txt", "text/plain; charset=utf-8", "summer"],
    ["e%CC%81te%CC%81%201%2B1.txt", "text/plain; charset=utf-8", "summer"],
    ["deep/er/a'(b);c=d,e@f&g!.txt", "text/plain; charset=utf-8", "odd"],
    ["deep/%65r/%61%27(b)%3Bc%3Dd%2Ce%40f%26g!.txt", "text/plain; charset=utf-8", "odd"],
    ["no-ending", "application/octet-stream", "?"],
    ["empty", "application/octet-stream", ""],
  ])("serves %j with the type %s", async (path, type, text) => {
    for (const prefix of ["", "@1/", "@1-framed/"]) {
      const response = await open(drop, prefix + path);

      expect([response.status, response.headers["content-type"]]).toEqual([200, type]);
      expect(response.text).toContain(text);
      expectCommonHeaders(response);
      expect(response.headers).toMatchObject({
        "access-control-allow-origin": "*",
        "cross-origin-resource-policy": "cross-origin",
        "cache-control": `public, max-age=0, s-maxage=${prefix === "" ? 2 : 14_400}, must-revalidate`,
        "x-robots-tag": "noindex",
        "referrer-policy": "no-referrer",
      });
    }
  });

  test("is served byte for byte, except for the style in its pages and the script in framed pages", async () => {
    for (const [path, content] of Object.entries(site)) {
      const { bytes, text } = await open(drop, path.split("/").map(encodeURIComponent).join("/"));
      if (!path.endsWith(".html")) expect(bytes.equals(Buffer.from(content as string))).toBe(true);
      else expect(text.replace(/<style>@layer [^<]*<\/style>/, "")).toBe(content);
    }
    expect((await open(drop, "about.html")).text).not.toContain("<script>");
    expect((await open(drop, "@1-framed/about.html")).text).toContain("<script>");
  });

  test("can be read with the operation in the OpenAPI document", async () => {
    for (const [path, status] of [
      ["assets/app.js", 200],
      ["missing", 404],
    ] as const) {
      const params = { slug: drop.slug, path };
      const expected = isFolderHost(drop.raw_url) ? 302 : status;
      expect((await account.api.call("read-folder-file", { params })).status).toBe(expected);
    }
  });

  test("returns the status and type of GET for HEAD, without a body", async () => {
    for (const path of ["", "sound.mp3"]) {
      const got = await open(drop, path);
      const { status, bytes, headers } = await open(drop, path, { method: "HEAD" });

      expect([status, bytes.byteLength]).toEqual([200, 0]);
      expect(headers["content-type"]).toBe(got.headers["content-type"]);
    }
  });

  test("serves ranges of a file", async () => {
    const { headers } = await open(drop, "sound.mp3");
    const { etag = "" } = headers;
    expect(headers["accept-ranges"]).toBe("bytes");

    for (const [range, from, to] of [
      ["bytes=0-99", 0, 99],
      ["bytes=4990-", 4_990, 4_999],
      ["bytes=-10", 4_990, 4_999],
      ["bytes=-99999", 0, 4_999],
      ["bytes=100-99999", 100, 4_999],
    ] as const) {
      const part = await open(drop, "@1/sound.mp3", { headers: { range } });
      expect([part.status, part.headers["content-range"]]).toEqual([206, `bytes ${from}-${to}/5000`]);
      expect(part.bytes.equals(sound.subarray(from, to + 1))).toBe(true);
    }
    for (const range of ["bytes=5000-", "bytes=-0"]) {
      const none = await open(drop, "sound.mp3", { headers: { range } });
      expect([none.status, none.headers["content-range"]]).toEqual([416, "bytes */5000"]);
    }
    const whole = await open(drop, "sound.mp3", { headers: { range: "bytes=0-9", "if-range": '"other"' } });
    expect([whole.status, whole.bytes.byteLength]).toEqual([200, 5_000]);
    const same = await open(drop, "sound.mp3", { headers: { range: "bytes=0-9", "if-range": etag } });
    expect([same.status, same.bytes.byteLength]).toEqual([206, 10]);
  });

  test("responds with 304 if a browser has the file cached", async () => {
    const { headers } = await open(drop, "assets/app.js");

    const again = await open(drop, "assets/app.js", { headers: { "if-none-match": headers.etag ?? "" } });

    expect([again.status, again.bytes.byteLength]).toEqual([304, 0]);
  });

  test("keeps its files' types when the edge revalidates cached copies", {
    tags: "slow",
  }, async () => {
    const latin = Buffer.from("caf\u00e9", "latin1");
    const files = {
      "index.html": pageOf("one"),
      "app.js": "let one = 1;",
      "old.txt": latin,
      "data.bin": "1",
    };
    const folder = await publishFolder(account.api, files);
    const typesOf = () =>
      Promise.all(
        Object.keys(files).map(async (path) => {
          const { headers } = await fetchPage(folderFile(folder.raw_url, path));
          return headers["content-type"];
        }),
      );
    const first = await typesOf();

    // Longer than the edge caches files at URLs without a version.
    await setTimeout(2_500);

    expect(await typesOf()).toEqual(first);
    expect(first).not.toContain("application/json");
  });

  test("is compressed by the edge", async () => {
    const { headers } = await open(drop, "assets/app.js", { headers: { "accept-encoding": "gzip, br" } });

    expect(headers["content-encoding"]).toMatch(/^(br|gzip)$/);
  });

  test("redirects the URL of a subfolder to the one with a slash, and keeps the query", async () => {
    for (const [path, address] of [
      ["docs", "docs/"],
      ["@1/docs", "@1/docs/"],
      ...(isFolderHost(drop.raw_url) ? [] : [["@1", "@1/"] as const]),
      ["docs?a=1;b", "docs/?a=1;b"],
    ] as const) {
      const { status, headers } = await open(drop, path);
      expect(status).toBe(308);
      expect(locationOf(folderFile(drop.raw_url, path), headers.location)).toBe(
        folderFile(drop.raw_url, address),
      );
    }
  });

  test.each([
    "missing.html",
    "About.html",
    "docs/missing/",
    "assets/",
    "assets",
    "index.html/",
    "constructor",
    "__proto__",
    "toString",
    "%00",
    "%ff",
    "%",
    "index.html%00",
    "@1/missing",
    "@2/",
    "@0/",
    "@01/",
    "@1-other/",
    "@/",
    "@x/index.html",
    "%401/index.html",
    "@-framed/",
    "@99999999999/",
  ])("returns 404 for %j", async (path) => {
    for (const dest of ["document", "script"])
      expect((await open(drop, path, { headers: { "sec-fetch-dest": dest } })).status).toBe(404);
  });

  test.each([
    "../state",
    "./about.html",
    "docs/../about.html",
    "docs/..",
    "%2e%2e/state",
    "docs/%2E./about.html",
    "docs/.%2e/about.html",
    "docs/..%2fabout.html",
    "docs%2findex.html",
    "..%5cabout.html",
    "docs\\..\\about.html",
    "docs\\index.html",
    "/about.html",
    "docs//index.html",
    "about.html//",
    "//elsewhere.example/",
  ])("returns 404 without a redirect for the unsafe path %j", async (path) => {
    const { pathname } = new URL(folderFile(drop.raw_url, ""));

    const { status, headers } = await fetchPage(drop.raw_url, { asWritten: pathname + path });

    expect([status, headers.location]).toEqual([404, undefined]);
  });

  test("serves no service workers, which could outlive the drop", async () => {
    const headers = { "service-worker": "script", "sec-fetch-dest": "serviceworker" };

    for (const address of [
      folderFile(drop.raw_url, "assets/app.js"),
      `${baseUrl()}/p/${drop.slug}/raw/assets/app.js`,
    ])
      expect((await fetchPage(address, { headers })).status).toBe(404);
  });

  test("is sandboxed or redirected on the base host, and missing on another owner's host", async () => {
    const other = await newAccount("folder-other");
    const { raw_url } = await publish(other.api);

    const { status, headers } = await fetchPage(`${baseUrl()}/p/${drop.slug}/raw/about.html`);
    if (isFolderHost(drop.raw_url))
      expect([status, headers.location]).toEqual([302, folderFile(drop.raw_url, "about.html")]);
    else
      expect([status, headers["content-security-policy"]]).toEqual([
        200,
        expect.stringContaining("sandbox "),
      ]);
    const elsewhere = raw_url.replace(/\/p\/.*/, `/p/${drop.slug}/raw/about.html`);
    expect((await fetchPage(elsewhere)).status).toBe(404);
  });

  test("redirects from the base host and the owner's host to its own host, if owners have hosts", async () => {
    if (!hasOwnOrigin(drop.raw_url)) return;
    for (const path of ["", "docs/?x=1", "@1/assets/app.js", "@1-framed/"])
      for (const raw of [`${baseUrl()}/p/${drop.slug}/raw`, rawPageOf(drop)])
        for (const destination of ["document", "script", "iframe"]) {
          const response = await fetchPage(`${raw}/${path}`, { headers: { "sec-fetch-dest": destination } });
          expect(response).toMatchObject({
            status: 302,
            headers: { location: folderFile(drop.raw_url, path), "access-control-allow-origin": "*" },
          });
        }
  });

  test("is served with the headers of a raw page, except that its pages may set their base URL", async () => {
    const page = await publish(account.api);
    const { headers } = await fetchPage(page.raw_url);
    const names = ["content-security-policy", "permissions-policy", "origin-agent-cluster", "x-robots-tag"];

    const file = await open(drop, "assets/app.js");

    for (const name of names)
      expect(file.headers[name]?.replace(`base-uri ${folderFile(drop.raw_url, "")}`, "base-uri 'none'")).toBe(
        headers[name],
      );
  });

  test("is framed by the viewer at the URL whose pages have the frame's script", async () => {
    const { text } = await fetchPage(`${drop.url}?x=1`);

    const address = folderFile(drop.raw_url, "@1-framed/");
    expect(text).toContain(`src="${isFolderHost(address) ? address : new URL(address).pathname}?x=1"`);
  });

  test("can be downloaded as a ZIP archive with every file, repeatedly", async () => {
    for (const _ of ["written", "kept"]) {
      const visitor = new Visitor();
      const { response, url } = await visitor.open(`${rawPageOf(drop)}?download=1`);

      expect(url.pathname).toMatch(/^\/_files\//);
      expect([response.status, response.headers["content-type"]]).toEqual([200, "application/zip"]);
      expect(response.headers["content-disposition"]).toContain("A%20folder.zip");
      expect(response.headers["cache-control"]).toBe("private, no-store");
      const { files } = await readArchive(response.bytes);
      const digest = (bytes: string | Uint8Array) => createHash("sha256").update(bytes).digest("hex");
      expect(Object.fromEntries(files.map(({ path, bytes }) => [path, digest(bytes)]))).toEqual(
        Object.fromEntries(
          Object.entries(site).map(([path, content]) => [path.normalize("NFC"), digest(content)]),
        ),
      );
    }
  });

  test("has stored objects that cannot be read without a valid signature", async () => {
    const { url } = await new Visitor().open(`${rawPageOf(drop)}?download=1`);
    const forged = new URL(url);
    forged.searchParams.set("response-content-type", "text/html");

    for (const address of [url.origin + url.pathname, forged, url.href.replace(".zip", ".json")])
      expect((await fetchPage(address)).status).toBe(404);
  });
});

describe("the versions of a folder", () => {
  test("stay unchanged when later ones are published or other ones are deleted", {
    tags: "nightly",
  }, async () => {
    const drop = await publishFolder(account.api, {
      "index.html": pageOf("one"),
      "a.txt": "1",
      "b.txt": "same",
    });
    await publishFolder(
      account.api,
      { "index.html": pageOf("two"), "a.txt": "2", "b.txt": "same" },
      { slug: drop.slug },
    );

    const textAt = async (path: string) => (await open(drop, path)).text;
    expect(await Promise.all(["@1/a.txt", "@2/a.txt", "@1/b.txt", "@2/b.txt"].map(textAt))).toEqual([
      "1",
      "2",
      "same",
      "same",
    ]);
    await expect.poll(() => textAt("a.txt")).toBe("2");
    expect(await textAt("@1/")).toContain("one");
    await account.api.succeed("delete-version", { params: { slug: drop.slug, n: 1 } });
    await expect.poll(async () => (await open(drop, "@1/a.txt")).status).toBe(404);
    expect(await textAt("@2/b.txt")).toBe("same");
  });

  test("can include single pages, to which their folder URLs redirect", async () => {
    const { slug } = await publish(account.api);
    const files = { "index.html": pageOf("two"), "a.txt": "2" };
    const drop = await publishFolder(account.api, files, { slug });
    const raw = rawPageOf(drop);

    await expect.poll(async () => (await open(drop, "a.txt")).status).toBe(200);
    for (const address of [folderFile(drop.raw_url, "@1/?x=1"), `${raw}/@1/?x=1`]) {
      const { status, headers } = await fetchPage(address);
      expect(status).toBe(isFolderHost(address) ? 302 : 308);
      expect(locationOf(address, headers.location)).toBe(`${raw}?v=1&x=1`);
    }
    expect((await open(drop, "@1/a.txt")).status).toBe(404);
    expect((await fetchPage(`${raw}?v=1`)).status).toBe(200);
  });

  test("redirect a single page's URL with a trailing slash to the one without", async () => {
    const drop = await publish(account.api);

    const { status, headers } = await fetchPage(`${drop.raw_url}/?v=1.2`);

    expect([status, headers.location]).toEqual([308, `${new URL(drop.raw_url).pathname}?v=1.2`]);
    expect((await fetchPage(`${drop.raw_url}/a.txt`)).status).toBe(404);
  });
});

describe("a path that does not exist in a folder", () => {
  test("returns the folder's 404.html with status 404", async () => {
    const drop = await publishFolder(account.api, {
      "index.html": pageOf("x"),
      "404.html": pageOf("lost here"),
    });

    for (const path of ["x", "a/b/c.js", "@1/x", "@1-framed/x"]) {
      const { status, text, headers } = await open(drop, path);
      expect([status, headers["content-type"]]).toEqual([404, "text/html; charset=utf-8"]);
      expect(text).toContain("lost here");
      expect(headers).toMatchObject({ "access-control-allow-origin": "*", "cache-control": "no-store" });
    }
    expect((await open(drop, "404.html")).status).toBe(200);
  });

  test("returns the entry page in a single-page app", async () => {
    const files = { "index.html": pageOf("app"), "404.html": pageOf("lost"), "a.txt": "a" };
    const drop = await publishFolder(account.api, files, { spa: "true" });

    for (const path of ["users/7", "@1/users/"]) {
      const { status, text } = await open(drop, path);
      expect([status, text]).toEqual([200, expect.stringContaining("app")]);
    }
    expect((await open(drop, "a.txt")).text).toBe("a");
  });

  test("returns an uncached 404 that the folder's scripts can read", async () => {
    const drop = await publishFolder(account.api, { "index.html": pageOf("x") });

    const { status, headers } = await open(drop, "x.json", { headers: { "sec-fetch-dest": "empty" } });

    expect([status, headers["access-control-allow-origin"], headers["cache-control"]]).toEqual([
      404,
      "*",
      "no-store",
    ]);
  });
});

describe("a file that is too large for a function's response", () => {
  const large = randomBytes(4 * 1024 * 1024 + 1);

  test("is served from Amazon S3 by a redirect, also in ranges, with its type", {
    tags: "slow",
  }, async () => {
    const drop = await publishFolder(account.api, { "index.html": pageOf("x"), "media/film.mp4": large });

    const { status, headers } = await open(drop, "media/film.mp4");
    expect([status, headers["cache-control"], headers["access-control-allow-origin"]]).toEqual([
      302,
      "no-store",
      "*",
    ]);
    const whole = await fetchPage(headers.location ?? "");
    expect([whole.status, whole.bytes.equals(large)]).toEqual([200, true]);
    expect(whole.headers).toMatchObject({
      "content-type": "video/mp4",
      "content-disposition": 'inline; filename="film.mp4"',
      "access-control-allow-origin": "*",
      "cross-origin-resource-policy": "cross-origin",
      "x-content-type-options": "nosniff",
    });
    const part = await fetchPage(headers.location ?? "", { headers: { range: "bytes=5-9" } });
    expect([part.status, part.bytes.equals(large.subarray(5, 10))]).toEqual([206, true]);
    expect(await open(drop, "media/film.mp4", { method: "HEAD" })).toMatchObject({
      status: 200,
      headers: { "accept-ranges": "bytes", "content-type": "video/mp4", etag: expect.any(String) },
    });
  });

  test("cannot be read with its signed URL 10 seconds after its readers changed", {
    tags: "nightly",
  }, async () => {
    const drop = await publishFolder(account.api, { "index.html": pageOf("x"), "media/film.mp4": large });
    const { headers } = await open(drop, "media/film.mp4");
    const signed = headers.location ?? "";
    const before = await fetchPage(signed, { headers: { range: "bytes=0-3" } });
    await account.api.succeed("edit-drop", { params: { slug: drop.slug }, body: { visibility: "members" } });

    await setTimeout(10_000);
    const after = await fetchPage(signed, { headers: { range: "bytes=0-3" } });
    const checked = await fetchPage(new URL(after.headers.location ?? "", signed));

    expect([before.status, after.status, checked.status]).toEqual([206, 302, 404]);
  });

  test("can be read on with an expired signed URL, which redirects to a new check", {
    tags: "nightly",
  }, async () => {
    const drop = await publishFolder(account.api, { "index.html": pageOf("x"), "media/a film.mp4": large });
    const { headers } = await open(drop, "media/a%20film.mp4");
    await setTimeout(9_000);

    const expired = await fetchPage(headers.location ?? "");
    let checked = await fetchPage(new URL(expired.headers.location ?? "", baseUrl()));
    if (isFolderHost(drop.raw_url)) checked = await fetchPage(checked.headers.location ?? "");
    const part = await fetchPage(checked.headers.location ?? "", { headers: { range: "bytes=5-9" } });

    expect(expired).toMatchObject({ status: 302, headers: { "access-control-allow-origin": "*" } });
    expect(expired.headers.location).toBe(`/p/${drop.slug}/raw/media/a%20film.mp4`);
    expect([part.status, part.bytes.equals(large.subarray(5, 10))]).toEqual([206, true]);
  });

  test("is sent by the function if it is text that compresses enough", { tags: "slow" }, async () => {
    const text = "const a = 1;\n".repeat(400_000);
    const drop = await publishFolder(account.api, {
      "index.html": pageOf("x"),
      "app.js": `${text}${Math.random()}`,
    });

    const sent = await open(drop, "app.js", { headers: { "accept-encoding": "gzip" } });
    expect([sent.status, sent.headers["content-encoding"]]).toEqual([200, "gzip"]);
    expect((await open(drop, "app.js")).status).toBe(302);
  });
});

describe("a folder with restricted access", () => {
  const files = {
    "index.html": pageOf("secret entry"),
    "a.js": "secret script",
    "docs/index.html": pageOf("docs"),
  };

  /** Requests a file as a browser does for a sandboxed page: without cookies. */
  const part = (address: string | URL, destination = "script") =>
    fetchPage(address, {
      headers: { "sec-fetch-dest": destination, "sec-fetch-site": "cross-site", origin: "null" },
    });

  test("is read at a URL with a key, to which the passcode form redirects", async () => {
    const drop = await publishFolder(account.api, files);
    await account.api.succeed("set-passcode", {
      params: { slug: drop.slug },
      body: { passcode: "open sesame" },
    });
    const visitor = new Visitor();

    const gate = await visitor.open(`${rawPageOf(drop)}/docs/?x=1`);
    expect(gate.url.href).toBe(`${baseUrl()}/p/${drop.slug}/raw/docs/?x=1`);
    expect(gate.response.text).not.toContain("secret");
    const read = await visitor.submit(gate, { passcode: "open sesame" });

    expect(read.url.pathname).toMatch(new RegExp(`^/p/${drop.slug}/raw/@k[\\w-]+/docs/$`));
    expect(read.url.search).toBe("?x=1");
    expect(read.response.text).toContain("docs");
    expect(read.response.headers).toMatchObject({
      "cache-control": "private, no-store",
      "content-security-policy": expect.stringContaining("sandbox "),
      "cross-origin-opener-policy": "same-origin",
    });
    const script = await part(new URL("../a.js", read.url));
    expect([script.status, script.text]).toEqual([200, "secret script"]);
    expect(script.headers).toMatchObject({
      "cache-control": "private, no-store",
      "access-control-allow-origin": "*",
      "cross-origin-resource-policy": "cross-origin",
    });
    expect(script.headers).not.toHaveProperty("x-amz-meta-cache-tag");
  });

  test("serves no files without a key, even after the passcode was entered", async () => {
    const drop = await publishFolder(account.api, files);
    await account.api.succeed("set-passcode", {
      params: { slug: drop.slug },
      body: { passcode: "open sesame" },
    });
    const visitor = new Visitor();
    const gate = await visitor.open(`${rawPageOf(drop)}/`);
    await visitor.submit(gate, { passcode: "open sesame" });

    for (const address of [
      `${rawPageOf(drop)}/a.js`,
      folderFile(drop.raw_url, "a.js"),
      `${baseUrl()}/p/${drop.slug}/raw/a.js`,
    ])
      for (const [destination, fetchSite] of [
        ["script", "same-origin"],
        ["script", "same-site"],
        ["image", "cross-site"],
        ["iframe", "same-site"],
        ["empty", "same-origin"],
      ] as const) {
        const headers = { "sec-fetch-dest": destination, "sec-fetch-site": fetchSite };
        const { response } = await visitor.request(address, { headers });
        expect(response.text).not.toContain("secret");
        expect(response.headers.location).toBeUndefined();
      }
    expect((await fetchPage(`${baseUrl()}/p/${drop.slug}/raw/a.js`)).text).not.toContain("secret");
  });

  test("serves nothing to another person who opens a reader's URL with its key", async () => {
    const drop = await publishFolder(account.api, files, {
      visibility: "people",
      readers: "username:folder-reader",
    });
    const reader = await signInToRead(`${onBaseHost(drop.raw_url)}/`, "folder-reader");
    expect(reader.response.text).toContain("secret entry");

    const stranger = await new Visitor().open(reader.url);
    const program = await fetchPage(reader.url);
    const other = await signInToRead(reader.url, unusedUsername("stranger"));

    for (const { status, text } of [stranger.response, other.response]) {
      expect(status).toBe(404);
      expect(text).not.toContain("secret");
    }
    expect(program.text).not.toContain("secret");
    expect(stranger.url.href).toBe(`${baseUrl()}/p/${drop.slug}/raw/`);
  });

  test("is shown to its reader in the viewer's frame, whose pages have the frame's script", async () => {
    const drop = await publishFolder(account.api, files, {
      visibility: "people",
      readers: "username:folder-reader",
    });
    const visitor = new Visitor();
    const { response } = await signInToRead(onBaseHost(drop.url), "folder-reader", visitor);
    const [, frame = ""] = /<iframe[^>]* src="([^"]+)"/.exec(response.text) ?? [];
    const headers = { "sec-fetch-dest": "iframe", "sec-fetch-site": "same-origin" };

    const redirected = await visitor.request(frame, { headers });
    const keyed = new URL(redirected.response.headers.location ?? "", baseUrl());
    const entry = await part(keyed, "iframe");
    const docs = await part(new URL("docs/", keyed), "iframe");

    expect(keyed.pathname).toMatch(/\/@k[\w-]+\/$/);
    for (const page of [entry, docs]) {
      expect([page.status, page.headers["cache-control"]]).toEqual([200, "private, no-store"]);
      expect(page.text).toContain("<script>");
      // Pages of the folder can frame each other although their origin is opaque.
      expect(page.headers["content-security-policy"]).not.toContain("frame-ancestors");
      expect(page.headers["content-security-policy"]).toContain("sandbox allow-scripts");
    }
    const fromViewer = await fetchPage(String(keyed), { headers });
    expect(fromViewer.headers["content-security-policy"]).toContain("frame-ancestors 'self'");
    // A link opened in its own window shows the same page without the frame's script.
    const alone = await visitor.open(new URL("docs/", keyed));
    expect(alone.url.pathname).toMatch(/\/@k[\w-]+\/docs\/$/);
    expect(alone.response.text).toContain("docs");
    expect(alone.response.text).not.toContain("<script>");
  });

  test("has keys that cannot be altered or used for other drops, and that a new version replaces", {
    tags: "slow",
  }, async () => {
    const locked = { params: { slug: "" }, body: { passcode: "open sesame" } };
    const [one, two] = [await publishFolder(account.api, files), await publishFolder(account.api, files)];
    for (const { slug } of [one, two])
      await account.api.succeed("set-passcode", { ...locked, params: { slug } });
    const visitor = new Visitor();
    const { url } = await visitor.submit(await visitor.open(`${rawPageOf(one)}/`), {
      passcode: "open sesame",
    });
    const [, key = ""] = /@(k[\w-]+)\//.exec(url.pathname) ?? [];
    const at = (mark: string, slug = one.slug) => part(`${baseUrl()}/p/${slug}/raw/@${mark}/a.js`);

    expect((await at(key)).text).toBe("secret script");
    expect((await at(key, two.slug)).status).toBe(404);
    for (const forged of [
      key.slice(0, -1),
      `${key}A`,
      key.replace(/.$/, (last) => (last === "A" ? "B" : "A")),
      "k1",
      "1",
    ])
      expect((await at(forged)).status).toBe(404);
    expect((await part(`${rawPageOf(one)}/@${key}/a.js`)).status).toBe(404);
    // A later version is read only with a new key.
    await publishFolder(account.api, { ...files, "a.js": "second script" }, { slug: one.slug });
    expect((await at(key)).text).toBe("secret script");
    expect((await visitor.open(url)).url.pathname).not.toBe(url.pathname);
  });

  test("has a key that only its reader's own viewer can renew", async () => {
    const drop = await publishFolder(account.api, files);
    await account.api.succeed("set-passcode", {
      params: { slug: drop.slug },
      body: { passcode: "open sesame" },
    });
    const visitor = new Visitor();
    const { url } = await visitor.submit(await visitor.open(`/p/${drop.slug}/raw/`), {
      passcode: "open sesame",
    });
    const fromViewer = { headers: { "sec-fetch-dest": "empty", "sec-fetch-site": "same-origin" } };

    const own = await visitor.request(url, fromViewer);
    const stranger = await new Visitor().request(url, fromViewer);
    const other = await visitor.request(new URL(url.href.replace(/@k...../, "@kAAAAA")), fromViewer);

    expect([own, stranger, other].map(({ response }) => response.status)).toEqual([200, 404, 404]);
    for (const { response } of [own, stranger, other]) expect(response.text).not.toContain("secret");
  });

  test("refuses issued keys when its readers change or a passcode is set", {
    tags: "slow",
  }, async () => {
    const drop = await publishFolder(account.api, files, {
      visibility: "people",
      readers: "username:folder-reader",
    });
    const params = { slug: drop.slug };
    const visitor = new Visitor();
    const { url } = await signInToRead(`${onBaseHost(drop.raw_url)}/`, "folder-reader", visitor);
    const script = new URL("a.js", url);
    const open = async () => (await part(script)).status;
    expect(await open()).toBe(200);

    await account.api.succeed("edit-drop", { params, body: { readers: ["username:somebody-else"] } });
    expect(await open()).toBe(404);
    expect((await part(url, "iframe")).text).not.toContain("secret");
    await account.api.succeed("edit-drop", { params, body: { readers: ["username:folder-reader"] } });
    expect(await open()).toBe(200);
    await account.api.succeed("set-passcode", { params, body: { passcode: "open sesame" } });
    expect(await open()).toBe(404);
  });

  test("that was public is closed to everyone within seconds", { tags: "slow" }, async () => {
    const drop = await publishFolder(account.api, files);
    const addresses = ["a.js", "@1/a.js", "@1-framed/a.js"].map((path) => folderFile(drop.raw_url, path));
    for (const address of addresses) expect((await fetchPage(address)).text).toBe("secret script");

    await account.api.succeed("set-passcode", {
      params: { slug: drop.slug },
      body: { passcode: "open sesame" },
    });

    for (const address of addresses)
      await expect
        .poll(async () => (await fetchPage(address)).text, { timeout: 5_000 })
        .not.toContain("secret");
  });

  test("can be downloaded only by its readers", async () => {
    const drop = await publishFolder(account.api, files, {
      visibility: "people",
      readers: "username:folder-reader",
    });
    const download = `${onBaseHost(drop.raw_url)}?download=1`;

    const { response } = await signInToRead(download, "folder-reader");

    expect(response.headers["content-type"]).toBe("application/zip");
    expect((await new Visitor().open(download)).response.status).toBe(404);
  });
});

test("a deleted folder returns 404 at every URL", { tags: "slow" }, async () => {
  const drop = await publishFolder(account.api, { "index.html": pageOf("x"), "a.txt": "a" });
  const addresses = ["a.txt", "@1/a.txt", "", "@1-framed/"].map((path) => folderFile(drop.raw_url, path));
  for (const address of addresses) expect((await fetchPage(address)).status).toBe(200);

  await account.api.call("delete-drop", { params: { slug: drop.slug } });

  for (const address of addresses) await expect.poll(async () => (await fetchPage(address)).status).toBe(404);
});

test("the files of a folder that expires are cached at most until then", async () => {
  const drop = await publishFolder(account.api, { "index.html": pageOf("x"), "a.txt": "a" });
  const inSeconds = 70;
  const expires_at = Date.now() + inSeconds * 1000;
  await account.api.succeed("edit-drop", { params: { slug: drop.slug }, body: { expires_at } });

  const { headers } = await open(drop, "@1/a.txt");

  const [, seconds] = /s-maxage=(\d+)/.exec(headers["cache-control"] ?? "") ?? [];
  expect(Number(seconds)).toBeLessThanOrEqual(inSeconds);
});
