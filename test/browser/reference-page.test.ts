import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { undescribedOperationIds } from "../../functions/discovery/openapi/document.ts";
import { operationIds, routeOf } from "../../functions/routes.ts";
import { newAccount } from "../support/accounts.ts";
import { complaintsOf } from "../support/browser.ts";
import { longTest, shortTest } from "../support/forms.ts";
import { baseUrl } from "../support/http.ts";
import { openBrowser } from "../support/open-browser.ts";

let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

interface OpenReference {
  readonly page: Page;
  /** What the page complained of, its breaches of its own policy among it. */
  readonly complaints: readonly string[];
  /** The addresses that it asked for. */
  readonly requested: readonly string[];
}

async function openReference(
  hash = "",
  options: { readonly width?: number; readonly isDark?: boolean } = {},
) {
  const page = await browser.newPage({
    viewport: { width: options.width ?? 1200, height: 900 },
    colorScheme: options.isDark ? "dark" : "light",
  });
  const complaints = complaintsOf(page);
  const requested: string[] = [];
  page.on("request", (request) => requested.push(request.url()));
  await page.goto(`${baseUrl()}/docs${hash}`);
  await page.locator(".opblock").first().waitFor();
  return { page, complaints, requested } satisfies OpenReference;
}

describe("the reference page", () => {
  shortTest(
    "shows every operation at every address, under its own policy, with nothing from elsewhere",
    async () => {
      const { page, complaints, requested } = await openReference();
      const rows = operationIds.filter((id) => !undescribedOperationIds.includes(id)).map(routeOf);

      const shown = await page.locator(".opblock-summary-path").evaluateAll((all) =>
        // Long paths have places to break in them.
        all.map((path) => (path as unknown as { textContent: string }).textContent.replaceAll("\u200b", "")),
      );

      const paths = rows.flatMap(({ path, alsoAt }) => [path, ...(alsoAt ? [alsoAt.path] : [])]);
      expect(shown.toSorted()).toEqual(paths.toSorted());
      expect(complaints).toEqual([]);
      expect(requested.filter((url) => new URL(url).origin !== baseUrl())).toEqual(
        requested.filter((url) => url.startsWith("data:")),
      );
      await page.close();
    },
  );

  longTest("opens at an operation, and shows its errors by name", async () => {
    const { page, complaints } = await openReference("#/drops/publish-drop");

    await page.locator("#operations-drops-publish-drop .responses-table").waitFor();

    expect(await page.locator("#operations-drops-publish-drop").innerText()).toContain("html_required");
    expect(complaints).toEqual([]);
    await page.close();
  });

  shortTest("calls the API with a token that is typed in, and keeps it nowhere", async () => {
    const { api, userId } = await newAccount("reader");
    const { page } = await openReference("#/account/get-me");
    await page.locator(".auth-wrapper .authorize").first().click();
    await page.locator(".auth-container input").fill(api.token ?? "");
    await page.locator(".auth-btn-wrapper .authorize").click();
    await page.locator(".auth-btn-wrapper .btn-done").click();

    await page.locator("#operations-account-get-me .try-out__btn").click();
    await page.locator("#operations-account-get-me .execute").click();
    const response = page.locator("#operations-account-get-me .live-responses-table");
    await response.waitFor();

    expect(await response.innerText()).toContain(userId);
    expect(await page.evaluate("localStorage.length + sessionStorage.length + document.cookie.length")).toBe(
      0,
    );
    await page.close();
  });

  longTest.each([360, 1200])("fits a screen %i px wide", async (width) => {
    const { page } = await openReference("#/drops/publish-drop", { width });
    await page.locator("#operations-drops-publish-drop .responses-table").waitFor();

    const overflow = await page.evaluate("document.documentElement.scrollWidth - innerWidth");

    expect(overflow).toBeLessThanOrEqual(0);
    await page.close();
  });

  longTest("is dark where the browser asks for it", async () => {
    const { page } = await openReference("", { isDark: true });

    const colour = await page.evaluate(
      "getComputedStyle(document.querySelector('.opblock-summary-path')).color",
    );
    const parts = (String(colour).match(/\d+/g) ?? []).slice(0, 3).map(Number);

    // Light on dark: each part of the colour is above the middle.
    expect(Math.min(...parts), String(colour)).toBeGreaterThan(127);
    await page.close();
  });

  shortTest("says without scripts where the same is told", async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();

    await page.goto(`${baseUrl()}/docs`);

    expect(await page.locator("body").innerText()).toContain("needs scripts");
    expect(await page.locator("nav a").evaluateAll((all) => all.length)).toBe(2);
    await context.close();
  });
});
