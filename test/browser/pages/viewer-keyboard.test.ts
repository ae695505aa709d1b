// @module-tag nightly

import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { complaintsOf } from "../../support/browser.ts";
import { openBrowser } from "../../support/open-browser.ts";
import type { WalkedPlaces } from "./page-walks.ts";
import { publishPlaces } from "./walked-places.ts";

let browser: Browser;
let places: WalkedPlaces;
let page: Page;

beforeAll(async () => {
  [browser, places] = await Promise.all([openBrowser(), publishPlaces()]);
});

afterEach(() => page.context().close());

afterAll(() => browser.close());

/** Accessible names of the tab stops, in order. */
const stops = {
  wide: [
    ...[/^Harbour bikes/, /^by walks-/, /^Version 2$/, /^Context$/],
    ...[/^Comments$/, /^Copy link$/, /^Page only$/, /^More$/],
  ],
  narrow: [/^Harbour bikes/, /^by walks-/, /^v2$/, /^More$/],
};

/** Script with a share sheet that its user cancels. */
const refusedShareSheet = `
  globalThis.shared = undefined;
  navigator.share = async (data) => {
    globalThis.shared = data;
    throw new DOMException("Share canceled", "AbortError");
  };`;

describe("the viewer by keyboard alone", () => {
  test.each([
    ["wide", 1440],
    ["narrow", 360],
  ] as const)(
    "%s: every control of the bar is a tab stop, in order, and shows its focus",
    async (kind, width) => {
      await openViewer(width);

      const reached: { readonly name: string; readonly outline: string }[] = [];
      for (const _ of stops[kind]) {
        await page.keyboard.press("Tab");
        reached.push(await focused());
      }
      await page.keyboard.press("Tab");

      expect(reached.map(({ name }) => name)).toEqual(stops[kind].map((name) => expect.stringMatching(name)));
      expect(reached.map(({ outline }) => outline)).toEqual(stops[kind].map(() => "solid 3px"));
      expect((await focused()).element).toBe("IFRAME");
    },
  );

  test("Enter opens the picker and a version that Tab reached, and the notice leads back to the latest", async () => {
    await openViewer(1440);
    await tabTo(/^Version 2$/);

    await page.keyboard.press("Enter");
    await tabTo(/^Version 1/);
    await page.keyboard.press("Enter");
    await page.frameLocator("iframe").getByText("the first page").waitFor();
    const older = page.url();
    await tabTo(/^Back to the latest$/);
    await page.keyboard.press("Enter");
    await page.frameLocator("iframe").getByText("the second page").waitFor();

    expect(older).toBe(`${places.dropUrl}?v=1`);
  });

  test.each([
    [/^Version 2$/, ".versions .panel"],
    [/^Harbour bikes/, ".about .panel"],
  ] as const)("Escape closes what %s opened, and returns the focus to it", async (name, panel) => {
    await openViewer(1440);
    await tabTo(name);
    await page.keyboard.press("Enter");
    await page.locator(panel).waitFor();
    await page.keyboard.press("Tab");

    await page.keyboard.press("Escape");

    await page.locator(panel).waitFor({ state: "hidden" });
    expect((await focused()).name).toMatch(name);
  });

  test.each([
    ["Enter", 1440, /^Context$/],
    ["Space", 1440, /^Context$/],
    ["Enter", 360, /^More$/],
  ] as const)(
    "%s at %i pixels shows the context and focuses it, and Escape closes it and returns the focus",
    async (key, width, back) => {
      const complaints = await openViewer(width);
      if (width === 360) {
        await tabTo(/^More$/);
        await page.keyboard.press("Enter");
      }
      await tabTo(/^Context$/);

      await page.keyboard.press(key);
      const panel = page.getByRole("complementary", { name: "Context" });
      await panel.getByText("Why <b>it</b> was made.").waitFor();
      const inside = (await focused()).element;
      await page.keyboard.press("Escape");
      await panel.waitFor({ state: "hidden" });

      expect(inside).toBe("ASIDE");
      expect((await focused()).name).toMatch(back);
      expect(complaints).toEqual([]);
    },
  );

  test("Enter on the copy link copies the permanent URL to the clipboard, and confirms it", async () => {
    await openViewer(1440);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await tabTo(/^Copy link$/);

    await page.keyboard.press("Enter");
    await page.getByText("Link copied").waitFor();

    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(places.dropUrl);
  });

  test("single keys work as the dialog describes, until they are turned off there", async () => {
    await openViewer(1440);
    const dialog = page.getByRole("dialog", { name: "Shortcuts" });

    await page.keyboard.press("v");
    await page.locator(".versions .panel").waitFor();
    await page.keyboard.press("c");
    await page.getByRole("complementary", { name: "Context" }).waitFor();
    await page.keyboard.press("j");
    await page.frameLocator("iframe").getByText("the first page").waitFor();
    await page.keyboard.press("k");
    await page.frameLocator("iframe").getByText("the second page").waitFor();
    await page.keyboard.press("?");
    await dialog.getByText("Newer", { exact: true }).waitFor();
    await dialog.getByLabel("Use shortcuts").uncheck();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    await page.reload();
    await page.frameLocator("iframe").getByText("the second page").waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("?");

    expect(page.url()).toBe(`${places.dropUrl}?`);
    expect(await dialog.isVisible()).toBe(false);
    await tabTo(/^More$/);
    await page.keyboard.press("Enter");
    await tabTo(/^Shortcuts$/);
    await page.keyboard.press("Enter");
    await dialog.getByLabel("Use shortcuts").check();
    await dialog.getByRole("button", { name: "Close" }).click();
    await page.keyboard.press("j");
    await page.frameLocator("iframe").getByText("the first page").waitFor();
  });

  test("a key typed into a field, or with a modifier, triggers nothing", async () => {
    await openViewer(1440);
    await page.evaluate(
      "document.body.append(Object.assign(document.createElement('input'), { id: 'typed' }))",
    );

    await page.keyboard.press("Control+j");
    await page.locator("#typed").press("j");

    expect(await page.locator("#typed").inputValue()).toBe("j");
    expect(page.url()).toBe(places.dropUrl);
  });
});

