// @module-tag slow

import { beforeAll, describe, expect, test, vi } from "vitest";
import { answers } from "../../functions/answers/store.ts";
import type { Drop } from "../../functions/drops/drop.ts";
import { drops } from "../../functions/drops/store.ts";
import type { Visibility } from "../../functions/policies/access.ts";
import { type Key, keys } from "../../functions/table/keys.ts";
import { updateItem } from "../../functions/table/table-writes.ts";
import { suspendCommand } from "../../scripts/operator/accounts/suspend.ts";
import type { Command } from "../../scripts/operator/command.ts";
import { takedownCommand } from "../../scripts/operator/takedown.ts";
import { openGivenService, runCommand } from "../operator/given-service.ts";
import { publish } from "../support/accounts.ts";
import { comparable } from "../support/comparable-response.ts";
import { baseUrl } from "../support/http.ts";
import { ownerAddress } from "../support/owner-address.ts";
import { within } from "../support/promised-time.ts";
import { replyOf, sendAnswer, signedBody } from "../support/sent-answers.ts";
import { type Visit, Visitor } from "../support/visitor.ts";
import { type GivenPerson, givenPerson, openStores } from "./given-person.ts";
import { expire, type GivenReader, givenReader, setVisibility } from "./given-reader.ts";

// Answers of readers without access to the drop, on every path of a browser. guarded-drops-elsewhere.test.ts covers
// the API and the tools.

const missing = "0000000";
const html =
  '<!doctype html><title>Poll</title><form data-answers="vote"><input type="radio" name="day" value="Monday"><input type="radio" name="day" value="Friday"></form>';

interface AskedDrop {
  readonly owner: GivenPerson;
  readonly drop: Drop;
  /** Base URL of the owner's host. */
  readonly host: string;
}

/** Creates a drop with one answer, whose counts were requested through the edge on both hosts. */
async function givenAskedDrop(): Promise<AskedDrop> {
  const owner = await givenPerson("asks");
  const { slug, url } = await publish(owner.api, {
    html,
    title: "Given",
    answers: "readers",
    answers_results: true,
  });
  const drop = await drops.find(owner.userId, slug);
  if (drop === undefined) throw new Error("The drop was published.");
  const host = ownerAddress(url);
  expect(replyOf(await sendAnswer(slug, "day=Monday")).state).toBe("sent");
  for (const at of [baseUrl(), host])
    expect((await readCounts(slug, new Visitor(), at)).response.status).toBe(200);
  return { owner, drop, host };
}

function readCounts(slug: string, visitor: Visitor, host: string): Promise<Visit> {
  const headers = { accept: "application/json", "sec-fetch-dest": "empty", "sec-fetch-site": "same-origin" };
  return visitor.request(new URL(`${host}/p/${slug}/answers?form=vote`), { headers });
}

const window = { accept: "text/html", "sec-fetch-dest": "document", "sec-fetch-site": "same-origin" };

interface Asking {
  readonly visitor: Visitor;
  readonly username: string;
  readonly host: string;
}

/** Ways to answer, and to read the counts. */
const ways: readonly (readonly [way: string, ask: (slug: string, asking: Asking) => Promise<Visit>])[] = [
  ["the viewer on the base host", (slug, { visitor }) => sendAnswer(slug, "day=Friday", { visitor })],
  [
    "the page on its owner's host",
    (slug, { visitor, host }) => sendAnswer(slug, "day=Friday", { visitor, host }),
  ],
  ...(["name", "none"] as const).map(
    (as) =>
      [
        `the signing page, with the choice "${as}"`,
        (slug: string, { visitor, username }: Asking) =>
          sendAnswer(slug, signedBody("day=Friday", username), {
            visitor,
            headers: { ...window, origin: baseUrl() },
            query: { as },
          }),
      ] as const,
  ),
  [
    "a click in a frame without scripts",
    (slug, { visitor }) =>
      sendAnswer(slug, "day=Friday", {
        visitor,
        headers: {
          ...window,
          "sec-fetch-dest": "iframe",
          "sec-fetch-site": "cross-site",
          "sec-fetch-user": "?1",
          origin: "null",
        },
      }),
  ],
  ["an older version", (slug, { visitor }) => sendAnswer(slug, "day=Friday", { visitor, query: { v: "1" } })],
  ["the counts", (slug, { visitor }) => readCounts(slug, visitor, baseUrl())],
  ["the counts on its owner's host", (slug, { visitor, host }) => readCounts(slug, visitor, host)],
];

