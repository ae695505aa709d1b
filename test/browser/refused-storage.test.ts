// @module-tag slow

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Account, newAccount, publish } from "../support/accounts.ts";
import { openBrowser } from "../support/open-browser.ts";

let browser: Browser;
let account: Account;

beforeAll(async () => {
  browser = await openBrowser();
  account = await newAccount("storage");
});

afterAll(() => browser.close());

const uses = [
  ["localStorage", "<script>localStorage.best = 1</script>"],
  ["a database", "<script>indexedDB.open('games')</script>"],
  ["storage in a promise that nothing catches", "<script>(async () => sessionStorage.best)()</script>"],
] as const;

describe("a page in the viewer whose script stops at", () => {
  test.each(uses)("%s shows how to open it on its own, where it works", async (_what, script) => {
    const page = await openViewer(script);

    const link = page.getByRole("link", { name: "This page needs storage, which the viewer does not give" });
    await link.waitFor();

    const [alone] = await Promise.all([page.context().waitForEvent("page"), link.click()]);
    const errors: string[] = [];
    alone.on("pageerror", ({ message }) => errors.push(message));
    // A reload before the first load is over would stop it, and no load would follow.
    await alone.getByText("Here").waitFor();
    await alone.reload();
    await alone.getByText("Here").waitFor();
    expect(errors).toEqual([]);
  });

  test("storage that it tries, or at an error of its own, shows nothing", async () => {
    const page = await openViewer(`<script>try { localStorage.best = 1 } catch {}</script>
      <script>setTimeout(() => { throw new Error('mine') })</script>
      <script>setTimeout(() => document.body.append("Later"), 50)</script>`);

    await page.frameLocator("iframe").getByText("Later").waitFor();

    expect(await page.locator("#way-out").isVisible()).toBe(false);
  });

  test("storage says so without a link if the page has none on its own either", async () => {
    const { slug, url } = await publish(account.api, {
      html: `<!doctype html><title>Game</title><p>Here</p>${uses[0][1]}`,
      passcode: "open sesame",
    });
    const page = await browser.newPage();
    await page.goto(url);
    await page.getByLabel(/passcode/i).fill("open sesame");
    await page.keyboard.press("Enter");

    const notice = page.getByText("This page needs storage, which it does not have here");
    await notice.waitFor();

    expect(page.url()).toContain(slug);
    expect(await notice.getAttribute("href")).toBeNull();
  });
});

async function openViewer(script: string): Promise<Page> {
  const { url } = await publish(account.api, {
    html: `<!doctype html><title>Game</title><p>Here</p>${script}`,
  });
  const page = await browser.newPage();
  await page.goto(url);
  await page.frameLocator("iframe").getByText("Here").waitFor();
  return page;
}
