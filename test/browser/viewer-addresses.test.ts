// @module-tag slow

import type { Browser, BrowserContext, FrameLocator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { DropResponse } from "../../functions/drops/schemas.ts";
import { newAccount } from "../support/accounts.ts";
import type { ApiClient } from "../support/client.ts";
import { publishFolder } from "../support/folders.ts";
import { openBrowser } from "../support/open-browser.ts";
import { folderFile } from "../support/owner-address.ts";

const passcode = "open sesame";
const files = {
  "index.html": `<!doctype html><title>Start</title><h1>Entry</h1><a href="guide/">Guide</a>
<form action="found.html"><input name="q" value="a b"><input name="v" value="9"><button>Find</button></form>`,
  "guide/index.html": `<!doctype html><title>The guide</title><h1>Guide</h1><a href="%C3%BC%20x.html#low">Next</a>`,
  "guide/ü x.html": `<!doctype html><title>Next page</title><h1>The next</h1><a href="#top">To the top</a> <a href="../">Home</a>
<div style="height: 5000px"></div><h2 id="low">Low</h2>`,
  "found.html": `<!doctype html><title>Found</title><h1>Results</h1><p id="o"></p><script>o.textContent = location.search</script>`,
  "app.html": `<!doctype html><title>App</title><h1>App</h1><button onclick="history.pushState({}, '', 'orders/7?x=1')">Order</button>`,
  "hostile.html": `<!doctype html><title>Hostile</title><h1>Hostile</h1><script>
// After our own script has reported the page's address.
onload = () => {
for (const address of ["/p/x/raw/@1/../../../../login", "/raw/@1/%2e%2e/%2E%2e/login", "https://evil.example/raw/@1/../../login",
  "/raw/@1/..\\\\..\\\\login", "/raw/@1//evil.example", "/raw/@1/x/../../y", "javascript:/raw/@1/x", 7, null, "/login", "/raw/@1/%", "/raw/@k/"])
  parent.postMessage({ dropleaf: "at", address, title: { toString: null }, isArrival: false }, "*");
parent.postMessage({ dropleaf: "at", address: "/raw/@1/last", title: "T".repeat(9_999), isArrival: false }, "*");
}
</script>`,
};

let browser: Browser;
let api: ApiClient;
let drop: DropResponse;
let context: BrowserContext;
let page: Page;
let frame: FrameLocator;

beforeAll(async () => {
  browser = await openBrowser();
  ({ api } = await newAccount("addresses"));
  drop = await publishFolder(api, files, { title: "The drop" });
});
afterAll(() => browser.close());

beforeEach(async () => {
  context = await browser.newContext();
  page = await context.newPage();
  frame = page.frameLocator("#page");
});
afterEach(() => context.close());

/** Expects the page with this heading in the frame, and its path and title in the viewer. */
async function expectAt(heading: string, path: string, title: string, viewer = drop.url): Promise<void> {
  await frame.getByRole("heading", { name: heading }).first().waitFor();
  await expect.poll(() => page.url().replace(viewer, "")).toBe(path);
  await expect.poll(() => page.title()).toContain(title);
}

async function walk(viewer: string): Promise<void> {
  const at = (heading: string, path: string, title: string) => expectAt(heading, path, title, viewer);
  await frame.getByText("Guide").click();
  await at("Guide", "/guide/", "The guide");
  await frame.getByText("Next").click();
  await at("The next", "/guide/%C3%BC%20x.html#low", "Next page");
}

test("the viewer's URL follows the reader through the folder, with one history entry for each page", async () => {
  await api.succeed("edit-drop", { params: { slug: drop.slug }, body: { feedback: "readers" } });
  await page.goto(drop.url);
  await expectAt("Entry", "", "The drop");

  await walk(drop.url);
  const linkOf = (selector: string) =>
    page.locator(selector).evaluate((link) => (link as HTMLAnchorElement).href);
  expect(await linkOf("#copy-link")).toBe(`${drop.url}/guide/%C3%BC%20x.html`);
  expect(await linkOf("#raw")).toBe(folderFile(drop.raw_url, "guide/%C3%BC%20x.html"));
  expect(await linkOf("#comments-toggle")).toMatch(/\/feedback\?path=guide%2F%C3%BC\+x\.html$/);
  await page.reload();
  await expectAt("The next", "/guide/%C3%BC%20x.html#low", "Next page");
  await expect
    .poll(() => frame.locator("#low").evaluate((low) => low.getBoundingClientRect().top < innerHeight))
    .toBe(true);

  await page.evaluate("history.back()");
  await expectAt("Guide", "/guide/", "The guide");
  await page.evaluate("history.back()");
  await expectAt("Entry", "", "The drop");
  await page.evaluate("history.forward()");
  await expectAt("Guide", "/guide/", "The guide");

  const other = await context.newPage();
  await other.goto(page.url());
  await other.frameLocator("#page").getByRole("heading", { name: "Guide" }).waitFor();
});

test("going back from a fragment does not reload the page", async () => {
  const html = `<!doctype html><title>T</title><a href="#x">To X</a><p id="x">X</p><script>x.title = Math.random()</script>`;
  const long = await publishFolder(api, { "index.html": html });
  await page.goto(long.url);
  const openedAt = () => frame.locator("#x").getAttribute("title");
  const before = await openedAt();
  await frame.getByRole("link").click();
  await expect.poll(() => page.url()).toBe(`${long.url}#x`);

  await page.evaluate(() => history.back());
  await expect.poll(() => page.url()).toBe(long.url);
  // The viewer waits two seconds for the page's first message.
  await page.waitForTimeout(3_500);

  expect(await openedAt()).toBe(before);
  expect(await page.locator("#way-out").isVisible()).toBe(false);
});

test("the viewer's URL contains the page's own query and path from pushState, and the pinned version", async () => {
  await page.goto(`${drop.url}?v=1#top`);
  await frame.getByText("Find").click();
  await expectAt("Results", "/found.html?v=1&q=a+b", "Found");
  await page.reload();
  await frame.getByText("?q=a+b", { exact: true }).waitFor();

  await page.goto(`${drop.url}/app.html`);
  await frame.getByText("Order").click();
  await expectAt("App", "/orders/7?x=1", "App");
  await page.evaluate("history.back()");
  await expectAt("App", "/app.html", "App");
});

test("a page can set the URL only to a path of its own folder", async () => {
  await page.goto(`${drop.url}/hostile.html`);

  await expect.poll(() => page.url()).toBe(`${drop.url}/last`);
  expect((await page.title()).length).toBeLessThan(250);
  const seen = await page.evaluate(async () => {
    const addresses: string[] = [];
    const { replaceState } = history;
    history.replaceState = (...given) => {
      replaceState.apply(history, given);
      addresses.push(location.href);
    };
    const frame = document.getElementById("page") as HTMLIFrameElement;
    frame.src += "";
    while (!addresses.some((one) => one.endsWith("/last"))) await new Promise((done) => setTimeout(done, 50));
    return addresses;
  });
  for (const address of seen) expect(address).toMatch(new RegExp(`^${drop.url}(/[^/]|$)`));
});

test("the viewer's URL follows the reader through a locked folder, without the key of its files", async () => {
  const locked = await publishFolder(api, files, { title: "The drop" });
  await api.succeed("set-passcode", { params: { slug: locked.slug }, body: { passcode } });
  await page.goto(`${locked.url}/guide/`);
  await page.getByLabel("Passcode").fill(passcode);
  await page.getByRole("button", { name: "Open" }).click();
  await frame.getByRole("heading", { name: "Guide" }).waitFor();
  const viewer = page.url().replace(/\/guide\/$/, "");
  expect(viewer).toMatch(new RegExp(`/d/${locked.slug}$`));

  await frame.getByText("Next").click();
  await expectAt("The next", "/guide/%C3%BC%20x.html#low", "Next page", viewer);
  await frame.getByText("Home").click();
  await expectAt("Entry", "", "The drop", viewer);
  await walk(viewer);
});
