import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { baseUrl } from "../support/http.ts";
import { openBrowser } from "../support/open-browser.ts";

let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

describe("the home page", () => {
  test("copies the MCP address with a button, and confirms it", { tags: "slow" }, async () => {
    const context = await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"] });
    const page = await context.newPage();
    await page.goto(`${baseUrl()}/`);
    const button = page.getByRole("button", { name: "Copy the MCP address" });

    await button.click();

    await expect.poll(() => button.innerText()).toBe("Copied");
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${baseUrl()}/mcp`);
    await context.close();
  });

  test("shows only the address without scripts, and one click selects it", { tags: "slow" }, async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${baseUrl()}/`);
    const address = page.locator("#mcp");

    expect(await address.innerText()).toBe(`${baseUrl()}/mcp`);
    expect(await page.locator("button").filter({ visible: true }).count()).toBe(0);
    expect(await address.evaluate((element) => getComputedStyle(element).userSelect)).toBe("all");
    await context.close();
  });

  test("names the choice of readers, shows a listing request, and links visibly to the guide", {
    tags: "slow",
  }, async () => {
    const page = await browser.newPage();
    await page.goto(`${baseUrl()}/`);

    const text = await page.locator("main").innerText();

    expect(text).toContain("Choose the readers\n");
    expect(text).toContain(`${baseUrl()}/api/drops?metadata.project=PROJECT`);
    expect(text).not.toContain("-X POST");
    for (const link of await page.locator('a[href="/llms.txt"]').all())
      expect(await link.isVisible()).toBe(true);
    expect(await page.locator('header a[href="/llms.txt"]').count()).toBe(1);
    await page.close();
  });
});
