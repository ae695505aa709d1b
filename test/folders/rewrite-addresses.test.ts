import { Tokenizer } from "htmlparser2";
import { describe, expect, test } from "vitest";
import type { FolderPlace } from "../../functions/folders/folder-addresses.ts";
import { rewritePage, rewriteStyleSheet } from "../../functions/folders/rewrite-addresses.ts";
import { processorMs } from "../support/processor-time.ts";

const names = [
  "index.html",
  "about.html",
  "docs/index.html",
  "docs/page.html",
  "a/a.css",
  "a/m.js",
  "a/a b.png",
  "img/ü.png",
  "a,b.png",
  "v.mp4",
];
const files = Object.fromEntries(names.map((name) => [name, true]));

function place(requested: string, folderUrl = "https://ada.example/p/abcdefg/raw/@3/"): FolderPlace {
  return { files, folderUrl, requested };
}

function rewrite(html: string, requested = "docs/page", encoding: BufferEncoding = "utf8"): string {
  return rewritePage(Buffer.from(html, encoding), place(requested), () => false).toString(encoding);
}

test("a framed `use` element has its file in the fragment, to be loaded by the script", () => {
  const sent = `<use href="/v.mp4#a"/><use xlink:href=../a/m.js#b><use href="#c"/><use href="none.svg#d"/><a href="/about#e">`;

  const framed = rewritePage(Buffer.from(sent), place("docs/page"), () => false, true).toString();

  expect(framed).toBe(
    `<use href="#../v.mp4#a"/><use xlink:href=#../a/m.js#b><use href="#c"/><use href="none.svg#d"/><a href="../about#e">`,
  );
});

describe("a root-absolute URL becomes relative", () => {
  test.each([
    [`<link href="/a/a.css?x&amp;y#z">`, `<link href="../a/a.css?x&amp;y#z">`],
    ["<a href=/>", "<a href=../>"],
    ["<A HREF='/about#x'>", "<A HREF='../about#x'>"],
    ["<a href=/docs/><a href=/docs>", "<a href=../docs/><a href=../docs>"],
    [
      `<img src="/a/a%20b.png"><img src=" /a/a b.png ">`,
      `<img src="../a/a%20b.png"><img src=" ../a/a b.png ">`,
    ],
    [
      `<img src="/img/ü.png"><img src="/img/u%CC%88.png">`,
      `<img src="../img/ü.png"><img src="../img/u%CC%88.png">`,
    ],
    [`<a href="&#x2f;img/&#252;.png">`, `<a href="../img/&#252;.png">`],
    [
      `<img srcset="/a,b.png 1x, /none.png 2x,/v.mp4">`,
      `<img srcset="../a,b.png 1x, /none.png 2x,../v.mp4">`,
    ],
    [`<link imagesrcset="/v.mp4 2x">`, `<link imagesrcset="../v.mp4 2x">`],
    [
      `<video poster=/v.mp4><object data=/v.mp4><use xlink:href="/v.mp4#a"/>`,
      `<video poster=../v.mp4><object data=../v.mp4><use xlink:href="../v.mp4#a"/>`,
    ],
    [
      `<form action="/about?x"><button formaction=/about>`,
      `<form action="../about?x"><button formaction=../about>`,
    ],
    [
      `<meta content="0; URL='/about'" http-equiv=Refresh>`,
      `<meta content="0; URL='../about'" http-equiv=Refresh>`,
    ],
    [`<p style="background:url(&quot;/v.mp4&quot;)">`, `<p style="background:url(&quot;../v.mp4&quot;)">`],
    [
      `<style>@import "/a/a.css"; a{b:url( /v.mp4 ) url("/a/a b.png")}</style>`,
      `<style>@import "../a/a.css"; a{b:url( ../v.mp4 ) url("../a/a b.png")}</style>`,
    ],
    [
      `<style>a{b:image-set("/v.mp4" 1x, url(/v.mp4) 2x)}</style>`,
      `<style>a{b:image-set("../v.mp4" 1x, url(../v.mp4) 2x)}</style>`,
    ],
    ["<style>a{b:url(\\2f v.mp4)}</style>", "<style>a{b:url(../v.mp4)}</style>"],
    ["<style>:root{--b:url(/v.mp4)}</style>", "<style>:root{--b:url(/p/abcdefg/raw/@3/v.mp4)}</style>"],
    [
      `<script type="importmap">{"imports":{"/a/m.js":"/a/m.js"},"scopes":{"/a/m.js":{"x":"\\/a/m.js"}}}</script>`,
      `<script type="importmap">{"imports":{"/a/m.js":"../a/m.js"},"scopes":{"../a/m.js":{"x":"../a/m.js"}}}</script>`,
    ],
    [
      "<a href=/x/../v.mp4><a href=/../../v.mp4?q><a href=/./v.mp4>",
      "<a href=../v.mp4><a href=../v.mp4?q><a href=../v.mp4>",
    ],
  ])("%s", (sent, served) => {
    expect(rewrite(sent)).toBe(served);
  });

  test("relative to the requested URL, which is a route in an app", () => {
    for (const [requested, up] of [
      ["", "./"],
      ["about", "./"],
      ["docs/", "../"],
      ["users/7/edit", "../../"],
    ] as const)
      expect(rewrite("<a href=/v.mp4>", requested)).toBe(`<a href=${up}v.mp4>`);
  });

  test("relative to the page's base, if the base is in the folder", () => {
    expect(rewrite(`<base href="/docs/"><a href=/v.mp4>`, "x/y")).toBe(
      `<base href="../docs/"><a href=../v.mp4>`,
    );
    expect(rewrite(`<base href="./a/b/"><a href=/v.mp4>`, "")).toBe(
      `<base href="./a/b/"><a href=../../v.mp4>`,
    );
    expect(rewrite("<base href=/none/><a href=/v.mp4>", "")).toBe("<base href=/none/><a href=./v.mp4>");
    expect(rewrite("<base href=https://x.example/y/z/><a href=/v.mp4>", "")).toContain("<a href=./v.mp4>");
  });

  test("in a page of another charset, whose other bytes stay unchanged", () => {
    expect(rewrite("<p>\xe9\xff</p><img src=/img/\xfc.png>", "", "latin1")).toBe(
      "<p>\xe9\xff</p><img src=./img/\xfc.png>",
    );
  });
});