const barred = {
  condition: "attribute_exists(pk) OR attribute_not_exists(pk)",
  values: { ":now": Date.now() },
};
const mark = (key: Key, attribute: string) =>
  updateItem({ key, update: `SET ${attribute} = :now`, ...barred });

/** Readers without access: a stranger, and signed-in readers whom the operator removed or banned. */
const readers: readonly (readonly [who: string, given: () => Promise<GivenReader | undefined>])[] = [
  ["a stranger", async () => undefined],
  [
    "a reader who was removed",
    async () => {
      const reader = await givenReader({ emails: [`leaver-${Date.now()}@example.com`] });
      await mark(keys.member("email", reader.identity.emails[0] ?? ""), "deniedAtMs");
      return reader;
    },
  ],
  [
    "a reader who was banned",
    async () => {
      const reader = await givenReader();
      await mark(keys.identity(reader.identity.provider, reader.identity.id), "bannedAtMs");
      return reader;
    },
  ],
];

const visibility =
  (given: Visibility) =>
  ({ drop }: AskedDrop) =>
    setVisibility(drop, given);

const closings: readonly (readonly [which: string, close: (asked: AskedDrop) => Promise<unknown>])[] = [
  ["for members", visibility({ kind: "members" })],
  [
    "for other readers",
    visibility({ kind: "people", readers: [{ kind: "username", username: "somebody" }] }),
  ],
  ["that has expired", ({ drop }) => expire(drop)],
  ["in the trash", ({ owner, drop: { slug } }) => owner.api.succeed("delete-drop", { params: { slug } })],
  ["of a suspended account", ({ owner }) => operate(suspendCommand, [owner.namespace], { yes: true })],
  [
    "that was taken down",
    ({ drop: { slug } }) => operate(takedownCommand, [slug], { yes: true, "no-copy": true }),
  ],
];

async function operate(...[command, words, options]: [Command, string[], object]): Promise<void> {
  const { isWell, lines } = await runCommand(command, await openGivenService(), words, { ...options });
  expect(isWell, lines.join("\n")).toBe(true);
}

beforeAll(openStores);

describe.each(closings)("a drop %s", (which, close) => {
  let asked: AskedDrop;

  beforeAll(async () => {
    asked = await givenAskedDrop();
    await close(asked);
    // Promise 11: a change takes effect everywhere within 5 s.
    await vi.waitFor(async () => {
      for (const at of [baseUrl(), asked.host])
        expect((await readCounts(asked.drop.slug, new Visitor(), at)).response.status).toBe(404);
    }, within(5));
  });

  test.each(readers)(
    "accepts no answer of %s, and looks to them like a missing drop on every path",
    async (_, given) => {
      const { slug } = asked.drop;
      const before = await answers.listAll(slug);
      const reader = await given();
      const asking = (visitor: Visitor) => ({
        visitor,
        username: reader?.identity.username ?? "",
        host: asked.host,
      });

      for (const [way, ask] of ways) {
        const visitor = reader?.visitor ?? new Visitor();
        const unknown = await ask(missing, asking(visitor));
        const known = await ask(slug, asking(visitor));

        expect([way, known.response.status]).toEqual([way, 404]);
        expect(comparable(known.response, slug), way).toEqual(comparable(unknown.response, missing));
        expect(known.response.setCookies, way).toEqual([]);
      }

      expect(before).toHaveLength(which === "that was taken down" ? 0 : 1);
      expect(await answers.listAll(slug)).toEqual(before);
    },
  );
});

