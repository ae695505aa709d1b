// @module-tag slow

import { createHash } from "node:crypto";
import type { Browser, Frame, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newAccount } from "../support/accounts.ts";
import { complaintsOf } from "../support/browser.ts";
import type { ApiClient } from "../support/client.ts";
import { type Files, publishFolder } from "../support/folders.ts";
import { openBrowser } from "../support/open-browser.ts";

const dot = `<svg xmlns="http://www.w3.org/2000/svg" width="7" height="7"><circle cx="3" cy="3" r="3"/></svg>`;

/** Returns a BMP image of more than 4 MiB, which Amazon S3 sends. */
function largePicture(side = 1_250): Buffer {
  const header = Buffer.alloc(54);
  header.write("BM");
  header.writeUInt32LE(54 + side * side * 3, 2);
  for (const [at, value] of [
    [10, 54],
    [14, 40],
    [18, side],
    [22, side],
  ] as const)
    header.writeUInt32LE(value, at);
  header.writeUInt16LE(1, 26);
  header.writeUInt16LE(24, 28);
  const pixels = Buffer.from(
    Array.from({ length: (side + (side % 2)) * 3 * side }, (_, index) => index % 241),
  );
  return Buffer.concat([header, pixels]);
}

const head = (more: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>x</title><link rel="icon" href="data:,">${more}</head>`;
const sheet = `@import "/style/more.css"; h1 { background: url(/img/dot.svg) }`;
const digest = `sha384-${createHash("sha384").update(sheet).digest("base64")}`;
const said = `<p id="said"></p>`;
const say = (text: string) => `document.getElementById("said").textContent += " ${text}";`;

/** Site that a generator has built for the root of a host. */
const site: Files = {
  "index.html": `${head(`<link rel="stylesheet" href="/style/main.css" integrity="${digest}" crossorigin><script defer src="/js/app.js?v=1&amp;x"></script>
<script type="importmap">{"imports":{"other":"/js/other.js"}}</script><style>h2 { background: url('/img/dot.svg') }</style>`)}
<body><h1>Home</h1><h2>Second</h2>${said}<img src="/img/dot.svg" srcset="/img/dot.svg 2x" alt="A dot"><a href="/guide/">Guide</a> <a href="/about">About</a>
<script type="module">import "other";</script></body></html>`,
  "guide/index.html": `${head(`<link rel=stylesheet href=/style/main.css>`)}<body><h1>Guide</h1><a href=/>Home</a></body></html>`,
  "about.html": `${head("")}<body><h1>About</h1></body></html>`,
  "style/main.css": sheet,
  "style/more.css": "h1, h2 { color: rgb(1, 2, 3) }",
  "js/app.js": `${say("classic")}
document.body.insertAdjacentHTML("beforeend", '<a href="/about">Made</a> <form action="/guide/"><button>Sent</button></form>');`,
  "js/other.js": say("module"),
  "img/dot.svg": dot,
};

/** Pages that set their base, as the router of a single-page app does. */
const based: Files = {
  "index.html": `${head(`<base href="./sub/" target="_self"><script defer src="a.js"></script>`)}<body>${said}<a href="../deep/page.html">Deep</a></body></html>`,
  "sub/a.js": say("sub"),
  "deep/page.html": `${head(`<base href="/"><script defer src="sub/a.js"></script>`)}<body>${said}<a href="index.html">Home</a></body></html>`,
};

/** Page whose scripts read its images and style rules. */
const readingPage: Files = {
  "index.html": `${head(`<link rel="stylesheet" href="a.css">`)}<body>${said}<img id="small" src="dot.svg" width="7" height="7" alt=""><img id="large" src="large.bmp" width="50" alt="">
<script integrity="sha384-${createHash("sha384").update(say("checked")).digest("base64")}" src="checked.js"></script>
<script>onload = () => { const said = document.getElementById("said");
for (const image of document.images) { const canvas = document.createElement("canvas"); canvas.getContext("2d").drawImage(image, 0, 0, 5, 5);
try { canvas.toDataURL(); said.textContent += " exported" } catch (error) { said.textContent += error.name } }
try { said.textContent += " rules " + [...document.styleSheets].at(-1).cssRules.length } catch (error) { said.textContent += error.name } }</script></body></html>`,
  "a.css": "p { color: rgb(4, 5, 6) }",
  "dot.svg": dot,
  "large.bmp": largePicture(),
  "checked.js": say("checked"),
};

let browser: Browser;
let page: Page;
let api: ApiClient;

beforeAll(async () => {
  browser = await openBrowser();
  ({ api } = await newAccount("addresses"));
});
afterAll(() => browser.close());
beforeEach(async () => {
  page = await browser.newPage();
});
afterEach(() => page.close());

const passcode = "open sesame";

/** Opens a folder's entry page in the viewer or raw, and returns its frame. */
async function open(files: Files, place: "viewer" | "locked viewer" | "raw"): Promise<Frame> {
  const drop = await publishFolder(api, files);
  if (place === "locked viewer")
    await api.succeed("set-passcode", { params: { slug: drop.slug }, body: { passcode } });
  await page.goto(place === "raw" ? drop.raw_url : drop.url);
  if (place === "raw") return page.mainFrame();
  if (place === "locked viewer") {
    await page.getByLabel("Passcode").fill(passcode);
    await page.getByRole("button", { name: "Open" }).click();
  }
  const frame = await (await page.waitForSelector("iframe")).contentFrame();
  if (frame === null) throw new Error("The viewer has no frame.");
  return frame;
}

/** Waits until the headings have their style, because style sheets may load after the page. */
async function expectStyled(frame: Frame, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const style = () =>
      frame.locator(name).evaluate((element) => {
        const { color, backgroundImage } = getComputedStyle(element);
        return `${color} ${backgroundImage}`;
      });
    await expect.poll(style).toMatch(/^rgb\(1, 2, 3\) .*\/img\/dot\.svg/);
  }
}

describe.each(["viewer", "locked viewer", "raw"] as const)("in the %s", (place) => {
  test("a site with root-absolute URLs has its styles, scripts, images and links", async () => {
    const complaints = complaintsOf(page);
    const frame = await open(site, place);
    await frame.getByText("classic module").waitFor();

    await expectStyled(frame, ["h1", "h2"]);
    const width = () => frame.locator("img").evaluate((image: HTMLImageElement) => image.naturalWidth);
    await expect.poll(width).toBeGreaterThan(0);
    await frame.getByRole("link", { name: "Guide" }).click();
    await frame.getByRole("heading", { name: "Guide" }).waitFor();
    await expectStyled(frame, ["h1"]);
    await frame.getByRole("link", { name: "Home" }).click();
    await frame.getByRole("link", { name: "About" }).click();
    await frame.getByRole("heading", { name: "About" }).waitFor();
    expect(complaints).toEqual([]);
  });

  test("root-absolute links and forms created by scripts lead to the folder's pages", async () => {
    const frame = await open(site, place);
    await frame.getByRole("link", { name: "Made" }).click();
    await frame.getByRole("heading", { name: "About" }).waitFor();
    await page.goBack();

    await frame.getByRole("button", { name: "Sent" }).click();

    await frame.getByRole("heading", { name: "Guide" }).waitFor();
  });

  test("a page can set its base within the folder, and nowhere else", async () => {
    const frame = await open(based, place);
    await frame.getByText("sub").waitFor();
    await frame.getByRole("link", { name: "Deep" }).click();
    await frame.getByRole("link", { name: "Home" }).waitFor();
    await frame.getByText("sub").waitFor();

    const { base, refused } = await frame.evaluate(() => {
      const base = document.baseURI;
      document.querySelector("base")?.setAttribute("href", "https://elsewhere.example/");
      return { base, refused: document.baseURI };
    });
    expect(base).toMatch(/(\.localhost:\d+|\/raw(\/@[^/]+)?)\/$/);
    expect(refused).not.toContain("elsewhere");
  });

  test("scripts can read the images and style rules of their folder, and scripts with integrity run", async () => {
    const frame = await open(readingPage, place);

    await frame.getByText("checked exported exported rules 1").waitFor();
  });
});