test.each([
  "<a href=/none><a href=//host/v.mp4><a href=/\\host/v.mp4><a href=https://x/v.mp4><a href=v.mp4><a href=#x><a href=''>",
  `<script>"/v.mp4"</script><textarea><a href=/v.mp4></textarea><!-- <a href=/v.mp4> --><title><a href=/v.mp4></title>`,
  `<style>/* url(/v.mp4) */ a{content:"/v.mp4"; b:my-url(/v.mp4)}</style><meta content="/v.mp4" name=image>`,
  `<p data-x="/v.mp4" title="/v.mp4">/v.mp4</p><a href="/%zz"><a href="/__proto__"><a href="/constructor">`,
])("everything else stays unchanged: %s", (sent) => {
  expect(rewrite(sent)).toBe(sent);
});

test("a page of a folder with its own host is not rewritten", () => {
  const sent = Buffer.from("<base href=/docs/><a href=/v.mp4>");

  expect(rewritePage(sent, place("", "https://abcdefg.example/"), () => false)).toBe(sent);
});

describe("a page without an origin requests its folder's files as cross-origin files", () => {
  const framed = (html: string) => rewritePage(Buffer.from(html), place(""), () => true).toString();

  test.each([
    ["<img src=v.mp4>", "<img crossorigin src=v.mp4>"],
    [
      `<link rel="preload stylesheet" href=a/a.css crossorigin=use-credentials>`,
      `<link rel="preload stylesheet" href=a/a.css crossorigin=anonymous>`,
    ],
    ["<video><source src=v.mp4></video>", "<video crossorigin><source src=v.mp4></video>"],
    [
      "<picture><source srcset='v.mp4 2x'><img src=v.mp4></picture>",
      "<picture><source srcset='v.mp4 2x'><img crossorigin src=v.mp4></picture>",
    ],
    ["<svg><image href=v.mp4></svg>", "<svg><image crossorigin href=v.mp4></svg>"],
    [
      `<script src="./a/m.js" integrity=x></script>`,
      `<script crossorigin src="./a/m.js" integrity=x></script>`,
    ],
  ])("%s", (sent, served) => {
    expect(framed(sent)).toBe(served);
  });

  test.each([
    "<img src=https://x.example/v.mp4><img src=none.png><img src=data:,x>",
    "<img src=v.mp4 srcset='https://x.example/y 2x'>",
    "<video><source src=v.mp4><source src=https://x.example/v.mp4></video>",
    "<picture><source srcset=https://x.example/y><img src=v.mp4></picture>",
    "<link rel=icon href=v.mp4><script crossorigin src=a/m.js></script><a href=v.mp4>",
  ])("except in: %s", (sent) => {
    expect(framed(sent)).toBe(sent);
  });
});