describe("a drop for named people", () => {
  test("accepts its reader's answers on every path that identifies the reader, until the reader is removed", async () => {
    const asked = await givenAskedDrop();
    const { slug } = asked.drop;
    const { visitor, identity } = await givenReader();
    const asking = { visitor, username: identity.username, host: asked.host };
    const statuses = async () => {
      const found: [string, number][] = [];
      for (const [way, ask] of ways) found.push([way, (await ask(slug, asking)).response.status]);
      return found;
    };
    await setVisibility(asked.drop, {
      kind: "people",
      readers: [{ kind: "username", username: identity.username }],
    });
    const isOpen = (way: string) => !/owner's host|frame/.test(way);

    await vi.waitFor(async () => {
      expect(await statuses()).toEqual(ways.map(([way]) => [way, isOpen(way) ? 200 : 404]));
    }, within(5));
    // Each way replaces the reader's earlier answer, so the signed one comes last.
    await sendAnswer(slug, signedBody("day=Monday", identity.username), {
      visitor,
      headers: { ...window, origin: baseUrl() },
      query: { as: "name" },
    });
    const stored = await answers.listAll(slug);
    await setVisibility(asked.drop, { kind: "people", readers: [] });

    expect(await statuses()).toEqual(ways.map(([way]) => [way, 404]));
    expect(await answers.listAll(slug)).toEqual(stored);
    expect(stored.some(({ author }) => author.kind === "reader" && author.name === identity.username)).toBe(
      true,
    );
  });
});

test("a locked drop accepts answers and shows counts only with its passcode", async () => {
  const {
    owner,
    drop: { slug },
    host,
  } = await givenAskedDrop();
  await owner.api.succeed("set-passcode", { params: { slug }, body: { passcode: "open sesame" } });
  const visitor = new Visitor();
  const asking = { visitor, username: "", host };
  await vi.waitFor(async () => {
    for (const at of [baseUrl(), host])
      expect((await readCounts(slug, visitor, at)).response.status).toBe(404);
  }, within(5));

  for (const [way, ask] of ways) {
    const { response } = await ask(slug, asking);
    expect([way, response.status]).toEqual([way, way.includes("counts") ? 404 : 403]);
    expect(response.text).not.toContain("Given");
  }
  expect(await answers.listAll(slug)).toHaveLength(1);
  await visitor.submit(await visitor.open(`${baseUrl()}/p/${slug}`), { passcode: "open sesame" });

  expect(replyOf(await sendAnswer(slug, "day=Friday", { visitor })).state).toBe("sent");
  expect(replyOf(await readCounts(slug, visitor, baseUrl()))).toEqual({
    counts: [
      [
        "day",
        [
          ["Monday", 1],
          ["Friday", 1],
        ],
      ],
    ],
  });
  expect(await answers.listAll(slug)).toHaveLength(2);
});

test("a form in a window leads to the same page for every slug, so that existing slugs are not revealed", async () => {
  const asked = await givenAskedDrop();
  await setVisibility(asked.drop, { kind: "people", readers: [] });
  const { visitor } = await givenReader();
  const headers = { ...window, "sec-fetch-site": "cross-site", origin: "null" };
  const shown = async (slug: string) => {
    const { response } = await sendAnswer(slug, "day=Friday", { visitor, headers });
    const text = response.text.replaceAll(/name="form" value="[^"]*"/g, "");
    return comparable({ ...response, text }, slug);
  };

  const found = await shown(asked.drop.slug);

  const isSized = ([name]: readonly string[]) => name !== "content-length";
  expect(found.status).toBe(200);
  expect(found.text).not.toContain("Given");
  expect(found.headers.filter(isSized)).toEqual((await shown(missing)).headers.filter(isSized));
  expect(found.text).toBe((await shown(missing)).text);
});
