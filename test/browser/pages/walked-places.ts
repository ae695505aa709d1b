import { newAccount, pageOf, publish } from "../../support/accounts.ts";
import { givenAnswer } from "../../support/given-answers.ts";
import { baseUrl } from "../../support/http.ts";
import type { WalkedPlaces } from "./page-walks.ts";

const description = "What people ride, when they stop, and why. ".repeat(6);
const titles = [
  "Garden plan 🌱 beds, sun and what goes where",
  "تقرير المبيعات للربع الثالث",
  "migration_checklist__customers_and_invoices__eu-central-1__final_v3_and_then_some_more",
  "A",
  "Physics homework: why the bridge hums",
  "Sourdough timetable for a working week",
  "Release notes 2.4",
];

/** Publishes the targets of the walks: a drop with two versions, a locked drop, and a listing with titles of all kinds. */
export async function publishPlaces(): Promise<WalkedPlaces> {
  const { api, username, userId } = await newAccount("walks");
  const context = "Why <b>it</b> was made.\n\n- one line\n- another";
  const first = await publish(api, {
    title: "Harbour bikes: what 18 months of rides say, by station and by season",
    description,
    html: pageOf("the first page"),
    feedback: "readers",
  });
  const drop = await api.succeed("publish-version", {
    params: { slug: first.slug },
    body: { html: pageOf("the second page"), context },
  });
  const fields = [
    ["decision", "Approve with changes"],
    ["comment", "The total in row 3 is wrong.\nOtherwise fine."],
  ] as const;
  await givenAnswer(userId, first.slug, { fields });
  const locked = await publish(api, { title: "The secret plan", passcode: "open sesame" });
  const poll = await publish(api, {
    title: "Which day?",
    html: '<!doctype html><html lang="en"><title>Poll</title><form data-answers="vote"><input name="day" value="Friday"><button>Vote</button></form></html>',
    visibility: "unlisted",
    answers: "readers",
  });
  await Promise.all(titles.map((title) => publish(api, { title })));
  return {
    address: baseUrl(),
    dropUrl: drop.url,
    lockedUrl: locked.url,
    pollUrl: `${baseUrl()}/p/${poll.slug}`,
    ownerUrl: new URL("/", drop.url).href,
    ownerUsername: username,
  };
}
