// @module-tag nightly

import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { cachedPage } from "../../../functions/html/page.ts";
import { ownerPageAssets, renderOwnerPage } from "../../../functions/owner-page/owner-page.tsx";
import { ownerProps, publishedAtMs, someFiles } from "../../html/page-fixtures.ts";
import { plainDrops } from "../../owner-page/plain-drops.ts";
import { complaintsOf } from "../../support/browser.ts";
import { openBrowser } from "../../support/open-browser.ts";
import { type PageServer, startPageServer } from "./page-server.ts";

let browser: Browser;
let server: PageServer;
let page: Page;
let complaints: string[];

const titles = ["Zoë’s garden 10", "zoe's garden 9", "Ångström notes", "Garden plan"];
const named = titles.map((title, index) => {
  return { title, url: `/d/named0${index}`, updatedAtMs: publishedAtMs - index, locked: false };
});
const drops = [...named, ...plainDrops(496, "/", publishedAtMs - 1_000)];
const files = someFiles(3);
/** The page's times have no seconds. */
const minuteMs = Math.floor(publishedAtMs / 60_000) * 60_000;
const localTime = new Date(publishedAtMs).toLocaleString("en-GB", {
  dateStyle: "medium",
  timeStyle: "short",
  timeZone: "Asia/Kathmandu",
});

beforeAll(async () => {
  const html = renderOwnerPage(ownerProps({ drops, files }));
  const listing = cachedPage(html, { inline: ownerPageAssets, caching: { edgeSeconds: 0, tags: [] } });
  [browser, server] = await Promise.all([openBrowser(), startPageServer({ "/": listing })]);
});

beforeEach(async () => {
  page = await browser.newPage();
  complaints = complaintsOf(page);
  await page.goto(server.address);
});

afterEach(() => page.close());

afterAll(() => Promise.all([browser.close(), server.stop()]));

describe("the listing of 500 drops and some files", () => {
  test("is filtered while typing by every word, without case, accents and requests", async () => {
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));

    await page.getByRole("searchbox").pressSequentially("GARDEN zoe");

    expect((await shown()).toSorted()).toEqual(["Zoë’s garden 10", "zoe's garden 9"]);
    expect(await page.getByRole("heading", { name: "Files" }).isVisible()).toBe(false);
    expect(requests).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test("shows a message if nothing matches, and Escape shows everything again", async () => {
    await page.getByRole("searchbox").fill("no such thing anywhere");
    const none = await shown();
    const words = await page.getByRole("status").innerText();

    await page.getByRole("searchbox").press("Escape");

    expect(none).toEqual([]);
    expect(words).toBe("Nothing here matches.");
    expect(await page.getByRole("status").innerText()).toBe("");
    expect(await shown()).toHaveLength(drops.length + files.length);
  });

  test("can be sorted by name in natural order, oldest first and newest first", async () => {
    const newest = await shown();
    await page.getByRole("searchbox").fill("garden");

    await page.getByRole("combobox").selectOption({ label: "By name" });
    const byName = await shown();
    await page.getByRole("searchbox").fill("");
    await page.getByRole("combobox").selectOption({ label: "Oldest first" });
    const oldest = await shown();
    await page.getByRole("combobox").selectOption({ label: "Newest first" });

    expect(byName.filter((name) => /zo/i.test(name))).toEqual(["zoe's garden 9", "Zoë’s garden 10"]);
    expect(oldest.slice(0, drops.length)).toEqual(newest.slice(0, drops.length).toReversed());
    expect(await shown()).toEqual(newest);
  });

  test("shows the exact size on hover", async () => {
    const row = page.getByRole("listitem").filter({ hasText: "photo 1.jpg" });

    expect(await row.getByText("1.8 MB").getAttribute("title")).toBe("1,843,201 bytes");
  });

  test.each([
    [0, "now"],
    [59, "now"],
    [60, "1 minute ago"],
    [7_199, "1 hour ago"],
    [86_400, "yesterday"],
    [2_591_999, "29 days ago"],
    [2_592_000, "last month"],
    [31_536_000, "last year"],
    [-90, "in 1 minute"],
    [-7 * 86_400, "in 7 days"],
  ])("shows a time %d seconds ago as: %s", async (seconds, said) => {
    const local = await browser.newPage({ timezoneId: "Asia/Kathmandu" });
    await local.clock.setFixedTime(minuteMs + seconds * 1000);
    await local.goto(server.address);
    const time = local.locator(".listing time").first();

    expect([await time.innerText(), await time.getAttribute("title")]).toEqual([said, localTime]);

    await local.close();
  });
});

/** Returns the names of the visible rows in their order. */
function shown(): Promise<string[]> {
  return page.evaluate(
    `[...document.querySelectorAll(".listing > li")].filter((row) => row.checkVisibility()).map((row) => row.firstElementChild.innerText)`,
  );
}
