// @module-tag slow

import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { DropResponse } from "../../functions/drops/schemas.ts";
import { signSlackRequest } from "../../functions/slack/slack-app.ts";
import { keys } from "../../functions/table/keys.ts";
import { updateItem } from "../../functions/table/table-writes.ts";
import { outputNames } from "../../lib/output-names.ts";
import { openService } from "../../scripts/operator/service.ts";
import { type Account, newAccount, publish } from "../support/accounts.ts";
import { type ClientHost, startClientHost } from "../support/client-host.ts";
import { expectError } from "../support/expect-error.ts";
import { givenRender } from "../support/given-render.ts";
import { baseUrl, fetchPage, useService } from "../support/http.ts";
import { ownerName } from "../support/owner-address.ts";
import { type RunningService, startService } from "../support/running-service.ts";

/** A call that the fake Slack received. */
interface SlackCall {
  readonly method: string;
  readonly authorization: string | undefined;
  readonly parameters: Readonly<Record<string, string>>;
}

const signingSecret = "8f742231b10e8888abcd99yyyzzz85a5";
const botToken = "xoxb-of-the-tests";
const ownersEmail = "ada@example.com";

let slack: ClientHost;
let service: RunningService;
let owner: Account;
let open: DropResponse;
let unlisted: DropResponse;
let members: DropResponse;
let people: DropResponse;
let locked: DropResponse;
const calls: SlackCall[] = [];
let manner: (response: ServerResponse, method: string) => void;

/** People of the workspace T1 by their ids. */
const users: Record<string, object> = {
  UOWNER: { team_id: "T1", is_email_confirmed: true, profile: { email: "Ada@example.com" } },
  UREADER: { team_id: "T1", is_email_confirmed: true, profile: { email: "grace@example.com" } },
  UUNCONFIRMED: { team_id: "T1", is_email_confirmed: false, profile: { email: ownersEmail } },
  UUNSAID: { team_id: "T1", profile: { email: ownersEmail } },
  UOTHERTEAM: { team_id: "T2", is_email_confirmed: true, profile: { email: ownersEmail } },
  USTRANGER: { team_id: "T1", is_stranger: true, is_email_confirmed: true, profile: { email: ownersEmail } },
  UDELETED: { team_id: "T1", deleted: true, is_email_confirmed: true, profile: { email: ownersEmail } },
  UWITHOUT: { team_id: "T1", is_email_confirmed: true, profile: {} },
};

const answer = (response: ServerResponse, body: object) => response.end(JSON.stringify(body));

beforeAll(async () => {
  slack = await startClientHost((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const method = (request.url ?? "").replace("/api/", "");
      const parameters = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()));
      calls.push({ method, authorization: request.headers.authorization, parameters });
      if (method !== "users.info") return manner(response, method);
      const user = users[parameters.user ?? ""];
      answer(response, user ? { ok: true, user } : { ok: false, error: "user_not_found" });
    });
  });
  service = await startService({
    fileSettings: { ingest: "none", slack: true },
    internet: slack.internetWith({ "slack.com": { addresses: ["93.184.215.14"] } }),
  });
  useService(service);
  const parameter = service.cloud.template.outputs[outputNames.slackParameter] ?? "";
  service.cloud.awsEndpoint.parameters.put(
    parameter,
    "SecureString",
    JSON.stringify({ signing_secret: signingSecret, bot_token: botToken }),
  );
  await openService({ local: join(service.directory, "data") });
  owner = await newAccount("slack");
  await updateItem({
    key: keys.account(owner.userId),
    update: "SET lastIdentity = :identity",
    condition: "attribute_exists(pk)",
    values: {
      ":identity": { username: owner.username, emails: [ownersEmail], groups: [], organizations: [] },
    },
  });
  open = await publish(owner.api, {
    title: "Numbers <!channel> *of* the quarter",
    description: "All of them.",
  });
  unlisted = await publish(owner.api, { title: "A draft", visibility: "unlisted" });
  members = await publish(owner.api, { title: "The plan", description: "For us.", visibility: "members" });
  people = await publish(owner.api, {
    title: "The letter",
    visibility: "people",
    readers: ["grace@example.com"],
  });
  locked = await publish(owner.api, { title: "The secret", passcode: "open sesame" });
  await givenRender(open);
  await givenRender(members);
});
afterAll(async () => {
  await service?.stop();
  await slack?.stop();
});

beforeEach(() => {
  manner = (response) => answer(response, { ok: true });
});
afterEach(() => void calls.splice(0));

