// @module-tag slow

import { beforeAll, describe, expect, test } from "vitest";
import { ApiError } from "../../functions/core/errors.ts";
import { limits } from "../../functions/core/limits.ts";
import type { FoundFeedback } from "../../functions/feedback/feedback-drop.ts";
import { countComment } from "../../functions/feedback/feedback-tries.ts";
import { feedback } from "../../functions/feedback/store.ts";
import type { HttpRequest } from "../../functions/http/request.ts";
import { keys } from "../../functions/table/keys.ts";
import {
  fairShare,
  feedbackDropRule,
  feedbackNetworkRule,
  feedbackReaderRule,
} from "../../functions/table/rate-rules.ts";
import { bannedAttribute } from "../../functions/table/suspension.ts";
import { getItem } from "../../functions/table/table.ts";
import { updateItem } from "../../functions/table/table-writes.ts";
import { pageOf, publish } from "../support/accounts.ts";
import { feedbackForm, inWindow, sendForm } from "../support/feedback-forms.ts";
import { givenAct } from "../support/given-act.ts";
import { baseUrl, unusedLoopbackAddress } from "../support/http.ts";
import { elementsOf, textOf, type Visit, Visitor } from "../support/visitor.ts";
import { type GivenPerson, givenPerson, openStores, setUses } from "./given-person.ts";
import { givenReader } from "./given-reader.ts";

let person: GivenPerson;

beforeAll(async () => {
  await openStores();
  person = await givenPerson("feedback");
});

async function given(fields: object = {}) {
  const drop = await publish(person.api, { html: pageOf("leaves"), feedback: "readers", ...fields });
  const address = `${baseUrl()}/p/${drop.slug}/feedback`;
  return { about: { ownerId: person.userId, slug: drop.slug }, address };
}

/** Creates a signed-in reader who has opened the comment form. */
async function givenForm(address: string) {
  const reader = await givenReader();
  const { visitor } = reader;
  return { ...reader, form: feedbackForm(await visitor.open(address)) };
}

const comment = (index: number) => ({
  author: { kind: "named", name: "Ada" } as const,
  text: `comment ${index}`,
  version: 1,
  atMs: Date.now(),
});

function problemOf({ response }: Visit): string {
  return elementsOf(response, "div")
    .filter(({ attribs }) => attribs.role === "alert")
    .map(textOf)
    .join();
}

test("a banned person can read public pages but not comment, even with a form opened before the ban", async () => {
  const { about, address } = await given();
  const { visitor, form, identity } = await givenForm(address);
  await updateItem({
    key: keys.identity(identity.provider, identity.id),
    update: "SET #banned = :now",
    condition: "attribute_not_exists(#banned)",
    names: { "#banned": bannedAttribute },
    values: { ":now": Date.now() },
  });

  const refused = await sendForm(visitor, form, { text: "kept" });
  const page = await visitor.open(address, { headers: inWindow });

  expect(refused.response.status).toBe(403);
  expect(problemOf(refused)).toContain("can’t comment here");
  expect(elementsOf(refused.response, "textarea").map(textOf)).toContain("kept");
  expect(page.response.status).toBe(200);
  expect(page.response.text).toContain("can’t comment here");
  expect(elementsOf(page.response, "form")).toEqual([]);
  expect(await feedback.list(about.slug)).toEqual([]);
});

test("a comment refused by the drop's daily limit does not count against its reader's limit", async () => {
  const { about, address } = await given();
  const { visitor, form, identity } = await givenForm(address);
  await setUses(feedbackDropRule, about.slug, feedbackDropRule.usesMax);

  const refused = await sendForm(visitor, form, { text: "kept" });

  expect(refused.response.status).toBe(429);
  expect(problemOf(refused)).toMatch(
    /This page has received too many comments in a short time\. Try again in 24 hours\./,
  );
  expect(Number(refused.response.headers["retry-after"])).toBeGreaterThan(86_000);
  const window = await getItem(
    keys.rateWindow(feedbackReaderRule.name, `${identity.provider}#${identity.id}`),
  );
  expect(window?.[`${feedbackReaderRule.name}Count`]).toBe(0);
  expect(await feedback.list(about.slug)).toEqual([]);
});

