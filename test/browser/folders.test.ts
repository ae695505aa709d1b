// @module-tag slow

import { readFileSync } from "node:fs";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { DropResponse } from "../../functions/drops/schemas.ts";
import { newAccount } from "../support/accounts.ts";
import { complaintsOf } from "../support/browser.ts";
import type { ApiClient } from "../support/client.ts";
import { publishFolder } from "../support/folders.ts";
import { openBrowser } from "../support/open-browser.ts";
import { folderFile, hasOwnOrigin, isFolderHost, ownerAddress, rawPageOf } from "../support/owner-address.ts";

const passcode = "open sesame";
const font = readFileSync("node_modules/playwright-core/lib/vite/recorder/assets/codicon-DCmgc-ay.ttf");

/** WAV file with a second of silence. */
const sound = Buffer.concat([
  Buffer.from(
    "RIFF\x24\x1f\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0data\0\x1f\0\0",
    "latin1",
  ),
  Buffer.alloc(7_936, 128),
]);

const links = `<nav><a href="about.html#team">About</a> <a href="docs/">Docs</a> <a href="data.json">Data</a>
<a href="about.html" target="_blank">Apart</a></nav>`;

const files = {
  "index.html": `<!doctype html><title>Site</title><link rel="icon" href="data:,"><link rel="stylesheet" href="assets/style.css">
<h1>Entry</h1><p id="found"></p><img src="img/dot.svg" alt="A dot"><audio src="sound.wav" preload="auto"></audio>${links}
<script type="module" src="assets/app.js"></script>`,
  "about.html": `<!doctype html><title>About</title><link rel="icon" href="data:,"><h1>About us</h1><a href="./">Entry</a>
<a href="missing.html">Missing</a><p id="team">The team</p>`,
  "docs/index.html": `<!doctype html><title>Docs</title><link rel="icon" href="data:,"><link rel="stylesheet" href="../assets/style.css"><h1>The docs</h1>`,
  "404.html": "<!doctype html><title>Lost</title><h1>Nothing here</h1>",
  "assets/style.css": `@font-face { font-family: Icons; src: url("codicon.ttf") } h1 { color: rgb(1, 2, 3); font-family: Icons, serif }`,
  "assets/codicon.ttf": font,
  "assets/other.js": `export const other = "module";`,
  "assets/app.js": `import { other } from "./other.js";
const found = [other];
const { name } = await (await fetch("data.json")).json();
found.push(name);
found.push((await fetch("missing.json")).status);
const { status } = await fetch("sound.wav", { headers: { range: "bytes=0-9" } });
found.push(status);
await document.fonts.load("16px Icons");
found.push([...document.fonts].map(({ status }) => status).join());
const image = document.querySelector("img");
await image.decode();
found.push(image.naturalWidth);
const audio = document.querySelector("audio");
if (!(audio.duration > 0)) await new Promise((resolve) => audio.addEventListener("loadedmetadata", resolve));
found.push(Math.round(audio.duration));
document.getElementById("found").textContent = found.join(" ");`,
  "assets/worker.js": `import { other } from "./other.js"; postMessage("worker with " + other);`,
  "img/dot.svg": `<svg xmlns="http://www.w3.org/2000/svg" width="7" height="7"><circle cx="3" cy="3" r="3"/></svg>`,
  "data.json": `{"name":"data"}`,
  "sound.wav": sound,
};
const everything = "module data 404 206 loaded 7 1";

let browser: Browser;
let context: BrowserContext;
let page: Page;
let api: ApiClient;

beforeAll(async () => {
  browser = await openBrowser();
  ({ api } = await newAccount("folder-browser"));
});
afterAll(() => browser.close());

beforeEach(async () => {
  context = await browser.newContext();
  page = await context.newPage();
});
afterEach(() => context.close());

/** Collects the window's complaints and failed requests. */
function problemsOf(opened: Page): string[] {
  const problems = complaintsOf(opened);
  opened.on("response", (response) => {
    if (response.status() >= 400) problems.push(`${response.status()} ${response.url()}`);
  });
  return problems;
}

const expected = (problem: string) => /404/.test(problem);

