// @module-tag slow

import { randomUUID } from "node:crypto";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Account, newAccount, publish } from "../support/accounts.ts";
import { launchBrowser } from "../support/browser.ts";
import { baseUrl } from "../support/http.ts";
import { unusedUsername } from "../support/sign-in.ts";
import { toOwnPage } from "./pages/page-walks.ts";

let browser: Browser;
let owner: Account;

beforeAll(async () => {
  [browser, owner] = await Promise.all([launchBrowser(), newAccount("search-boxes")]);
});
afterAll(() => browser.close());

test.each([
  ["/library", unusedUsername("types")],
  ["/account", undefined],
])(
  "what somebody types into the box at %s finds pages by their text, with the words marked",
  async (path, reader) => {
    const word = `w${randomUUID().slice(0, 8)}`;
    const title = `Numbers ${randomUUID()}`;
    const sharing = reader === undefined ? {} : { visibility: "people", readers: [reader] };
    await publish(owner.api, { title, html: `<h1>Numbers</h1><p>All about ${word} bikes</p>`, ...sharing });
    const context = await browser.newContext({ viewport: { width: 360, height: 740 } });
    const page = await context.newPage();
    await toOwnPage(page, baseUrl() + path, reader ?? owner.username);
    const box = page.getByRole("searchbox");
    const search = async (query: string) => {
      await box.fill(query);
      await box.press("Enter");
      await page.waitForURL((url) => url.searchParams.get("q") === query);
    };

    await search(`"${word}`);
    await page.getByRole("alert").getByText("Close the quotation mark").waitFor();
    expect(await box.evaluate((element) => element === document.activeElement)).toBe(true);

    await expect
      .poll(async () => {
        await search(`bikes ${word}`);
        return page.locator("mark").allInnerTexts();
      })
      .toEqual([word, "bikes"]);
    expect(await page.getByRole("link", { name: title }).isVisible()).toBe(true);
    expect(await box.inputValue()).toBe(`bikes ${word}`);

    await search(`${word} -bikes`);
    expect(await page.getByRole("link", { name: title }).count()).toBe(0);
    await context.close();
  },
);
