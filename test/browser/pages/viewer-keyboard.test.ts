import type { Browser, Page } from "playwright-core";
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

/** The stops of the Tab key, in order, by what a screen reader would say. */
const stops = {
  wide: [
    /^Harbour bikes/,
    /^by walks-/,
    /^Version 2$/,
    /^Context$/,
    /^Raw page$/,
    /^Copy link$/,
    /^Print$/,
    /^Full screen$/,
  ],
  narrow: [/^Harbour bikes/, /^by walks-/, /^v2$/, /^More$/],
};

describe("the viewer by keyboard alone", () => {
  test.each([
    ["wide", 1440],
    ["narrow", 360],
  ] as const)(
    "%s: every control of the bar is a stop of Tab, in order, and shows its focus",
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

  test("Enter opens the picker, Tab goes through the versions, Enter opens one, and the notice leads back", async () => {
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
  ])("Escape closes what %s opened, and the focus is back on it", async (name, panel) => {
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
  ])(
    "%s at %i pixels shows the context and moves into it; Escape closes it and goes back",
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

  test("Enter on the copy link puts the permanent address into the clipboard, and says so", async () => {
    await openViewer(1440);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await tabTo(/^Copy link$/);

    await page.keyboard.press("Enter");
    await page.getByText("Link copied").waitFor();

    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(places.dropUrl);
  });
});

async function openViewer(width: number): Promise<string[]> {
  const context = await browser.newContext({ viewport: { width, height: 740 } });
  page = await context.newPage();
  const complaints = complaintsOf(page);
  await page.goto(places.dropUrl);
  await page.frameLocator("iframe").getByText("the second page").waitFor();
  return complaints;
}

/** Presses Tab until the control has the focus, as someone who listens for its name would. */
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
