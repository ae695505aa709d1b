// @module-tag slow

import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openBrowser } from "../../support/open-browser.ts";
import { toToken, type WalkedPlaces } from "./page-walks.ts";
import { publishPlaces } from "./walked-places.ts";

let browser: Browser;
let places: WalkedPlaces;
let page: Page;

beforeAll(async () => {
  [browser, places] = await Promise.all([openBrowser(), publishPlaces()]);
});

beforeEach(async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  page = await context.newPage();
});

afterEach(() => page.context().close());

afterAll(() => browser.close());

describe("without scripts", () => {
  test("the viewer's picker opens, its links open the versions, and one click returns to the latest", {
    tags: "nightly",
  }, async () => {
    await page.goto(places.dropUrl);

    await page.locator(".versions > summary").click();
    await page.getByRole("link", { name: /^Version 1\b/ }).click();
    await page.frameLocator("iframe").getByText("the first page").waitFor();
    await page.getByRole("link", { name: "Back to the latest" }).click();
    await page.frameLocator("iframe").getByText("the second page").waitFor();

    expect(new URL(page.url()).search).toBe("");
  });

  test("the viewer's context is a page, and controls that need scripts are hidden", async () => {
    await page.goto(places.dropUrl);
    const fullScreen = await page.getByRole("button", { name: "Full screen" }).isVisible();

    await page.getByRole("link", { name: "Context" }).click();

    expect(fullScreen).toBe(false);
    expect(await page.locator("body").innerText()).toContain("Why <b>it</b> was made.");
  });

  test("an owner's page lists everything, and has no search", async () => {
    await page.goto(places.ownerUrl);

    expect(await page.getByRole("link", { name: "Release notes 2.4" }).isVisible()).toBe(true);
    expect(await page.getByRole("link", { name: /^Locked page/ }).isVisible()).toBe(true);
    expect(await page.getByRole("searchbox").isVisible()).toBe(false);
  });

  test("the passcode form reports a wrong passcode, keeps the focus, and accepts the right one", {
    tags: "nightly",
  }, async () => {
    await page.goto(places.lockedUrl);
    const words = await page.locator("main").innerText();
    const focusedField = page.getByLabel("Passcode").and(page.locator(":focus"));

    await focusedField.waitFor();
    await page.keyboard.type("wrong");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").waitFor();
    await focusedField.waitFor();
    await page.keyboard.type("open sesame");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "The secret plan" }).waitFor();

    expect(words).not.toContain("secret");
  });

  test("a person gets their own token, without a copy button", {
    tags: "nightly",
  }, async () => {
    await toToken(page, places.address, "Ada Without Scripts");

    expect(await page.locator("#token").innerText()).toMatch(/^hb_\w{36}$/);
    expect(await page.getByRole("button").count()).toBe(0);
  });
});
