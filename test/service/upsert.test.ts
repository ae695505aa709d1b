import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { limits } from "../../functions/core/limits.ts";
import { type DropResponse, dropResponse } from "../../functions/drops/schemas.ts";
import { type Account, anotherToken, newAccount, pageOf, publish } from "../support/accounts.ts";
import type { ApiClient, CallOptions } from "../support/client.ts";
import { expectError } from "../support/expect-error.ts";
import { baseUrl, fetchPage, type ReceivedResponse } from "../support/http.ts";
import { race } from "../support/race.ts";

let account: Account;
let api: ApiClient;

beforeAll(async () => {
  account = await newAccount("upserter");
  api = await anotherToken(account);
});

function upsert(
  project: string,
  fields: Readonly<Record<string, unknown>> = {},
  headers: CallOptions["headers"] = {},
): Promise<ReceivedResponse> {
  const body = { html: pageOf("upserted"), title: "Upserted", ...fields };
  return api.call("upsert-drop", { query: { "metadata.project": project }, body, headers });
}

function dropOf({ text }: ReceivedResponse): DropResponse {
  return z.parse(dropResponse, JSON.parse(text));
}

describe("an upsert without a matching drop", () => {
  test("publishes a drop with the query's pairs in its metadata", async () => {
    const project = randomUUID();

    const response = await upsert(project, { metadata: { branch: "main" }, description: "New." });

    expect(response.status).toBe(201);
    const drop = dropOf(response);
    expect(drop).toMatchObject({ latest_version: 1, metadata: { project, branch: "main" }, locked: false });
    expect(await api.succeed("get-drop", { params: { slug: drop.slug } })).toEqual(drop);
    expect((await fetchPage(drop.raw_url)).text).toContain("<p>upserted</p>");
  });

  test("publishes nothing if it has If-Match", async () => {
    const project = randomUUID();

    expectError(await upsert(project, {}, { "if-match": "*" }), "precondition_failed");

    const query = { "metadata.project": project };
    expect((await api.succeed("list-drops", { query })).total).toBe(0);
  });
});

describe("an upsert with one matching drop", () => {
  test("publishes a version and sets the given fields, and keeps the others", async () => {
    const project = randomUUID();
    const first = dropOf(await upsert(project, { description: "Stays.", metadata: { branch: "main" } }));

    const response = await upsert(project, { html: pageOf("second"), title: "Second" });

    expect(response.status).toBe(200);
    const { updated_at } = dropOf(response);
    expect(dropOf(response)).toEqual({ ...first, title: "Second", latest_version: 2, updated_at });
    expect((await fetchPage(first.raw_url)).text).toContain("<p>second</p>");
  });

  test("replaces the metadata, but keeps the query's pairs", async () => {
    const project = randomUUID();
    await upsert(project, { metadata: { branch: "main", old: "yes" } });

    const drop = dropOf(await upsert(project, { metadata: { branch: "next" } }));

    expect(drop.metadata).toEqual({ branch: "next", project });
    expect(dropOf(await upsert(project, { metadata: {} })).metadata).toEqual({ project });
  });

  test("sets, changes or removes the passcode, and keeps readers' access if it is the same", {
    tags: "slow",
  }, async () => {
    const project = randomUUID();
    await upsert(project);
    const locked = dropOf(await upsert(project, { passcode: "open sesame" }));
    const address = `${baseUrl()}/p/${locked.slug}`;
    const unlocked = await fetchPage(`${address}/unlock`, {
      method: "POST",
      headers: { origin: baseUrl(), "content-type": "application/x-www-form-urlencoded" },
      body: "passcode=open+sesame",
    });
    const [cookie = ""] = unlocked.setCookies.map((set) => set.split(";")[0]);
    const isOpen = async () =>
      (await fetchPage(`${address}/raw`, { headers: { cookie } })).text.includes("<p>upserted</p>");

    expect(locked.locked).toBe(true);
    expect(await isOpen()).toBe(true);
    expect(dropOf(await upsert(project, { passcode: "open sesame" })).locked).toBe(true);
    expect(dropOf(await upsert(project)).locked).toBe(true);
    expect(await isOpen()).toBe(true);
    expect(dropOf(await upsert(project, { passcode: "another one" })).locked).toBe(true);
    expect(await isOpen()).toBe(false);
    expect(dropOf(await upsert(project, { passcode: "" })).locked).toBe(false);
  });

  test("is refused if the drop has changed since the revision in If-Match", async () => {
    const project = randomUUID();
    const { etag = "" } = (await upsert(project)).headers;
    const second = await upsert(project, {}, { "if-match": etag });

    expect(second.status).toBe(200);
    expectError(await upsert(project, {}, { "if-match": etag }), "precondition_failed");
    expect((await upsert(project, {}, { "if-match": second.headers.etag ?? "" })).status).toBe(200);
  });

  test("with an empty passcode differs from one without a passcode for the same Idempotency-Key", async () => {
    const project = randomUUID();
    const key = { "idempotency-key": project };
    await upsert(project, { passcode: "open sesame" });
    const locked = await upsert(project, {}, key);

    expectError(await upsert(project, { passcode: "" }, key), "idempotency_key_reused");
    expect(dropOf(locked).locked).toBe(true);
    expect((await upsert(project, {}, key)).text).toBe(locked.text);
  });

  test("publishes no further version if it is repeated with the same Idempotency-Key", async () => {
    const project = randomUUID();
    const keyed = (key: string, fields = {}) => upsert(project, fields, { "idempotency-key": key });
    const first = await keyed("1".repeat(8) + project);
    const second = await keyed("2".repeat(8) + project);

    const [firstAgain, secondAgain] = [
      await keyed("1".repeat(8) + project),
      await keyed("2".repeat(8) + project),
    ];

    expect([first.status, second.status]).toEqual([201, 200]);
    expect([firstAgain.text, secondAgain.text]).toEqual([first.text, second.text]);
    expect([firstAgain.status, secondAgain.status]).toEqual([201, 200]);
    const other = await keyed("1".repeat(8) + project, { title: "Another" });
    expectError(other, "idempotency_key_reused");
    const { slug } = dropOf(first);
    expect((await api.succeed("get-drop", { params: { slug } })).latest_version).toBe(2);
  });
});

