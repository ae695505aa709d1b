// @module-tag slow

import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DropResponse } from "../../../functions/drops/schemas.ts";
import { newAccount, pageOf, publish } from "../../support/accounts.ts";
import { publishFolder } from "../../support/folders.ts";
import { baseUrl } from "../../support/http.ts";
import { openBrowser } from "../../support/open-browser.ts";
import { onBaseHost } from "../../support/owner-address.ts";
import { commonWays, type ReadingWay } from "./reading-ways.ts";

const words = "words for members";

let browser: Browser;
/** Context of a signed-in reader. */
let reader: BrowserContext;
let hostile: DropResponse;
let shared: DropResponse;
let alsoShared: DropResponse;
let folder: DropResponse;

beforeAll(async () => {
  const { api } = await newAccount("shares");
  const fields = { html: pageOf(words), title: words, description: words, context: words };
  hostile = await publish(api, { html: pageOf("a hostile page") });
  shared = await publish(api, { ...fields, visibility: "members" });
  alsoShared = await publish(api, { ...fields, visibility: "members" });
  const files = { "index.html": pageOf(words), "words.txt": words };
  folder = await publishFolder(api, files, { visibility: "members" });
  browser = await openBrowser();
  reader = await browser.newContext();
  await signInToRead(await reader.newPage(), shared.url);
});

afterAll(() => browser.close());

const places = ["raw page", "viewer", "context", "folder", "file of a folder"] as const;

/** What the hostile page read, by way and place. */
const readings = new Map<string, string>();

describe("a page of the same owner", () => {
  beforeAll(async () => {
    await Promise.all(commonWays.map(tryWay));
  });

  describe.each(commonWays)("with $name", ({ name }) => {
    test.each(places)("cannot read the %s of a drop that its visitor can read", (place) => {
      const read = readings.get(`${name} of a ${place}`);

      expect(read).toEqual(expect.any(String));
      expect(read).not.toContain(words);
      expect(read).not.toContain("__Host-");
      expect(read).not.toBe("no result");
    });
  });
});

test("a signed-in reader can read the page in its viewer, with its context, and raw", {
  tags: "nightly",
}, async () => {
  const page = await reader.newPage();

  await page.goto(shared.url);
  await page.frameLocator("iframe").getByText(words).waitFor();
  await page.getByRole("button", { name: "Context", exact: true }).click();
  await page.locator("#context > div").getByText(words).waitFor();
  await page.goto(shared.raw_url);
  await page.getByText(words).waitFor();

  expect(await page.evaluate("window.origin")).toBe("null");
});

test("a signed-in reader can read a folder and its files, in the viewer and on their own", async () => {
  const page = await reader.newPage();

  await page.goto(folder.url);
  await page.frameLocator("iframe").getByText(words).waitFor();
  await page.goto(`${folder.raw_url}/words.txt`);
  await page.getByText(words).waitFor();

  expect(await page.evaluate("window.origin")).toBe("null");
});

test("a signed-in reader can read another shared drop of the owner without a click", async () => {
  const page = await reader.newPage();

  await page.goto(`${alsoShared.url}?v=1`);

  await page.frameLocator("iframe").getByText(words).waitFor();
  expect(page.url()).toBe(`${onBaseHost(alsoShared.url)}?v=1`);
});

test("a reader who signs out in one window loses access in the others", async () => {
  const context = await browser.newContext();
  const [viewer, other] = [await context.newPage(), await context.newPage()];
  await signInToRead(viewer, shared.url);

  // The link is in the menu.
  await viewer.locator("a", { hasText: "Signed in" }).waitFor({ state: "attached" });
  await other.goto(`${baseUrl()}/login/read`);
  await other.getByRole("button", { name: "Sign out" }).click();
  await other.getByRole("heading", { name: "signed out" }).waitFor();
  await viewer.getByText("or you are signed out").waitFor();
  const response = await viewer.reload();

  expect(response?.status()).toBe(404);
  await context.close();
});

/** Has the hostile page read every place of a shared drop in one way. */
async function tryWay({ name, script }: ReadingWay): Promise<void> {
  const page = await reader.newPage();
  await page.goto(hostile.raw_url);
  for (const place of places) {
    readings.set(`${name} of a ${place}`, String(await page.evaluate(script(addressOf(place)))));
  }
  await page.close();
}

function addressOf(place: (typeof places)[number]): string {
  const { slug, url } = shared;
  const paths = {
    "raw page": `/p/${slug}/raw`,
    viewer: `/p/${slug}`,
    context: `/p/${slug}/context?v=1`,
    folder: `/p/${folder.slug}/raw/@1-framed/`,
    "file of a folder": `/p/${folder.slug}/raw/words.txt`,
  };
  return new URL(paths[place], url).href;
}

/** Signs in with the link on the page, like a person who follows a shared link. */
async function signInToRead(page: Page, address: string): Promise<void> {
  const missing = await page.goto(address);
  expect(missing?.status()).toBe(404);
  await page.getByRole("link", { name: "Sign in" }).click();
  await page.getByLabel("User name").fill("Grace Hopper");
  await page.getByRole("button").click();
  await page.frameLocator("iframe").getByText(words).waitFor();
  expect(page.url()).toBe(onBaseHost(address));
}
