// @module-tag slow

import type { Browser, Frame, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Account, newAccount, publish } from "../support/accounts.ts";
import { publishFolder } from "../support/folders.ts";
import { openBrowser } from "../support/open-browser.ts";
import { ownerAddress } from "../support/owner-address.ts";
import { InspectedPage, narrowWindow, nothingFound, wideWindow } from "./pages/inspected-page.ts";

let browser: Browser;
let account: Account;
let opened: InspectedPage;
let page: Page;

beforeAll(async () => {
  [browser, account] = await Promise.all([openBrowser(), newAccount("compared")]);
  opened = await InspectedPage.open(browser, {});
  ({ page } = opened);
});

beforeEach(() => opened.clear(narrowWindow));

afterAll(() => browser.close());

const report = (body: string, head = "") =>
  `<!doctype html><html lang="en"><head><title>Harbour</title>${head}</head><body><h1>Harbour</h1>${body}</body></html>`;
const before = report("<p>Twelve <b>green</b> leaves fell.</p><p>Gone in summer.</p>");
const after = report("<p>Thirteen <b>green</b>\n leaves fell.</p>");

/** Publishes two versions and opens their comparison. */
async function compare(first: string, second: string, fields: object = {}): Promise<void> {
  const { slug, url } = await publish(account.api, { html: first, ...fields });
  await account.api.succeed("publish-version", { params: { slug }, body: { html: second } });
  await page.goto(`${ownerAddress(url)}/p/${slug}/compare`);
}

/** Returns the frames of the two versions after their pages have loaded. */
async function frames(): Promise<readonly [before: Frame, after: Frame]> {
  const [one, two] = page.frames().filter((frame) => frame !== page.mainFrame());
  if (one === undefined || two === undefined) throw new Error("The comparison has no two frames.");
  await Promise.all([one.waitForLoadState(), two.waitForLoadState()]);
  return [one, two];
}

/** Returns the marked passages of a page. */
function marksOf(frame: Frame): Promise<readonly string[]> {
  return frame.evaluate(`[...(CSS.highlights.get("dropleaf-mark") ?? [])].map(String)`);
}

describe.each([
  ["narrow", narrowWindow],
  ["wide", wideWindow],
])("in a %s window", (_, size) => {
  beforeEach(() => page.setViewportSize(size));

  test("the changed words of both pages are marked without changing the pages", async () => {
    await compare(before, after);
    const [one, two] = await frames();

    expect(await marksOf(one)).toEqual(["Twelve", "Gone in summer."]);
    expect(await marksOf(two)).toEqual(["Thirteen"]);
    expect(await two.evaluate("document.body.outerHTML")).toBe(after.slice(after.indexOf("<body>"), -7));
    expect(await two.evaluate("[name, location.hash]")).toEqual(["", ""]);
    for (const time of await page.locator("time").allTextContents()) expect(time).toMatch(/^now$| ago$/);
    expect(await opened.inspect(undefined, ["light", "dark"])).toEqual(nothingFound);
  });
});

test("a narrow window shows one page at a time, the later one first, and a wide window shows both", async () => {
  await compare(before, after);
  const [one, two] = await frames();
  const isVisible = async (frame: Frame) => (await frame.frameElement()).isVisible();

  expect([await isVisible(one), await isVisible(two)]).toEqual([false, true]);
  await page.getByText("Before").click();
  expect([await isVisible(one), await isVisible(two)]).toEqual([true, false]);
  await page.setViewportSize(wideWindow);
  expect([await isVisible(one), await isVisible(two)]).toEqual([true, true]);
});

test("both pages open at their first change, and the comparison stays at its top", async () => {
  const filler = "<p style='height:3000px'>The same.</p>";
  await compare(report(`${filler}<p>End.</p>`), report(`${filler}<p>New here.</p><p>End.</p>`));
  const [one, two] = await frames();

  for (const frame of [one, two]) expect(await frame.evaluate("scrollY")).toBeGreaterThan(2_000);
  expect(await page.evaluate("scrollY")).toBe(0);
});

test("words are marked even if scripts have added to the page or replaced its elements", async () => {
  const writing =
    "<script>addEventListener('DOMContentLoaded',()=>{document.body.prepend('Twelve o’clock. ');" +
    "for(const p of document.querySelectorAll('p'))p.replaceWith(p.cloneNode(true))})</script>";
  await compare(report("<p>Twelve leaves fell.</p>", writing), report("<p>Ten leaves fell.</p>", writing));
  const [one, two] = await frames();

  expect(await marksOf(one)).toEqual(["Twelve"]);
  expect(await one.evaluate(`[...CSS.highlights.get("dropleaf-mark")][0].startOffset`)).toBe(0);
  expect(await marksOf(two)).toEqual(["Ten"]);
});

test("a comparison of folders marks the words of their entry pages", async () => {
  const { slug, url } = await publishFolder(account.api, { "index.html": before });
  await publishFolder(account.api, { "index.html": after }, { slug });
  await page.goto(`${ownerAddress(url)}/p/${slug}/compare`);
  const [one, two] = await frames();

  expect(await marksOf(one)).toEqual(["Twelve", "Gone in summer."]);
  expect(await marksOf(two)).toEqual(["Thirteen"]);
});

test("a page that removes or imitates marks changes nothing outside its frame", async () => {
  const hostile = report(
    "<p>Thirteen <mark>green</mark> leaves fell.</p><del>Removed</del>",
    `<style>::highlight(dropleaf-mark){background:none!important;color:inherit}</style><script>
      setInterval(() => { CSS.highlights.clear(); document.adoptedStyleSheets = []; });
      name = 'dropleaf-marks:{"style":"","marks":[[0,"",0,9e9],[-5,"HARBOUR",1e9,-1]]}';
      for (const data of [{ dropleaf: "marks", marks: [] }, { dropleaf: "height", px: 9 }])
        for (const one of [parent, parent[0], parent[1]]) one.postMessage(data, "*");
      if (performance.getEntriesByType("navigation")[0].type !== "reload") location.reload();
    </script>`,
  );
  await compare(before, hostile);
  const [one, two] = await frames();
  await two.waitForFunction("CSS.highlights.size === 0");

  expect(await marksOf(one)).toEqual(["Twelve", "Gone in summer."]);
  expect(await page.locator(".changes").innerText()).toMatch(/^2 changes in the text\./);
  expect(await page.locator("iframe").count()).toBe(2);
});
