import { createHash } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import type { DropResponse } from "../../functions/drops/schemas.ts";
import { type Account, newAccount } from "../support/accounts.ts";
import { type Files, publishFolder, sendFolder } from "../support/folders.ts";
import { baseUrl, fetchPage } from "../support/http.ts";
import { isFolderHost } from "../support/owner-address.ts";
import { Visitor } from "../support/visitor.ts";

const page = (body: string) =>
  `<!doctype html><html><head><title>x</title></head><body>${body}</body></html>`;

const sheet = "h1{background:url(/img/dot.svg)}";
const site: Files = {
  "index.html": page(`<a href="/guide/">Guide</a><img src="/img/dot.svg"><a href="/none">None</a>`),
  "guide/index.html": page(`<a href="/">Home</a>`),
  "a/style.css": sheet,
  "a/plain.css": "h1{color:red}",
  "img/dot.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
};

const passcode = "open sesame";

let account: Account;
let drop: DropResponse;
/** URLs of the folder, raw and in the viewer's frame. It is locked, because an open folder can have its own host, where nothing is rewritten. */
let raw: URL;
let framed: URL;
beforeAll(async () => {
  account = await newAccount("folder-addresses");
  drop = await publishFolder(account.api, site, { spa: "true" });
  await account.api.succeed("set-passcode", { params: { slug: drop.slug }, body: { passcode } });
  const visitor = new Visitor();
  raw = (await visitor.submit(await visitor.open(`/p/${drop.slug}/raw/`), { passcode })).url;
  const headers = { "sec-fetch-dest": "iframe", "sec-fetch-site": "same-origin" };
  const { response } = await visitor.request(`${baseUrl()}/p/${drop.slug}/raw/@1-framed/`, { headers });
  framed = new URL(response.headers.location ?? "", baseUrl());
});

const open = (path: string, headers: Record<string, string> = {}, root = raw) =>
  fetchPage(new URL(path, root), {
    headers: { "sec-fetch-dest": "empty", "sec-fetch-site": "cross-site", ...headers },
  });

test("pages and style sheets are served with relative URLs, and are stored unchanged", async () => {
  expect((await open("")).text).toContain(`<a href="./guide/">Guide</a>`);
  expect((await open("guide/")).text).toContain(`<a href="../">Home</a>`);
  // A route of an app, which is served with the entry page.
  expect((await open("users/7/edit")).text).toContain(`<a href="../../guide/">Guide</a>`);
  expect((await open("", {}, framed)).text).toMatch(
    /<img crossorigin src="\.\/img\/dot\.svg"><a href="\/none">/,
  );
  expect((await open("a/style.css")).text).toBe("h1{background:url(../img/dot.svg)}");
  const { files } = await account.api.succeed("list-files", {
    params: { slug: drop.slug },
  });
  const sha256 = createHash("sha256").update(sheet).digest("hex");
  expect(files).toContainEqual(expect.objectContaining({ path: "a/style.css", sha256 }));
});

test("the entity tag and ranges of a style sheet match the served bytes", async () => {
  const { headers, text } = await open("a/style.css");
  const { etag = "" } = headers;

  expect(etag).not.toContain(createHash("sha256").update(sheet).digest("hex").slice(0, 32));
  expect((await open("a/style.css", { "if-none-match": etag })).status).toBe(304);
  const part = await open("a/style.css", { range: "bytes=10-" });
  expect([part.status, part.text, part.headers["content-range"]]).toEqual([
    206,
    text.slice(10),
    `bytes 10-${text.length - 1}/${text.length}`,
  ]);
  const plain = await open("a/plain.css");
  expect(plain.headers.etag).toContain(
    createHash("sha256").update("h1{color:red}").digest("hex").slice(0, 32),
  );
});

test("the policy allows a page's base URL only within its folder", async () => {
  const policyOf = async (path: string, root: URL) =>
    (await open(path, {}, root)).headers["content-security-policy"];
  const { raw_url } = await publishFolder(account.api, site);
  const own = new URL(isFolderHost(raw_url) ? raw_url : `${raw_url}/`);

  for (const root of [raw, framed, own])
    for (const path of ["", "guide/"]) expect(await policyOf(path, root)).toContain(`base-uri ${root.href};`);
});

describe("the warnings about URLs in a folder", () => {
  const warningsOf = async (files: Files, query: Record<string, string> = {}) => {
    const response = await sendFolder(account.api, files, query);
    expect([response.status, response.text]).toEqual([
      query.slug === undefined ? 201 : 200,
      expect.any(String),
    ]);
    return (JSON.parse(response.text) as { warnings?: string[] }).warnings ?? [];
  };
  const vite: Files = {
    "index.html": page(
      `\n<script type="module" crossorigin src="/assets/index-BqkPRnMd.js"></script>\n<img src="/lost.png"><link rel="icon" href="/lost.svg">`,
    ),
    "assets/index-BqkPRnMd.js": `const a = "/about.html";\nimport("/assets/page-BqkPRnMe.js")`,
    "assets/page-BqkPRnMe.js": "",
  };

  test("name the first of each kind with its location, and the setting of the build tool", async () => {
    const warnings = await warningsOf(vite, { visibility: "members" });

    expect(warnings).toEqual([
      'Addresses that begin with / have no file in the folder: "/lost.png" in index.html, line 3, and 1 more. Send the missing files, or build with vite build --base=./ (Vite).',
      'Scripts cannot load files by an address that begins with /: "/assets/page-BqkPRnMe.js" in assets/index-BqkPRnMd.js, line 2. In pages and style sheets, such addresses are made relative. For scripts, build with vite build --base=./ (Vite).',
    ]);
  });

  test("are also given for a new version, and for scripts only if the folder has no host of its own", async () => {
    const { slug } = await publishFolder(account.api, { "index.html": page("x") });

    const warnings = await warningsOf(vite, { slug });

    expect(warnings[0]).toContain("Addresses that begin with /");
    expect(warnings).toHaveLength(isFolderHost((await publishFolder(account.api, site)).raw_url) ? 1 : 2);
  });

  test("name relative URLs without a file, and other mistakes in its pages", async () => {
    const body = `\n<img src="lost.png"><img src="../img/dot.svg">\n<div className="x"></div>`;
    const files = { ...site, "index.html": page("x"), "guide/index.html": page(body) };

    expect(await warningsOf(files)).toEqual([
      'Browsers do not run JSX outside scripts: "className=\\"x\\"" in guide/index.html, line 3. Send the HTML that it renders, or put it into a script with the library that runs it.',
      'The folder has no file at "lost.png" in guide/index.html, line 2. Send the missing files, or correct the addresses.',
    ]);
  });

  test("do not name working URLs, the service's own, or an app's routes", async () => {
    const own = page(
      `<a href="/guide/"><a href="/b/abcdefg"><a href="//x.example/y"><link rel="canonical" href="/none">`,
    );

    expect(await warningsOf({ ...site, "index.html": own })).toEqual([]);
    expect(await warningsOf({ ...site }, { spa: "true", visibility: "members" })).toEqual([]);
  });
});
