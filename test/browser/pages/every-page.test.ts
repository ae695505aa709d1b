import type { Browser } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openBrowser } from "../../support/open-browser.ts";
import { slowAndNightly } from "../../support/quick-and-slow.ts";
import { InspectedPage, narrowWindow, nothingFound, wideWindow } from "./inspected-page.ts";
import { pageWalks, type WalkedPlaces } from "./page-walks.ts";
import { publishPlaces } from "./walked-places.ts";

let browser: Browser;
let places: WalkedPlaces;
let opened: InspectedPage;

beforeAll(async () => {
  [browser, places] = await Promise.all([openBrowser(), publishPlaces()]);
  opened = await InspectedPage.open(browser, {});
});

beforeEach(() => opened.clear(narrowWindow));

afterAll(() => browser.close());

const nowhere: WalkedPlaces = {
  address: "",
  dropUrl: "",
  lockedUrl: "",
  pollUrl: "",
  ownerUrl: "",
  ownerUsername: "",
};
const names = pageWalks(nowhere).map(({ name }) => name);
/** Status of each page that is an error response, which the browser logs as a failed resource. */
const refusals: Readonly<Record<string, number>> = {
  "gate-wrong": 403,
  "not-found": 404,
  "not-shared": 404,
  "sign-in-error": 400,
  // This walk passes a page with that status.
  "signed-out": 404,
};

/** Only every tenth page runs in the tests before a change lands. */
const views = slowAndNightly(
  names.map((name, index) => ({ name, index })),
  ({ index }) => index % 10 === 0,
);

test("the browser logs no warnings, whichever page of a host it opens first", {
  tags: "nightly",
}, async () => {
  const { address, dropUrl, ownerUrl } = places;
  const rawPath = `/p/${dropUrl.split("/").at(-1)}/raw`;

  for (const url of [
    ...["/llms.txt", "/openapi.json", "/", "/docs", "/favicon.ico", "/robots.txt", "/login"].map(
      (path) => address + path,
    ),
    ...[rawPath, "", `${rawPath}?v=1`, "favicon.ico"].map((path) => new URL(path, ownerUrl).href),
    dropUrl,
    address + new URL(dropUrl).pathname.replace("/d/", "/p/"),
  ]) {
    await opened.page.goto(url);
    expect(opened.complaints, url).toEqual([]);
  }
});

describe("in light, in dark and in print", () => {
  for (const { cases, options } of views)
    test.each(cases)(
      "$name is accessible, stable, small, self-contained and fits any window",
      options,
      async ({ name }) => {
        const isExpected = (complaint: string) =>
          complaint.includes(`responded with a status of ${refusals[name]}`);

        await walkTo(name);

        expect(await opened.inspectBothWidths(isExpected)).toEqual([nothingFound, nothingFound]);
      },
    );
});

/** Only a wide window shows these parts of the viewer's bar. A narrow window has a menu. */
test.each(["viewer-context", "viewer-more"])(
  "%s is accessible in light and in dark, stable, small and self-contained in a wide window",
  { tags: "slow" },
  async (name) => {
    await opened.page.setViewportSize(wideWindow);

    await walkTo(name);

    expect(await opened.inspect(undefined, ["light", "dark"])).toEqual(nothingFound);
  },
);

async function walkTo(name: string): Promise<void> {
  await pageWalks(places)
    .find((candidate) => candidate.name === name)
    ?.open(opened.page);
}
