// @module-tag nightly

import { randomUUID } from "node:crypto";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Account, newAccount, publish } from "../support/accounts.ts";
import { complaintsOf, launchBrowser } from "../support/browser.ts";
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
])("the search box at %s finds pages by their text, and marks the words", async (path, reader) => {
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
});

test("a page's markup, scripts and text direction have no effect in search results", async () => {
  const word = `w${randomUUID().slice(0, 8)}`;
  const hostile = `<img src=x onerror="document.title='run'"> <b>bold</b> \u202e${word} </mark><script>document.title="run"</script>`;
  const escaped = hostile.replaceAll("<", "&lt;");
  await publish(owner.api, { title: `${hostile} title`, html: `<p>${escaped}</p>`, description: hostile });
  const page = await (await browser.newContext()).newPage();
  const complaints = complaintsOf(page);
  await toOwnPage(page, `${baseUrl()}/account`, owner.username);

  await expect
    .poll(async () => {
      await page.goto(`${baseUrl()}/account?q=${word}`);
      return page.locator("main mark").allInnerTexts();
    })
    .toEqual([word]);

  const result = page.locator("main li", { has: page.locator("mark") });
  expect(await result.locator("img, script, b").count()).toBe(0);
  expect(await result.innerText()).toContain("<b>bold</b>");
  expect(await page.title()).not.toBe("run");
  expect(complaints).toEqual([]);
  // The override ends with the result, so the text after it runs from left to right.
  expect(await result.locator("mark").evaluate((mark) => mark.closest("bdi, [dir=auto]") !== null)).toBe(
    true,
  );
  await page.context().close();
});
