import type { Page } from "playwright-core";
import { type Account, newAccount, newTeam, publish } from "../../support/accounts.ts";
import { pressArmed } from "../../support/browser.ts";
import { baseUrl } from "../../support/http.ts";
import { teamToken } from "../../support/team-sign-in.ts";
import { type PageWalk, toConsent, toOwnPage, toVerify } from "./page-walks.ts";

/** A team with drops, and its owner. */
export interface TeamPlaces {
  readonly namespace: string;
  readonly owner: Account;
  readonly slug: string;
  /** URL of the team's page. */
  readonly url: string;
}

/** Publishes the targets of the walks: a team's drops with and without groups, and people of both roles. */
export async function publishTeamPlaces(): Promise<TeamPlaces> {
  const owner = await newAccount("team-walks");
  const { namespace, url } = await newTeam(owner, { editors: ["group:growth", "@growth.example.com"] });
  await newTeam(owner);
  await owner.api.succeed("edit-team", { params: { namespace }, body: { group_by: "area" } });
  const api = await teamToken(owner.username, namespace);
  const tagged = (title: string, area?: string, more = {}) =>
    publish(api, { title, ...(area === undefined ? {} : { metadata: { area } }), ...more });
  const { slug } = await tagged("Harbour bikes: what 18 months of rides say, by station", "Retention");
  await tagged("Churn by cohort", "Retention");
  await tagged("تقرير المبيعات للربع الثالث", "Acquisition and everything that comes before a first visit");
  await tagged("Pricing experiment, week 3", "Acquisition and everything that comes before a first visit");
  await tagged("The secret plan", "Retention", { passcode: "open sesame" });
  await tagged("Release notes 2.4");
  return { namespace, owner, slug, url };
}

/** Returns the walks to every page that shows a team. */
export function teamWalks(places: TeamPlaces): readonly PageWalk[] {
  const { owner, slug, url } = places;
  const { username } = owner;
  const address = baseUrl();
  return [
    { name: "account-choice", open: (page) => toChoice(page, address, username) },
    { name: "consent-with-teams", open: (page) => toConsent(page, address, username) },
    { name: "account-as-oneself", open: (page) => toOwnPage(page, `${address}/account`, username) },
    { name: "account-as-team", open: (page) => toTeamPage(page, "/account", places) },
    {
      name: "drop-of-team",
      open: (page) => toOwnPage(page, `${address}/account/drops/${slug}`, username),
    },
    { name: "team-people", open: (page) => toTeamPage(page, "/account/team", places) },
    {
      name: "team-people-changed",
      open: async (page) => {
        await toTeamPage(page, "/account/team", places);
        await page.getByText("Change group:growth").click();
      },
    },
    { name: "grouped-owner-page", open: (page) => page.goto(url) },
    {
      name: "library-of-team",
      open: (page) => toOwnPage(page, `${address}/library`, username),
    },
  ];
}

/** Signs in and switches to the team. */
export async function toTeamPage(page: Page, path: string, { owner, namespace }: TeamPlaces): Promise<void> {
  const address = baseUrl();
  await toOwnPage(page, `${address}/account`, owner.username);
  await page.getByRole("button", { name: namespace, exact: true }).click();
  await page.getByText("a team that you own").waitFor();
  if (path !== "/account") await page.goto(address + path);
}

async function toChoice(page: Page, address: string, username: string): Promise<void> {
  await toVerify(page, address);
  await pressArmed(page.getByRole("link", { name: /continue/i }));
  await page.getByLabel("User name").fill(username);
  await page.getByRole("button").click();
  await page.getByRole("group", { name: "Publish as" }).waitFor();
}
