import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { DropResponse } from "../../functions/drops/schemas.ts";
import { type Account, newAccount, publish } from "../support/accounts.ts";
import { complaintsOf } from "../support/browser.ts";
import { baseUrl } from "../support/http.ts";
import { openBrowser } from "../support/open-browser.ts";
import { toOwnPage } from "./pages/page-walks.ts";

let browser: Browser;
let owner: Account;
let drop: DropResponse;
let page: Page;
let complaints: string[];

const html = "<!doctype html><title>Harbour</title><h1>Harbour bikes</h1>";

beforeAll(async () => {
  browser = await openBrowser();
  owner = await newAccount("sharer");
});
afterEach(() => page.context().close());
afterAll(() => browser.close());

const look = () => owner.api.succeed("get-drop", { params: { slug: drop.slug } });
const panel = () => page.locator("#share");
const shareButton = (role: "button" | "link" = "button") =>
  page.getByRole("banner").getByRole(role, { name: "Share", exact: true });

/** Opens a new drop's viewer in a window where the owner is signed in. */
async function openViewer(width: number, options: BrowserContextOptions = {}): Promise<void> {
  drop = await publish(owner.api, { html, title: "Harbour bikes" });
  const context = await browser.newContext({ viewport: { width, height: 740 }, ...options });
  page = await context.newPage();
  await toOwnPage(page, `${baseUrl()}/account`, owner.username);
  complaints = complaintsOf(page);
  await page.goto(`${baseUrl()}/p/${drop.slug}`);
}

function focusedId(): Promise<string> {
  return page.evaluate("document.activeElement.id");
}

describe.each([1440, 360])("the Share button at %i px", (width) => {
  test("shares the page by keyboard without leaving it, and Escape returns to the button", async () => {
    await openViewer(width);
    const address = page.url();
    const frame = page.frameLocator("iframe");
    await frame.getByText("Harbour bikes").waitFor();

    await shareButton().focus();
    await page.keyboard.press("Enter");
    await panel().getByText("Anyone. Shared this way since").waitFor();
    expect(await shareButton().getAttribute("aria-expanded")).toBe("true");
    expect(await focusedId()).toBe("share");

    await panel().getByLabel("Named people").focus();
    await page.keyboard.press("Space");
    await panel().getByLabel("People", { exact: true }).focus();
    await page.keyboard.type("ada@example.com");
    await panel().getByRole("button", { name: "Save sharing settings" }).focus();
    await page.keyboard.press("Enter");
    await panel().getByText("Saved.").waitFor();

    expect(await look()).toMatchObject({ visibility: "people", readers: ["ada@example.com"] });
    await panel().getByText("ada@example.com. Readers have to sign in.").waitFor();
    expect(page.url()).toBe(address);
    await page.keyboard.press("Escape");
    expect(await panel().isVisible()).toBe(false);
    expect(await focusedId()).toBe("share-toggle");
    expect(complaints).toEqual([]);
  });

  test("fits into the window, and so does its panel", async () => {
    await openViewer(width);

    await shareButton().click();
    await panel().getByRole("button", { name: "Save sharing settings" }).waitFor();

    for (const part of [shareButton(), panel(), panel().getByRole("button", { name: "Copy link" })]) {
      const box = await part.boundingBox();
      expect(box?.x).toBeGreaterThanOrEqual(0);
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
    }
    const [scrollWidth, clientWidth] = await page.evaluate<number[]>(
      "(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth])(document.querySelector('#share'))",
    );
    expect(scrollWidth).toBe(clientWidth);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
  });
});

test("a refused form keeps the input in the panel", { tags: "slow" }, async () => {
  await openViewer(1440);
  await shareButton().click();

  await panel().getByLabel("Named people").check();
  await panel().getByLabel("People", { exact: true }).fill("not a name");
  await panel().getByRole("button", { name: "Save sharing settings" }).click();

  await panel().getByRole("alert").getByText("“not a name” is no").waitFor();
  expect(await panel().getByLabel("People", { exact: true }).inputValue()).toBe("not a name");
  expect(await look()).toMatchObject({ visibility: "public" });
});

test("a reopened panel shows the current readers", { tags: "slow" }, async () => {
  await openViewer(1440);
  await shareButton().click();
  await panel().getByText("Anyone. Shared this way since").waitFor();
  await page.keyboard.press("Escape");

  await owner.api.succeed("edit-drop", { params: { slug: drop.slug }, body: { visibility: "members" } });
  await shareButton().click();

  await panel().getByText("Members of this service. Readers have to sign in.").waitFor();
});

test("without scripts, the button is a link to a sharing page, which links back", {
  tags: "slow",
}, async () => {
  await openViewer(360, { javaScriptEnabled: false });
  const address = page.url();

  await shareButton("link").click();
  await page.getByRole("heading", { name: "Share", exact: true }).waitFor();
  await page.getByLabel("Anyone with the link").check();
  await page.getByRole("button", { name: "Save sharing settings" }).click();
  await page.getByText("Saved.").waitFor();
  await page.getByRole("link", { name: "Back to the page" }).click();

  expect(page.url()).toBe(address);
  expect(await shareButton("link").isVisible()).toBe(true);
  expect(await look()).toMatchObject({ visibility: "unlisted" });
});

test("on the owner's host, where no one is signed in, a link leads to the sharing page and back", {
  tags: "slow",
}, async () => {
  await openViewer(1440);
  await owner.api.succeed("publish-version", { params: { slug: drop.slug }, body: { html } });
  await page.goto(`${drop.url}?v=1`);
  expect(await shareButton().count()).toBe(0);

  await page.getByRole("heading", { name: "Harbour bikes" }).first().click();
  await page.getByRole("link", { name: "Is this your page?" }).click();
  await page.getByRole("link", { name: "Back to the page" }).click();

  await page.frameLocator("iframe").getByText("Harbour bikes").waitFor();
  expect(page.url()).toBe(`${drop.url}?v=1`);
});