test("an upsert with several matching drops changes nothing, and the error lists them", async () => {
  const project = randomUUID();
  const drops = await Promise.all([1, 2].map(() => publish(api, { metadata: { project } })));

  const { details } = expectError(await upsert(project), "several_match");

  expect(details.total).toBe(2);
  expect(new Set(details.slugs as string[])).toEqual(new Set(drops.map(({ slug }) => slug)));
  const query = { "metadata.project": project };
  const list = await api.succeed("list-drops", { query });
  expect(list.drops.map(({ latest_version }) => latest_version)).toEqual([1, 1]);
});

describe("an upsert is refused with invalid_arg for", () => {
  const body = { html: pageOf("x"), title: "x" };
  const tooMany = Object.fromEntries(
    Array.from({ length: limits.metadataKeysMax }, (_, index) => [`k${index}`, ""]),
  );

  test.each([
    ["a query without pairs", [], body, "at least one"],
    [
      "a key with two values",
      [
        ["metadata.a", "1"],
        ["metadata.a", "2"],
      ],
      body,
      "several values",
    ],
    ["an invalid key", [["metadata.A", "1"]], body, 'Invalid metadata key "A"'],
    ["a value that is too long", [["metadata.a", "x".repeat(257)]], body, "257 characters"],
    [
      "a different value in the body",
      [["metadata.a", "1"]],
      { ...body, metadata: { a: "2" } },
      '"2" in the body',
    ],
    ["eleven keys in total", [["metadata.a", "1"]], { ...body, metadata: tooMany }, "11 keys"],
  ] as [string, [string, string][], object, string][])("%s", async (_case, query, sent, words) => {
    const response = await api.call("upsert-drop", { query, body: sent });
    expect(expectError(response, "invalid_arg").message).toContain(words);
  });
});

test("an upsert accepts HTML of 2 MiB whose JSON is much longer", { tags: "slow" }, async () => {
  const project = randomUUID();
  const html = "\u0001".repeat(limits.htmlBytesMax);

  const responses = [await upsert(project, { html }), await upsert(project, { html })];

  expect(responses.map(({ status }) => status)).toEqual([201, 200]);
});

describe("concurrent upserts", () => {
  test("with different filters create one drop each", { tags: "slow" }, async () => {
    const person = await newAccount("upserter-of-many");
    const body = { html: pageOf("race"), title: "Race" };

    const responses = await race(15, (index) =>
      person.api.call("upsert-drop", { query: { "metadata.project": `p${index}` }, body }),
    );

    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 15 }, () => 201));
    expect((await person.api.succeed("get-me")).drop_count).toBe(15);
  });
});