/** Sends a body with Slack's signature. */
function send(body: object | string, { headers = {}, secret = signingSecret, ageSeconds = 0 } = {}) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const timestamp = String(Math.floor(Date.now() / 1000) - ageSeconds);
  return fetchPage(`${baseUrl()}/slack/events`, {
    method: "POST",
    body: text,
    headers: {
      "content-type": "application/json",
      "x-slack-request-timestamp": timestamp,
      "x-slack-signature": signSlackRequest(secret, timestamp, Buffer.from(text)),
      ...headers,
    },
  });
}

function linkShared(urls: readonly string[], user = "UOWNER", event: object = {}, call: object = {}) {
  return {
    type: "event_callback",
    team_id: "T1",
    event_id: "Ev1",
    event: {
      type: "link_shared",
      channel: "C1",
      user,
      message_ts: "1.2",
      links: urls.map((url) => ({ domain: new URL(url).hostname, url })),
      ...event,
    },
    ...call,
  };
}

const unfurls = () =>
  calls
    .filter(({ method }) => method === "chat.unfurl")
    .map(({ parameters: { unfurls: sent = "{}", ...place } }) => ({ place, unfurls: JSON.parse(sent) }));

/** Returns the cards that Slack received for links that this person posts. */
async function cardsOf(urls: readonly string[], user?: string, event?: object, call?: object) {
  const response = await send(linkShared(urls, user, event, call));
  expect([response.status, response.text]).toEqual([200, "{}"]);
  const [first, ...others] = unfurls();
  expect(others).toEqual([]);
  return first?.unfurls ?? {};
}

describe("Slack's signature of a request", () => {
  test("is required: requests with a missing, wrong or old signature are refused", async () => {
    const body = linkShared([open.url]);
    const unsigned = { "x-slack-signature": [] };
    const refused = await Promise.all([
      send(body, { secret: "another" }),
      send(body, { headers: unsigned }),
      send({ type: "url_verification", challenge: "c" }, { headers: unsigned }),
      send(body, { headers: { "x-slack-request-timestamp": [] } }),
      send(body, { headers: { "x-slack-request-timestamp": "1531420618" } }),
      send(body, { ageSeconds: 301 }),
      send(body, { ageSeconds: -302 }),
      send(body, { headers: { "x-slack-signature": `v0=${"0".repeat(64)}` } }),
      send(body, { headers: { "x-slack-signature": "v0=x" } }),
      send("", { headers: unsigned }),
    ]);

    for (const response of refused) expectError(response, "unauthorized");
    expect(calls).toEqual([]);
  });

  test("is valid for five minutes", async () => {
    const { status } = await send({ type: "url_verification", challenge: "c" }, { ageSeconds: 297 });

    expect(status).toBe(200);
  });
});

test("Slack's URL verification gets its challenge as response", async () => {
  const { status, text } = await send({
    token: "t",
    challenge: "3eZbrw1aBm2rZgRNFdxV",
    type: "url_verification",
  });

  expect([status, JSON.parse(text)]).toEqual([200, { challenge: "3eZbrw1aBm2rZgRNFdxV" }]);
});

test("other and invalid events are accepted and cause no calls", async () => {
  const others = [
    { type: "event_callback", team_id: "T1", event: { type: "message", text: open.url } },
    { type: "app_rate_limited" },
    linkShared([open.url], "UOWNER", { links: "none" }),
    linkShared([open.url], "UOWNER", { links: [null, 1, { url: 2 }] }),
    linkShared([open.url], "UOWNER", { channel: undefined }),
    [],
    "x",
    "null",
  ];

  for (const body of others) expect((await send(body)).status).toBe(200);
  expect(calls).toEqual([]);
});

describe("a link to a public drop", () => {
  test("gets its card in plain text, for anyone who posts it, without a look-up", async () => {
    const cards = await cardsOf([open.url, unlisted.url], "UREADER");

    expect(calls.map(({ method }) => method)).toEqual(["chat.unfurl"]);
    expect(calls[0]?.authorization).toBe(`Bearer ${botToken}`);
    expect(unfurls()[0]?.place).toEqual({ channel: "C1", ts: "1.2" });
    const by = `Published by ${ownerName(open.url)} on Dropleaf`;
    const plain = (text: string) => ({ type: "plain_text", text, emoji: false });
    expect(cards).toEqual({
      [open.url]: {
        blocks: [
          { type: "header", text: plain("Numbers <!channel> *of* the quarter") },
          { type: "section", text: plain("All of them.") },
          {
            type: "image",
            image_url: expect.stringContaining(`/p/${open.slug}/raw?drawn=card&v=1`),
            alt_text: "Numbers <!channel> *of* the quarter",
          },
          { type: "context", elements: [plain(by)] },
        ],
      },
      [unlisted.url]: {
        blocks: [
          { type: "header", text: plain("A draft") },
          { type: "context", elements: [plain(by)] },
        ],
      },
    });
    const picture = await fetchPage(cards[open.url].blocks[2].image_url);
    expect(picture.status).toBe(200);
  });

  test("gets its card even while the message is being written", async () => {
    await cardsOf([open.url], "UOWNER", { channel: "COMPOSER", unfurl_id: "C1.1.x", source: "composer" });

    expect(unfurls()[0]?.place).toEqual({ unfurl_id: "C1.1.x", source: "composer" });
  });

  test("gets one card even if posted twice, and none for a missing version or drop", async () => {
    const cards = await cardsOf([
      open.url,
      open.url,
      `${open.url}?v=1`,
      `${open.url}?v=9`,
      `${baseUrl()}/p/0000000`,
      "https://example.com/",
      `${baseUrl()}/login`,
    ]);

    expect(Object.keys(cards).toSorted()).toEqual([open.url, `${open.url}?v=1`].toSorted());
  });
});

