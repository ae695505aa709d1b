// @module-tag slow

import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DropResponse } from "../../../functions/drops/schemas.ts";
import { newAccount, pageOf, publish } from "../../support/accounts.ts";
import { publishFolder } from "../../support/folders.ts";
import { openBrowser } from "../../support/open-browser.ts";
import { slowAndNightly } from "../../support/quick-and-slow.ts";
import { type ReadingWay, readingWays } from "./reading-ways.ts";

const words = "words behind the gate";
const passcode = "open sesame";

let browser: Browser;
/** Context of a visitor who has unlocked the locked drop. */
let visitor: BrowserContext;
let hostile: DropResponse;
let drops: Readonly<Record<"locked" | "open", DropResponse>>;
let folder: DropResponse;

beforeAll(async () => {
  const { api } = await newAccount("isolated");
  const fields = { html: pageOf(words), title: words, description: words, context: words };
  hostile = await publish(api, { html: pageOf("a hostile page") });
  drops = { locked: await publish(api, { ...fields, passcode }), open: await publish(api, fields) };
  folder = await publishFolder(api, { "index.html": pageOf(words), "words.txt": words });
  await api.succeed("set-passcode", { params: { slug: folder.slug }, body: { passcode } });
  browser = await openBrowser();
  visitor = await browser.newContext();
  await unlock(await visitor.newPage(), drops.locked.url);
  await unlock(await visitor.newPage(), folder.url);
});

afterAll(() => browser.close());

const places = [
  "raw page",
  "viewer",
  "viewer's other address",
  "context",
  "folder",
  "file of a folder",
] as const;

/** What the hostile page read, by way and target. */
const readings = new Map<string, string>();

for (const { cases, options } of readingWays)
  describe("a page of the same owner", options, () => {
    beforeAll(async () => {
      await Promise.all(cases.map(tryWay));
    });

    describe.each(cases)("with $name", ({ name }) => {
      test("can read the raw page of a public drop", () => {
        expect(readings.get(`${name} of an open drop`)).toContain(words);
      });

      test.each(places)("cannot read the %s of a locked drop", (place) => {
        const read = readings.get(`${name} of a locked ${place}`);

        expect(read).toEqual(expect.any(String));
        expect(read).not.toContain(words);
        expect(read).not.toBe("no result");
      });
    });
  });

for (const { cases, options } of slowAndNightly(
  places,
  (place) => place === "raw page" || place === "viewer",
))
  test.each(cases)(
    "a page of the same owner cannot read the %s of a locked drop in the window that opened it",
    options,
    async (place) => {
      const page = await visitor.newPage();
      await page.goto(hostile.raw_url);
      const opening = page.waitForEvent("popup");
      await page.evaluate(`void open(${JSON.stringify(hostile.raw_url)})`);
      const opened = await opening;
      await opened.waitForLoadState();
      const before = await opened.evaluate("opener.document.body.innerText");

      await page.goto(addressOf(drops.locked, place));

      const read =
        "(() => { try { return opener.document.body.innerText } catch (error) { return error.name } })()";
      expect(before).toContain("a hostile page");
      expect(["SecurityError", "TypeError"]).toContain(await opened.evaluate(read));
    },
  );

describe("the viewer of a locked drop", () => {
  test("shows the page and its context to a reader who has unlocked it", async () => {
    const page = await visitor.newPage();

    await page.goto(drops.locked.url);
    await page.frameLocator("iframe").getByText(words).waitFor();
    await page.getByRole("button", { name: "Context", exact: true }).click();
    await page.locator("#context > div").getByText(words).waitFor();
  });

  test("opens its context and its raw page in their own windows, without an origin", async () => {
    const context = await visitor.newPage();
    const raw = await visitor.newPage();

    await context.goto(addressOf(drops.locked, "context"));
    await raw.goto(addressOf(drops.locked, "raw page"));

    for (const page of [context, raw]) {
      await page.getByText(words).waitFor();
      expect(await page.evaluate("window.origin")).toBe("null");
    }
  });
});

/** Has the hostile page read an open drop and every place of a locked drop in one way. */
async function tryWay({ name, script }: ReadingWay): Promise<void> {
  const page = await visitor.newPage();
  await page.goto(hostile.raw_url);
  const read = async (address: string) => String(await page.evaluate(script(address)));
  readings.set(`${name} of an open drop`, await read(addressOf(drops.open, "raw page")));
  for (const place of places) {
    readings.set(`${name} of a locked ${place}`, await read(addressOf(drops.locked, place)));
  }
  await page.close();
}

function addressOf({ slug, url }: DropResponse, place: (typeof places)[number]): string {
  const paths = {
    "raw page": `/p/${slug}/raw`,
    viewer: `/p/${slug}`,
    "viewer's other address": `/d/${slug}`,
    context: `/p/${slug}/context?v=1`,
    folder: `/p/${folder.slug}/raw/@1-framed/`,
    "file of a folder": `/p/${folder.slug}/raw/words.txt`,
  };
  return new URL(paths[place], url).href;
}

async function unlock(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.getByLabel("Passcode").fill(passcode);
  await page.getByRole("button").click();
  await page.frameLocator("iframe").getByText(words).waitFor();
}
