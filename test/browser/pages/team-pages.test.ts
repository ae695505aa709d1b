import type { Browser } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { newAccount, publish } from "../../support/accounts.ts";
import { baseUrl } from "../../support/http.ts";
import { openBrowser } from "../../support/open-browser.ts";
import { slowAndNightly } from "../../support/quick-and-slow.ts";
import { teamToken } from "../../support/team-sign-in.ts";
import { InspectedPage, narrowWindow, nothingFound } from "./inspected-page.ts";
import { toOwnPage } from "./page-walks.ts";
import { publishTeamPlaces, type TeamPlaces, teamWalks, toTeamPage } from "./team-walks.ts";

let browser: Browser;
let places: TeamPlaces;
let opened: InspectedPage;

beforeAll(async () => {
  [browser, places] = await Promise.all([openBrowser(), publishTeamPlaces()]);
  opened = await InspectedPage.open(browser, {});
});

beforeEach(() => opened.clear(narrowWindow));

afterAll(() => browser.close());

const nowhere = { namespace: "", owner: { username: "" }, slug: "", url: "" } as TeamPlaces;
const names = teamWalks(nowhere).map(({ name }) => name);

for (const { cases, options } of slowAndNightly(
  names.map((name) => ({ name })),
  ({ name }) => name === "team-people" || name === "account-choice",
))
  test.each(cases)(
    "$name is accessible, stable, small, self-contained and fits any window, in light, in dark and in print",
    options,
    async ({ name }) => {
      await teamWalks(places)
        .find((walk) => walk.name === name)
        ?.open(opened.page);

      expect(await opened.inspectBothWidths()).toEqual([nothingFound, nothingFound]);
    },
  );

test("a team's owner can switch to it, add and remove a person, and switch back, on a phone without scripts", {
  tags: "slow",
}, async () => {
  const { owner, namespace } = places;
  const { username } = await newAccount("added");
  const context = await browser.newContext({
    javaScriptEnabled: false,
    viewport: { width: 360, height: 740 },
  });
  const page = await context.newPage();

  await toTeamPage(page, "/account", places);
  await page.getByRole("link", { name: "People", exact: true }).click();
  await page.getByLabel("Person, domain or group").fill(username);
  await page.getByLabel("Role").selectOption("owner");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByRole("status").getByText("Saved.").waitFor();
  expect((await owner.api.succeed("get-team", { params: { namespace } })).owners).toContain(username);

  await page.getByText(`Change ${username}`).click();
  await page
    .getByRole("listitem")
    .filter({ hasText: username })
    .getByRole("button", { name: "Remove" })
    .click();
  await page.getByRole("status").getByText("Removed.").waitFor();
  await page.getByRole("button", { name: "You", exact: true }).click();
  await page.getByText(`You publish as ${owner.username}.`).waitFor();

  expect((await owner.api.succeed("get-team", { params: { namespace } })).owners).toEqual([owner.username]);
  await context.close();
});

test("an editor can share a team's page from the viewer without switching to the team", {
  tags: "slow",
}, async () => {
  const { owner, namespace } = places;
  const editor = await newAccount("sharing-editor");
  const params = { namespace, reader: editor.username };
  await owner.api.succeed("set-team-role", { params, body: { role: "editor" } });
  const api = await teamToken(editor.username, namespace);
  const { slug } = await publish(api, { title: "Shared by an editor" });
  const { page } = opened;

  await toOwnPage(page, `${baseUrl()}/account`, editor.username);
  await page.goto(`${baseUrl()}/p/${slug}`);
  await page.locator("#share-toggle").click();
  const panel = page.locator("#share");
  await panel.getByLabel("Anyone with the link").check();
  await panel.getByRole("button", { name: "Save sharing settings" }).click();
  await panel.getByText("Saved.").waitFor();

  expect((await api.succeed("get-drop", { params: { slug } })).visibility).toBe("unlisted");
});