describe("a link to a restricted drop", () => {
  const guarded = () => [members.url, people.url, `${baseUrl()}/p/${members.slug}`];

  test("gets a card without picture if its owner posts it", async () => {
    const cards = await cardsOf(guarded());

    expect(Object.keys(cards).toSorted()).toEqual(guarded().toSorted());
    expect(calls.filter(({ method }) => method === "users.info")).toHaveLength(1);
    expect(calls[0]?.parameters).toEqual({ user: "UOWNER" });
    const text = JSON.stringify(cards[members.url]);
    for (const words of ["The plan", "For us.", "Only its readers can open it."])
      expect(text).toContain(words);
    expect(JSON.stringify(cards)).not.toMatch(/drawn|grace/);
  });

  test.each(Object.keys(users).filter((id) => id !== "UOWNER"))(
    "gets nothing if %s posts it",
    async (user) => {
      expect(await cardsOf([...guarded(), open.url], user)).toEqual({ [open.url]: expect.anything() });
    },
  );

  test("gets nothing for a person unknown to Slack, or in a channel shared with other organizations", async () => {
    expect(await cardsOf(guarded(), "UNOBODY")).toEqual({});
    expect(await cardsOf(guarded(), "UOWNER", {}, { is_ext_shared_channel: true })).toEqual({});
  });

  test("gets nothing if it is locked, even for its owner", async () => {
    for (const user of ["UOWNER", "UREADER"])
      expect(await cardsOf([locked.url, `${baseUrl()}/p/${locked.slug}`, `${locked.url}?v=1`], user)).toEqual(
        {},
      );
  });

  test("gets nothing once its owner is suspended or the drop is deleted", async () => {
    const gone = await publish(owner.api, { visibility: "members" });
    await owner.api.succeed("delete-drop", { params: { slug: gone.slug } });
    expect(await cardsOf([gone.url])).toEqual({});

    const mark = (update: string, values?: object) =>
      updateItem({
        key: keys.account(owner.userId),
        update,
        condition: "attribute_exists(pk)",
        ...(values ? { values: { ...values } } : {}),
      });
    await mark("SET suspendedAtMs = :now", { ":now": Date.now() });
    const seen = await cardsOf(guarded());
    await mark("REMOVE suspendedAtMs");
    expect(seen).toEqual({});
  });
});

describe("Slack", () => {
  test("gets no second card for a repeated event", async () => {
    const { status } = await send(linkShared([open.url]), {
      headers: { "x-slack-retry-num": "1", "x-slack-retry-reason": "http_timeout" },
    });

    expect([status, calls]).toEqual([200, []]);
  });

  test.each([
    ["is down", (response: ServerResponse) => response.writeHead(503).end("out"), "answered-503"],
    ["limits calls", (response: ServerResponse) => response.writeHead(429).end(), "answered-429"],
    [
      "refuses",
      (response: ServerResponse) => answer(response, { ok: false, error: "cannot_unfurl_url" }),
      "cannot_unfurl_url",
    ],
    [
      "returns an invalid error code",
      (response: ServerResponse) => answer(response, { ok: false, error: "<b>" }),
      "unknown-error",
    ],
    ["does not respond", () => {}, "timed-out"],
  ] as const)("that %s gets a response in time, is logged, and is not called again", async (_, how, why) => {
    manner = how;
    const startedAtMs = Date.now();

    const { status } = await send(linkShared([open.url]));

    expect(status).toBe(200);
    expect(Date.now() - startedAtMs).toBeLessThan(3_000);
    expect(calls).toHaveLength(1);
    const log = () => readFileSync(join(service.directory, "log.txt"), "utf8");
    await expect.poll(log).toContain(`"event":"slack-failed","why":"${why}"`);
    expect(log()).not.toMatch(/xoxb-|8f742231b10e/);
  });
});