test("the digest of a style sheet that may be rewritten is removed, and a script's digest stays", () => {
  const sent =
    "<link rel=stylesheet href=/a/a.css integrity='sha384-x'><script src=a/m.js integrity='sha384-x'></script>";

  expect(rewrite(sent, "")).toBe(sent.replace("'sha384-x'", "''").replace("/a/a.css", "./a/a.css"));
});

test("a style sheet's URLs are relative to its own URL", () => {
  const sent = `@charset "utf-8";@import url(/a/a.css) print;a{b:url("/v.mp4#x");c:url(data:image/png;base64,/v.mp4)}`;

  const served = rewriteStyleSheet(Buffer.from(sent), place("a/b/c.css")).toString();

  expect(served).toBe(sent.replace("(/a/a.css", "(../../a/a.css").replace('"/v.mp4', '"../../v.mp4'));
});

const ignore = () => undefined;
const callbacks = {
  onattribdata: ignore,
  onattribend: ignore,
  onattribentity: ignore,
  onattribname: ignore,
  oncdata: ignore,
  onclosetag: ignore,
  oncomment: ignore,
  ondeclaration: ignore,
  onend: ignore,
  onopentagend: ignore,
  onopentagname: ignore,
  onprocessinginstruction: ignore,
  onselfclosingtag: ignore,
  ontext: ignore,
  ontextentity: ignore,
};

/** Processor time in which the tokenizer reads an ordinary page of 2 MiB. */
function readMs(): number {
  const page = Buffer.from("<p class=a>Words and more <b>words</b></p>\n".repeat(46_000));
  return processorMs(() => {
    const tokenizer = new Tokenizer({ xmlMode: false, decodeEntities: false }, callbacks);
    tokenizer.write(page.toString("latin1"));
    tokenizer.end();
  });
}

describe("a page of 2 MiB is rewritten within a fixed multiple of its parsing time", {
  tags: "slow",
}, () => {
  const manyFiles = Object.fromEntries(
    Array.from({ length: 2_000 }, (_, index) => [`assets/${index}.png`, true]),
  );
  const repeated = (piece: string, bytes = 2_000_000) => piece.repeat(Math.ceil(bytes / piece.length));
  const links = Array.from(
    { length: 2_500 },
    (_, index) => `<a href="/assets/${index}.png"><img src=/assets/${index}.png></a>`,
  );

  test.each([
    ["ordinary text", repeated("<p class=a>Words and more <b>words</b></p>\n"), 6],
    ["many addresses", repeated(links.join("\n")), 25],
    ["spaces in an address", `<a href="/ ${" ".repeat(2_000_000)}x">`, 40],
    ["bases", repeated("<base href=/x/><a href=/x/>"), 25],
    ["open sets of images", `<style>${repeated("image-set('/")}`, 40],
    ["open comments", `<style>${repeated("@import /*")}`, 40],
    ["open addresses", `<style>${repeated("--a:url(/")}`, 60],
    ["open descriptors", `<img srcset="${repeated("a ( ")}">`, 40],
    ["nested import maps", `<script type=importmap>${repeated('{"":')}`, 40],
    ["references", `<a href="${repeated("&#47;")}">`, 60],
  ])("%s", (_what, html, times) => {
    const page = Buffer.from(html);

    const ms = processorMs(() => rewritePage(page, { ...place(""), files: manyFiles }, () => true));

    expect(ms).toBeLessThan(times * readMs());
  });
});