describe("the viewer", () => {
  test("shows relative times, and the time in the reader's time zone on hover", async () => {
    await openViewer(1440, { timezoneId: "Asia/Kathmandu" });

    const [shown, local, iso] = await page.evaluate<string[]>(
      "(({ textContent, title, dateTime }) => [textContent, title, dateTime])(document.querySelector('.by time'))",
    );

    const zone = { dateStyle: "medium", timeStyle: "short", timeZone: "Asia/Kathmandu" } as const;
    expect(shown).toMatch(/^(now|\d+ minutes? ago)$/);
    expect(local).toBe(new Date(iso ?? "").toLocaleString("en-GB", zone));
  });

  test("passes the permanent URL to the system's share sheet, and ignores a cancellation", async () => {
    const complaints = await openViewer(360, { hasShareSheet: true });
    await page.getByLabel("More").click();

    await page.getByRole("button", { name: "Send link" }).click();

    expect(await page.evaluate("shared")).toEqual({ title: await page.title(), url: places.dropUrl });
    expect(complaints).toEqual([]);
  });
});

async function openViewer(
  width: number,
  { hasShareSheet = false, ...options }: BrowserContextOptions & { readonly hasShareSheet?: boolean } = {},
): Promise<string[]> {
  const context = await browser.newContext({ viewport: { width, height: 740 }, ...options });
  page = await context.newPage();
  if (hasShareSheet) await page.addInitScript(refusedShareSheet);
  const complaints = complaintsOf(page);
  await page.goto(places.dropUrl);
  await page.frameLocator("iframe").getByText("the second page").waitFor();
  return complaints;
}

/** Presses Tab until the control with this name has the focus. */
async function tabTo(name: RegExp): Promise<void> {
  for (let presses = 0; presses < 20; presses += 1) {
    await page.keyboard.press("Tab");
    if (name.test((await focused()).name)) return;
  }
  throw new Error(`Twenty presses of Tab did not lead to ${name}.`);
}

async function focused(): Promise<{
  readonly element: string;
  readonly name: string;
  readonly outline: string;
}> {
  return page.evaluate(`(() => {
    const element = document.activeElement;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    const name = element.ariaLabel ?? element.innerText ?? "";
    return { element: element.tagName, name: name.trim(), outline: outlineStyle + " " + outlineWidth };
  })()`);
}