describe.each(["open", "locked"] as const)("a folder that is %s", (kind) => {
  let drop: DropResponse;
  beforeAll(async () => {
    drop = await publishFolder(api, files);
    if (kind === "locked")
      drop = await api.succeed("set-passcode", { params: { slug: drop.slug }, body: { passcode } });
  });

  async function open(address: string): Promise<string[]> {
    const problems = problemsOf(page);
    await page.goto(address);
    if (kind === "locked") {
      await page.getByLabel("Passcode").fill(passcode);
      await page.getByRole("button", { name: "Open" }).click();
    }
    return problems;
  }

  test("loads modules, fonts, images, sounds and data in the viewer, and navigates inside its frame", async () => {
    const problems = await open(drop.url);
    const frame = page.frameLocator("iframe");
    const address = page.url();
    await frame.getByText(everything).waitFor();
    const colour = await frame.locator("h1").evaluate((element) => getComputedStyle(element).color);
    expect([colour, problems.filter((one) => !expected(one))]).toEqual(["rgb(1, 2, 3)", []]);

    await frame.getByRole("link", { name: "About" }).click();
    await frame.getByText("The team").waitFor();
    await frame.getByRole("link", { name: "Entry" }).click();
    await frame.getByText(everything).waitFor();
    await frame.getByRole("link", { name: "Docs" }).click();
    await frame.getByText("The docs").waitFor();
    await page.evaluate("history.back()");
    await frame.getByText(everything).waitFor();
    await frame.getByRole("link", { name: "About" }).click();
    // The folder has its own page for missing files.
    await frame.getByRole("link", { name: "Missing" }).click();
    await frame.getByText("Nothing here").waitFor();

    await expect.poll(() => page.url()).toBe(`${address}/missing.html`);
    expect(context.pages()).toHaveLength(1);
  });

  test("works on its own, and opens files and new windows in tabs without the viewer's script", {
    tags: "nightly",
  }, async () => {
    await open(drop.url);
    const frame = page.frameLocator("iframe");
    await frame.getByText(everything).waitFor();

    for (const [link, name, text] of [
      ["Data", "data.json", '"data"'],
      ["Apart", "about.html", "The team"],
    ] as const) {
      const [opened] = await Promise.all([
        context.waitForEvent("page"),
        frame.getByRole("link", { name: link }).click(),
      ]);
      await opened.getByText(text).waitFor();

      expect(opened.url()).not.toContain("framed");
      const at = isFolderHost(opened.url()) ? "^/" : "/raw/@[\\w-]+/";
      expect(new URL(opened.url()).pathname).toMatch(new RegExp(`${at}${name}$`));
      expect(await opened.evaluate("window.opener")).toBeNull();
      expect(await opened.locator("script").count()).toBe(0);
      // The viewer opens at most one tab per half second.
      await page.waitForTimeout(500);
    }
    const alone = await context.newPage();
    const problems = problemsOf(alone);
    await alone.goto(drop.raw_url);
    await alone.getByText(everything).waitFor();
    expect(problems.filter((one) => !expected(one))).toEqual([]);
    await alone.getByRole("link", { name: "Docs" }).click();
    await alone.getByText("The docs").waitFor();
  });
});

test("a folder's worker runs on its own origin, and its service worker is refused", async () => {
  const drop = await publishFolder(api, files);
  if (!hasOwnOrigin(drop.raw_url)) return;
  await page.goto(drop.raw_url);
  await page.getByText(everything).waitFor();

  const said = await page.evaluate(
    () =>
      new Promise((resolve) => {
        const worker = new Worker("assets/worker.js", { type: "module" });
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = () => resolve("failed");
      }),
  );
  const registered = await page.evaluate(() =>
    navigator.serviceWorker.register("assets/worker.js").then(
      () => "registered",
      () => "refused",
    ),
  );

  expect([said, registered]).toEqual(["worker with module", "refused"]);
});

/** Site that a generator wrote for the root of a host: root-absolute addresses, a router that begins at `/`, and storage. */
const rooted = {
  "index.html": `<!doctype html><title>App</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/assets/style.css">
<h1>App</h1><a href="/">Home</a> <a href="/about/">About</a> <a href="https://example.com/">Away</a><p id="found"></p><script type="module" src="/assets/app.js"></script>`,
  "about/index.html": `<!doctype html><title>About</title><link rel="icon" href="data:,"><h1>About us</h1><a href="/">Home</a>`,
  "assets/style.css": "h1 { color: rgb(1, 2, 3) }",
  "assets/app.js": `const { name } = await (await fetch("/data.json")).json();
const route = location.pathname === "/" ? "home" : "elsewhere";
let visits = "no storage";
try { localStorage.visits = 1 + Number(localStorage.visits ?? 0); visits = localStorage.visits;
document.cookie = "own=1"; document.cookie = "wide=1; Domain=" + location.hostname.replace(/^[^.]+\\./, ""); } catch {}
document.getElementById("found").textContent = [name, route, visits, getComputedStyle(document.querySelector("h1")).color].join(" | ");`,
  "data.json": `{"name":"data"}`,
};

