// @module-tag nightly

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { baseUrl } from "../support/http.ts";
import { openBrowser } from "../support/open-browser.ts";
import { InspectedPage, nothingFound } from "./pages/inspected-page.ts";

let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

describe("the reference page", () => {
  test("is accessible in light, dark and print, stable, self-contained and fits any window", async () => {
    const inspected = await InspectedPage.open(browser, { viewport: { width: 360, height: 800 } });
    let bytes = 0;
    inspected.page.on("requestfinished", async (request) => {
      bytes += (await request.sizes()).responseBodySize;
    });

    await inspected.page.goto(`${baseUrl()}/docs#publish-drop`);

    expect(await inspected.page.locator("#publish-drop:target").innerText()).toContain("html_required");
    const narrow = await inspected.inspect();
    await inspected.page.setViewportSize({ width: 1440, height: 800 });
    // The content is the same as in the narrow window, so it is inspected only for its layout.
    const wide = await inspected.inspect(undefined, []);
    // The reference is the only page that may be large.
    expect({ ...narrow, heavyDocuments: [] }).toEqual(nothingFound);
    expect({ ...wide, heavyDocuments: [], layoutShifts: [] }).toEqual(nothingFound);
    expect(bytes).toBeGreaterThan(10_000);
    expect(bytes).toBeLessThan(100_000);
    await inspected.close();
  });

  test("can be filtered to the operations that contain all the words, and shows their number", async () => {
    const page = await browser.newPage({ viewport: { width: 1200, height: 900 } });
    await page.goto(`${baseUrl()}/docs`);
    const shown = () => page.locator("main article:visible").evaluateAll((all) => all.map(({ id }) => id));
    const all = await shown();

    await page.getByLabel("Find an operation").fill("post PASSCODE_too_short /passcode");
    expect(await shown()).toEqual(["set-passcode"]);
    expect(await page.locator("#found").innerText()).toMatch(/^1 \/ \d+$/);
    expect(await page.locator(".contents li li:visible").count()).toBe(1);

    await page.getByLabel("Find an operation").fill("no such words anywhere");
    expect(await page.locator("#found").innerText()).toBe("No operation matches.");

    await page.getByLabel("Find an operation").fill("");
    expect(await shown()).toEqual(all);
    await page.close();
  });

  test("is readable without scripts, with fields that expand and without the filter", async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();

    await page.goto(`${baseUrl()}/docs`);

    expect(await page.locator("#publish-drop").innerText()).toContain("html_required");
    expect(await page.locator("#filter").isVisible()).toBe(false);
    await page.locator("#get-usage a[href='#schema-Usage']").click();
    await page.locator("#schema-Usage").getByText("Fields of drops").click();
    expect(await page.locator("#schema-Usage").innerText()).toContain("limit");
    await context.close();
  });
});
