import { createHash, randomInt, randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { limits } from "../../functions/core/limits.ts";
import { createDrop } from "../../functions/drops/drop.ts";
import { toStoredPage } from "../../functions/drops/page-content.ts";
import type { DropResponse } from "../../functions/drops/schemas.ts";
import { drops } from "../../functions/drops/store.ts";
import { createObjectId, createSlug, hashSecret } from "../../functions/table/identifiers.ts";
import { keys, ranges } from "../../functions/table/keys.ts";
import { getItem, queryAll } from "../../functions/table/table.ts";
import { updateItem } from "../../functions/table/table-writes.ts";
import { pageOf, publish } from "../support/accounts.ts";
import type { ApiClient } from "../support/client.ts";
import { expectError } from "../support/expect-error.ts";
import { givenAct } from "../support/given-act.ts";
import type { ReceivedResponse } from "../support/http.ts";
import { quickAndSlow } from "../support/quick-and-slow.ts";
import { race } from "../support/race.ts";
import { sampleCall } from "../support/sample-calls.ts";
import {
  clientOf,
  expectCountsToHold,
  type GivenPerson,
  givenDrops,
  givenPerson,
  openStores,
} from "./given-person.ts";

const body = { html: pageOf("retried"), title: "Retried" };

beforeAll(openStores);

function dropOf({ text }: ReceivedResponse): DropResponse {
  return JSON.parse(text) as DropResponse;
}

function publishOnce(person: GivenPerson, key: string, fields: object = {}): Promise<ReceivedResponse> {
  const headers = { "idempotency-key": key };
  return person.api.call("publish-drop", { body: { ...body, ...fields }, headers });
}

for (const { cases, options } of quickAndSlow([6, 50], (racers) => racers === 6))
  describe.each(cases)("of %i concurrent calls", options, (racers) => {
    test("upserts with one filter create one drop with a version each", { tags: "slow" }, async () => {
      const person = await givenPerson("upserts", 2);
      const query = { "metadata.project": "one" };

      const responses = await race(racers, (index) =>
        clientOf(person, index).call("upsert-drop", { query, body }),
      );

      const count = (status: number) => responses.filter((response) => response.status === status).length;
      expect([count(201), count(200)]).toEqual([1, racers - 1]);
      expect(new Set(responses.map((response) => dropOf(response).slug)).size).toBe(1);
      const { drops } = await person.api.succeed("list-drops", { query });
      expect(drops.map(({ latest_version }) => latest_version)).toEqual([racers]);
      await expectCountsToHold(person);
    });

    test("publications with one key create one drop", async () => {
      const person = await givenPerson("one-key", 2);
      const headers = { "idempotency-key": randomUUID() };

      const responses = await race(racers, (index) =>
        clientOf(person, index).call("publish-drop", { body, headers }),
      );

      expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
      expect((await person.api.succeed("list-drops")).total).toBe(1);
      await expectCountsToHold(person);
    });
  });

describe("between an upsert's lookup and its insert", () => {
  const changes: readonly (readonly [string, boolean, (api: ApiClient, slug: string) => Promise<unknown>])[] =
    [
      ["a new drop is detected", true, (api) => publish(api)],
      ["a drop created by another upsert is detected", true, (api) => upsertOnce(api, "another")],
      [
        "an edit of a drop's metadata is detected",
        true,
        (api, slug) => editWith(api, slug, { metadata: { a: "2" } }),
      ],
      [
        "a version with other metadata is detected",
        true,
        (api, slug) => putWith(api, slug, { metadata: { a: "2" } }),
      ],
      [
        "an edit with the same metadata is ignored",
        false,
        (api, slug) => editWith(api, slug, { metadata: { a: "1" } }),
      ],
      [
        "a version with another title is ignored",
        false,
        (api, slug) => putWith(api, slug, { title: "Other" }),
      ],
      ["an upload is ignored", false, (api) => api.succeed("upload-blob", sampleCall("upload-blob"))],
    ];

  test.each(changes)("%s", async (_case, isOther, change) => {
    const person = await givenPerson("looked");
    const { slug } = await publish(person.api, { metadata: { a: "1" } });
    const seen = { set: await drops.findSetRevision(person.userId) };
    await change(person.api, slug);

    const { drop, version } = newDrop(person);
    const outcome = await drops.tryInsert(drop, version, givenAct(), { seen });

    expect(outcome).toBe(isOther ? "set-changed" : "inserted");
    expect((await drops.find(person.userId, drop.slug)) === undefined).toBe(isOther);
  });
});

function upsertOnce(api: ApiClient, project: string): Promise<ReceivedResponse> {
  return api.call("upsert-drop", { query: { "metadata.project": project }, body });
}

function editWith(api: ApiClient, slug: string, fields: object): Promise<DropResponse> {
  return api.succeed("edit-drop", { params: { slug }, body: fields });
}

function putWith(api: ApiClient, slug: string, fields: object): Promise<DropResponse> {
  return api.succeed("publish-version", { params: { slug }, body: { html: body.html, ...fields } });
}

/** Creates a drop without storing it. */
function newDrop(person: GivenPerson) {
  const slug = createSlug(randomInt);
  const page = toStoredPage(slug, createObjectId(randomInt), body);
  return createDrop(person, body, page, { slug, passcodeHash: undefined, nowMs: Date.now() });
}

test("a repeated publication gets its first response even if the account is full", async () => {
  const person = await givenPerson("full", 1);
  const first = await publishOnce(person, "full");
  await updateItem({
    key: keys.account(person.userId),
    update: "SET dropCount = :max",
    condition: "dropCount = :one",
    values: { ":max": limits.dropsPerAccountMax, ":one": 1 },
  });

  expectError(await publishOnce(person, "another"), "quota_exceeded");
  const again = await publishOnce(person, "full");

  expect([again.status, again.text]).toEqual([201, first.text]);
});

test("every call with a key counts as a write, except one with an invalid query or body", async () => {
  const person = await givenPerson("spends");
  const spent = async () => (await getItem(keys.token(hashSecret(person.api.token ?? ""))))?.minuteCount;
  await publishOnce(person, "spends");
  await publishOnce(person, "spends");
  expectError(await publishOnce(person, "spends", { title: "Another" }), "idempotency_key_reused");
  expect(await spent()).toBe(3);

  const contradictory = { query: { "metadata.a": "1" }, body: { ...body, metadata: { a: "2" } } };
  expectError(await person.api.call("upsert-drop", contradictory), "invalid_arg");

  expect(await spent()).toBe(3);
});

test("after a day a key can be used again, even before its item is deleted", async () => {
  const person = await givenPerson("next-day");
  const first = await publishOnce(person, "daily");
  const key = keys.storedResponse(person.userId, hashSecret("daily"));
  const kept = await getItem(key);
  expect(kept?.expiresAtMs).toBe((kept?.createdAtMs as number) + 86_400_000);
  await updateItem({
    key,
    update: "SET expiresAtMs = :past",
    condition: "attribute_exists(pk)",
    values: { ":past": Date.now() - 1 },
  });

  const next = await publishOnce(person, "daily", { title: "Another day" });

  expect(next.status).toBe(201);
  expect(dropOf(next).slug).not.toBe(dropOf(first).slug);
  expect((await publishOnce(person, "daily", { title: "Another day" })).text).toBe(next.text);
});

test("no stored record reveals a key, a passcode, a page or an upload URL", {
  tags: "slow",
}, async () => {
  const person = await givenPerson("kept");
  const key = randomUUID();
  const passcode = "7391";
  await publishOnce(person, key, { passcode });
  const start = { body: { filename: "a.txt", size_bytes: 9 }, headers: { "idempotency-key": `${key}-2` } };
  await person.api.call("start-upload", start);

  const items = await queryAll(ranges.storedResponses(person.userId));

  const text = JSON.stringify(items);
  expect(items).toHaveLength(2);
  for (const secret of [key, passcode, "retried</p>", "X-Amz", "Signature"])
    expect(text).not.toContain(secret);
  // A reader of the table knows the whole request except the passcode, and could try all short passcodes.
  const known = { ...body, passcode };
  for (const guess of [JSON.stringify(known), passcode, JSON.stringify(body) + passcode]) {
    expect(text).not.toContain(createHash("sha256").update(guess).digest("hex"));
  }
  const kept = items.find(({ passcodeHash }) => passcodeHash !== undefined);
  expect(kept?.passcodeHash).toMatch(/^scrypt\$32768\$8\$1\$/);
});

test("an account created before the counter of drop changes accepts upserts", async () => {
  const person = await givenPerson("older");
  const [drop] = await givenDrops(person, 1);
  await updateItem({
    key: keys.account(person.userId),
    update: "REMOVE dropSetRevision",
    condition: "dropSetRevision = :one",
    values: { ":one": 1 },
  });
  const params = { slug: drop?.slug ?? "" };
  const query = { "metadata.project": "old" };

  const first = await person.api.call("upsert-drop", { query, body });
  await person.api.succeed("edit-drop", { params, body: { metadata: { project: "older" } } });
  const second = await person.api.call("upsert-drop", { query: { "metadata.project": "older" }, body });

  expect([first.status, second.status]).toEqual([201, 200]);
  expect((await getItem(keys.account(person.userId)))?.dropSetRevision).toBe(2);
});