test("a site for the root of a host has its own host and storage, and is unavailable within 5 s of a lock", {
  tags: "nightly",
}, async () => {
  const [drop, other] = [await publishFolder(api, rooted), await publishFolder(api, rooted)];
  if (!isFolderHost(drop.raw_url)) return;
  const problems = problemsOf(page);
  const found = page.locator("#found");

  for (const visits of [1, 2]) {
    await page.goto(drop.raw_url);
    await expect.poll(() => found.innerText()).toBe(`data | home | ${visits} | rgb(1, 2, 3)`);
  }
  await page.getByRole("link", { name: "About" }).click();
  await page.getByRole("heading", { name: "About us" }).waitFor();
  await page.getByRole("link", { name: "Home" }).click();
  await expect.poll(() => found.innerText()).toContain("| home | 3 |");
  await page.goto(`${rawPageOf(drop)}?x=1#y`);
  expect(page.url()).toBe(`${drop.raw_url}?x=1#y`);
  for (const elsewhere of [other.raw_url, folderFile(drop.raw_url, "@1/")]) {
    await page.goto(elsewhere);
    await expect.poll(() => found.innerText()).toContain("| home | 1 |");
  }
  expect(problems).toEqual([]);
  // A cookie that a page set for the whole domain is not sent to any other host of the service.
  const cookies = await context.cookies([drop.raw_url, other.raw_url]);
  expect(cookies.filter(({ name }) => name === "own")).toHaveLength(2);
  const sent = await page.goto(`${ownerAddress(drop.url)}/`);
  expect(sent?.status()).toBe(200);

  await api.succeed("set-passcode", { params: { slug: drop.slug }, body: { passcode } });
  const statusOf = async () => (await page.goto(drop.raw_url))?.status();
  await expect.poll(statusOf, { timeout: 5_000 }).toBe(404);
});

test("a site for the root of a host works in the viewer's frame, where it cannot save anything", async () => {
  const drop = await publishFolder(api, rooted);
  if (!isFolderHost(drop.raw_url)) return;
  const frame = page.frameLocator("iframe");
  const found = frame.locator("#found");
  await page.goto(drop.url);

  await expect.poll(() => found.innerText()).toMatch(/^data \| home \| .* \| rgb\(1, 2, 3\)$/);
  await frame.getByRole("link", { name: "About" }).click();
  await frame.getByRole("heading", { name: "About us" }).waitFor();
  await frame.getByRole("link", { name: "Home" }).click();
  await expect.poll(() => found.innerText()).toContain("data | home");
  const [opened] = await Promise.all([
    context.waitForEvent("page"),
    frame.getByRole("link", { name: "About" }).click({ modifiers: ["ControlOrMeta"] }),
  ]);

  await opened.waitForURL(`${folderFile(drop.raw_url, "@1/")}about/`);
  expect(page.url()).toBe(drop.url);
  await expect.poll(() => page.locator("#way-out").innerText()).toContain("can’t save anything here");
});

test("the fragment of the viewer's URL applies to the entry page, but not to later pages", async () => {
  const drop = await publishFolder(api, files);
  await page.goto(`${drop.url}#found`);
  const frame = page.frameLocator("iframe");
  await frame.getByText(everything).waitFor();
  const fragment = () => frame.locator("h1").evaluate(() => location.hash);
  await expect.poll(fragment).toBe("#found");

  await frame.getByRole("link", { name: "About" }).click();
  await frame.getByText("The team").waitFor();

  expect(await fragment()).toBe("#team");
});

test("the second page stays in the frame even if the viewer missed the first page's ready message", {
  tags: "nightly",
}, async () => {
  const drop = await publishFolder(api, files);
  await context.addInitScript(() => {
    if (window.top !== window) return;
    const dropFirst = (event: MessageEvent) => {
      if (event.data?.dropleaf !== "ready") return;
      event.stopImmediatePropagation();
      removeEventListener("message", dropFirst);
    };
    addEventListener("message", dropFirst);
  });
  await page.clock.install();
  await page.goto(drop.url);
  const frame = page.frameLocator("iframe");
  await frame.getByText(everything).waitFor();

  await frame.getByRole("link", { name: "About" }).click();
  await frame.getByText("The team").waitFor();
  await page.frames()[1]?.waitForLoadState();
  // The viewer waits two seconds for the page's first message.
  await page.clock.runFor(3_000);

  expect(await page.locator("#way-out").isVisible()).toBe(false);
  expect(await frame.locator("h1").innerText()).toBe("About us");
});