describe("ten readers who write as much as they can", () => {
  test("leave a tenth of a drop's daily comments and threads to other readers", () => {
    for (const [all, leastLeft] of [
      [limits.commentsPerDayPerDrop, 50],
      [limits.threadsPerDropMax, 20],
    ] as const) {
      let left: number = all;
      for (let reader = 0; reader < 10; reader += 1)
        for (let used = 0; used < fairShare(left); used += 1) left -= 1;

      expect(left).toBeGreaterThanOrEqual(leastLeft);
    }
  });

  test("do not stop an eleventh reader from commenting that day", async () => {
    const { about, address } = await given();
    await setUses(feedbackDropRule, about.slug, feedbackDropRule.usesMax - 40);
    const eleventh = await givenForm(address);
    for (let reader = 0; reader < 10; reader += 1)
      await writeAll(about.slug, { person: `hostile-${reader}` });

    const sent = await sendForm(eleventh.visitor, eleventh.form, { text: "Mine." });

    expect(sent.response.status).toBe(303);
  });

  test("behind a passcode, each from its own network, do not use up the limit of signed-in readers", async () => {
    const { about, address } = await given({ passcode: "open sesame" });
    const gateDay = `${about.slug}#passcode`;
    await setUses(feedbackDropRule, gateDay, feedbackDropRule.usesMax - 40);
    for (let reader = 0; reader < 10; reader += 1)
      await writeAll(about.slug, { network: `10.0.0.${reader}` });
    const visitor = new Visitor();
    const gate = await visitor.open(address, { headers: inWindow });
    const form = feedbackForm(await visitor.submit(gate, { passcode: "open sesame" }));

    const fromGate = await sendForm(visitor, form, { text: "Mine.", name: "Ada" });
    await setUses(feedbackDropRule, gateDay, feedbackDropRule.usesMax);
    const full = await sendForm(visitor, form, { text: "Mine, too.", name: "Ada" });
    const takeBack = await count(about.slug, { person: "signed-in" });

    expect([fromGate.response.status, full.response.status]).toEqual([303, 429]);
    expect(takeBack).toBeInstanceOf(Function);
  });

  test("can each start a quarter of the remaining threads, and still reply afterwards", async () => {
    const { about } = await given();
    const threadCount = limits.threadsPerDropMax - 8;
    await updateItem({
      key: keys.feedback(about.slug),
      update: "SET threadCount = :threads",
      condition: "attribute_not_exists(pk)",
      values: { ":threads": threadCount },
    });
    const hostile = { person: "hostile", beginsThread: true };
    await count(about.slug, hostile);
    await count(about.slug, hostile);

    await expect(count(about.slug, hostile)).rejects.toMatchObject({
      code: "rate_limited",
      details: { limit_of: "reader" },
    });
    await count(about.slug, { person: "hostile" });
    await count(about.slug, { person: "somebody else", beginsThread: true });
  });
});

interface GivenWriter {
  /** @default - a visitor who is not signed in */
  readonly person?: string;
  readonly network?: string;
  readonly beginsThread?: boolean;
}

/** Counts a comment as the form does. */
function count(
  slug: string,
  { person, network = "192.0.2.1", beginsThread = false }: GivenWriter,
  nowMs = Date.now(),
) {
  const reader = person && { identity: { provider: "https://id.example.com", id: `${person} of ${slug}` } };
  const found = { drop: { slug, gate: { kind: "open" } }, reader } as unknown as FoundFeedback;
  const request = { network, headers: {} } as unknown as HttpRequest;
  return countComment(request, found, { beginsThread, nowMs });
}

/** Writes as often as the limits allow over half a day, waiting whenever a limit asks for it. */
async function writeAll(slug: string, writer: GivenWriter): Promise<void> {
  const startedAtMs = Date.now();
  for (let waitedMs = 0; waitedMs < 12 * 60 * 60_000; waitedMs += 601_000) {
    try {
      for (;;) await count(slug, writer, startedAtMs + waitedMs);
    } catch (error) {
      if (!(error instanceof ApiError) || (error.retryAfterSeconds ?? 0) > 3_600) return;
    }
  }
}

test("new browsers behind a passcode share the limit of their network", async () => {
  const { about, address } = await given({ passcode: "open sesame" });
  const from = unusedLoopbackAddress();
  const visitor = new Visitor();
  const page = await visitor.submit(await visitor.open(address, { headers: inWindow }), {
    passcode: "open sesame",
  });
  await setUses(feedbackNetworkRule, `${about.slug}#${from}`, feedbackNetworkRule.usesMax);
  const { url, fields } = feedbackForm(page);
  const request = {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", origin: url.origin, ...inWindow },
    body: new URLSearchParams({ ...fields, text: "kept", name: "Ada" }).toString(),
  };

  const refused = await visitor.request(url, { ...request, from });
  const fromElsewhere = await visitor.request(url, request);

  expect(refused.response.status).toBe(429);
  expect(elementsOf(refused.response, "textarea").map(textOf)).toContain("kept");
  expect(fromElsewhere.response.status).toBe(303);
});

test("a thread has at most 50 comments, and the text of the 51st stays in the form", async () => {
  const { about, address } = await given();
  await feedback.begin(about, comment(1), givenAct());
  const { visitor } = await givenForm(address);
  const form = feedbackForm(await visitor.open(address, { headers: inWindow }), 1);
  for (let index = 2; index <= limits.commentsPerThreadMax; index += 1)
    await feedback.reply(about, 1, comment(index), givenAct());

  const refused = await sendForm(visitor, form, { text: "kept" });
  const page = await visitor.open(address, { headers: inWindow });

  expect(refused.response.status).toBe(429);
  expect(refused.response.headers["retry-after"]).toBe(String(limits.quotaRetryAfterSeconds));
  expect(problemOf(refused)).toContain("reached its reply limit");
  expect(elementsOf(refused.response, "textarea").map(textOf)).toContain("kept");
  expect(() => feedbackForm(page, 1)).toThrow("no form");
});

test("a page has at most 200 threads, and the next one is refused", {
  tags: "nightly",
}, async () => {
  const { about, address } = await given();
  const { visitor, form } = await givenForm(address);
  for (let index = 1; index <= limits.threadsPerDropMax; index += 1)
    await feedback.begin(about, comment(index), givenAct());

  const refused = await sendForm(visitor, form, { text: "kept" });
  const page = await visitor.open(address, { headers: inWindow });

  expect(refused.response.status).toBe(429);
  expect(elementsOf(refused.response, "textarea").map(textOf)).toContain("kept");
  expect(page.response.text).toContain("reached its thread limit");
});
