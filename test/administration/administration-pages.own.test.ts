// @module-tag slow

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { administrationText } from "../../functions/administration/administration-text.ts";
import { InspectedPage, narrowWindow, nothingFound } from "../browser/pages/inspected-page.ts";
import { memberAs, ofTheDomain, startMembersService } from "../identity/given-members.ts";
import { newTeam, publish } from "../support/accounts.ts";
import { launchBrowser } from "../support/browser.ts";
import { baseUrl } from "../support/http.ts";
import { slowAndNightly } from "../support/quick-and-slow.ts";
import type { RunningService } from "../support/running-service.ts";
import { unusedUsername } from "../support/sign-in.ts";

let service: RunningService;
let browser: Browser;
let opened: InspectedPage;
let places: Awaited<ReturnType<typeof givenPlaces>>;

beforeAll(async () => {
  [browser, service] = await Promise.all([
    launchBrowser(),
    startMembersService({ administrators: ["group:platform"], accessRequests: true }),
  ]);
  places = await givenPlaces();
  opened = await InspectedPage.open(browser, {});
});
beforeEach(() => opened.clear(narrowWindow));
afterAll(async () => {
  await browser.close();
  await service.stop();
});

/** Creates an account with long names, pages of each kind, a file and a team. */
async function givenPlaces() {
  const facts = ofTheDomain();
  const ada = await memberAs({ ...facts, username: unusedUsername(`ada-${"x".repeat(30)}`) });
  const { namespace } = (await ada.api.succeed("get-me")).account;
  const { slug } = await publish(ada.api, { title: `Word${"withoutend".repeat(15)}` });
  const titles = { locked: "تقرير المبيعات", restricted: "Salaries" };
  await publish(ada.api, { title: titles.locked, passcode: "open sesame" });
  await publish(ada.api, { title: titles.restricted, visibility: "people", readers: [facts.email] });
  const query = { filename: `${"long-name-".repeat(19)}.txt` };
  const file = await ada.api.succeed("upload-blob", { query, text: "a note" });
  const team = await newTeam(ada, { editors: [`group:${"g".repeat(80)}`] });
  return { namespace, slug, file, team: team.namespace };
}

/** Opens a page as an administrator who has just signed in. */
async function toAdmin(page: Page, path: string): Promise<void> {
  await page.goto(`${baseUrl()}/admin`);
  await page.getByLabel("User name").fill(unusedUsername("root"));
  await page.getByLabel(/groups/i).fill("publishers, platform");
  await page.getByRole("button").click();
  await page.waitForURL(`${baseUrl()}/admin`);
  if (path !== "/admin") await page.goto(baseUrl() + path);
  await page.getByRole("navigation", { name: administrationText.parts.label }).waitFor();
}

async function openAll(page: Page): Promise<void> {
  await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
}

/** Opens each page, in each of its states. */
const walks: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  accounts: (page) => toAdmin(page, "/admin"),
  "a search for accounts without results": (page) => toAdmin(page, "/admin?q=no-such-account"),
  "an account with all actions open": async (page) => {
    await toAdmin(page, `/admin/accounts/${places.namespace}`);
    await openAll(page);
  },
  "a drop with all actions open": async (page) => {
    await toAdmin(page, `/admin/drops/${places.slug}`);
    await openAll(page);
  },
  "a team": (page) => toAdmin(page, `/admin/accounts/${places.team}`),
  "a file": async (page) => {
    await toAdmin(page, `/admin?${new URLSearchParams({ q: places.file.url })}`);
    await openAll(page);
  },
  "a refused action": async (page) => {
    await toAdmin(page, `/admin/drops/${places.slug}`);
    await page.getByText(administrationText.actions.takedown.button).first().click();
    await page.getByLabel(administrationText.actions.confirm).fill("something else");
    await page.getByRole("button", { name: administrationText.actions.takedown.button }).click();
    await page.getByText(administrationText.notConfirmed(places.slug)).waitFor();
  },
  "the audit trail": (page) => toAdmin(page, "/admin/audit"),
  "the audit trail of an account": (page) => toAdmin(page, `/admin/audit?account=${places.namespace}`),
};

for (const { cases, options } of slowAndNightly(
  Object.keys(walks).map((name) => ({ name })),
  ({ name }) => name === "an account with all actions open" || name === "the audit trail",
))
  test.each(cases)(
    "$name is accessible, stable, small and self-contained, and fits any window, in light, dark and print",
    options,
    async ({ name }) => {
      await walks[name]?.(opened.page);

      const isRefusal = (complaint: string) => name === "a refused action" && complaint.includes("400");
      expect(await opened.inspectBothWidths(isRefusal)).toEqual([nothingFound, nothingFound]);
    },
  );

test("an administrator puts a page on hold and ends the hold with the keyboard, without scripts", async () => {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: narrowWindow });
  const page = await context.newPage();
  const { actions, done } = administrationText;
  await toAdmin(page, `/admin/drops/${places.slug}`);

  await page.locator("summary", { hasText: actions["add-hold"].button }).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByRole("status").getByText(done.held).waitFor();
  await page.locator("summary", { hasText: actions["remove-hold"].button }).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.type(places.slug);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");

  await page.getByRole("status").getByText(done.released).waitFor();
  await context.close();
});
