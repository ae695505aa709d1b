// @module-tag slow

import { EventBridgeClient } from "@aws-sdk/client-eventbridge";
import { AwsError } from "@dropleaf/local-cloud/aws/aws-error";
import type { BusEvent } from "@dropleaf/local-cloud/aws/eventbridge/event-bus";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { toAnswerItem } from "../../functions/answers/items.ts";
import { type Drop, withChanges, withGate } from "../../functions/drops/drop.ts";
import type { Author } from "../../functions/feedback/feedback.ts";
import { toCommentItem } from "../../functions/feedback/items.ts";
import { entriesOf } from "../../functions/library/library-index.ts";
import { toRenderItem } from "../../functions/renders/store.ts";
import { type Key, keys } from "../../functions/table/keys.ts";
import type { Item } from "../../functions/table/table.ts";
import { dropItem, givenDrop, ownerId } from "./items.ts";
import { type ItemChange, streamRecord } from "./messages.ts";
import { type RunningWorker, runWorker } from "./running-worker.ts";

let worker: RunningWorker;
const told: BusEvent[] = [];
let isDown = false;
let records = 0;

beforeAll(async () => {
  worker = await runWorker("track-drops");
  worker.onEvent((event) => {
    if (isDown) throw new AwsError("InternalFailure", 500, "Down.");
    told.push(event);
  });
});
afterAll(() => worker.stop());
beforeEach(() => {
  told.length = 0;
  isDown = false;
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
});

test("each kind of change becomes an event, with ids and without the drop's contents", async () => {
  const drop = givenDrop("kinds00").drop;
  const edited = withChanges(drop, { title: "Secret plans", visibility: "members" }, 2);
  const locked = withGate(edited, "hash", 3);
  await worker.putItem({ ...keys.pointer("kinds00"), ownerId, namespace: "owner" } as Item & Key);
  const changes = [
    { after: dropItem(drop) },
    { before: dropItem(drop), after: dropItem(edited) },
    { before: dropItem(edited), after: dropItem(locked) },
    { after: renderItem("kinds00", "asked") },
    { before: renderItem("kinds00", "asked"), after: renderItem("kinds00", "rendered") },
    { before: dropItem(locked) },
  ];

  await handOver(...changes);

  expect(told.map((event) => event["detail-type"])).toEqual([
    "drop.published",
    "drop.updated",
    "drop.visibility_changed",
    "drop.visibility_changed",
    "drop.rendered",
    "drop.deleted",
  ]);
  const common = { stack: "Dropleaf", slug: "kinds00", owner: ownerId, time: "2026-11-23T08:00:00.000Z" };
  const id = expect.stringMatching(/^evt_[0-9a-f]{32}$/);
  expect(told.map(({ detail }) => detail)).toEqual([
    { id, number: 1, ...common, version: 1 },
    { id, number: 2, ...common, version: 1 },
    { id, number: 3, ...common },
    { id, number: 4, ...common },
    { id, number: 5, ...common, version: 1, outcome: "rendered" },
    { id, number: 6, ...common },
  ]);
  expect(new Set(told.map(({ detail }) => detail.id)).size).toBe(6);
});

test("a comment's event has its thread and whether the owner wrote it, but neither author nor text", async () => {
  await worker.putItem({ ...keys.pointer("words00"), ownerId, namespace: "owner" } as Item & Key);
  const [asked, answered] = [
    commentItem("words00", 1, { kind: "named", name: "Ada" }),
    commentItem("words00", 2, { kind: "owner", name: "grace" }),
  ];

  await handOver({ after: asked }, { after: answered }, { before: answered });

  expect(told.map((event) => event["detail-type"])).toEqual(["drop.commented", "drop.commented"]);
  const common = { slug: "words00", owner: ownerId, stack: "Dropleaf", time: "2026-11-23T08:00:00.000Z" };
  const id = expect.any(String);
  expect(told.map(({ detail }) => detail)).toEqual([
    { id, number: 2, ...common, thread: 1, comment: 1, from: "reader" },
    { id, number: 3, ...common, thread: 1, comment: 2, from: "owner" },
  ]);
});

test("an answer's event has its number and form, but neither text nor author", async () => {
  await worker.putItem({ ...keys.pointer("votes00"), ownerId, namespace: "owner" } as Item & Key);
  const item = toAnswerItem(
    {
      ...{ slug: "votes00", number: 41, form: "vote", version: 1, createdAtMs: 1 },
      fields: [["choice", "Secret"]],
      author: { kind: "reader", name: "grace", identity: "id#1" },
    },
    { ownerId, personHash: undefined, ttl: undefined },
  ) as Item & Key;

  await handOver({ after: item }, { before: item });

  expect(told.map((event) => event["detail-type"])).toEqual(["answer.created"]);
  expect(told[0]?.detail).toMatchObject({ slug: "votes00", answer: 41, form: "vote" });
  expect(JSON.stringify(told)).not.toMatch(/Secret|grace/);
});

test("a change without visible effect becomes no event", async () => {
  const drop = givenDrop("same000").drop;

  await handOver({ before: dropItem(drop), after: dropItem({ ...drop, revision: 2, updatedAtMs: 9 }) });

  expect(told).toEqual([]);
});

test("repeated records get the same ids and numbers, and later records continue from there", async () => {
  const { first, second, third } = revisions("again00");
  const batch = [streamRecordOf({ after: first }), streamRecordOf({ before: first, after: second })];

  await worker.invoke({ Records: batch });
  await worker.invoke({ Records: batch.slice(1) });
  await worker.invoke({ Records: [...batch, streamRecordOf({ before: second, after: third })] });

  const numbers = told.map(({ detail }) => detail.number);
  expect(numbers).toEqual([1, 2, 2, 1, 2, 3]);
  expect(new Set(told.map(({ detail: { id, number } }) => `${id} ${number}`)).size).toBe(3);
});

test("the records of fifty concurrent batches get consecutive numbers", {
  tags: "nightly",
}, async () => {
  const { first, second } = revisions("races00");
  const batches = Array.from({ length: 50 }, () => [streamRecordOf({ before: first, after: second })]);

  const responses = await Promise.all(batches.map((Records) => worker.invoke({ Records })));

  const left = batches.filter((_, index) => responses[index]?.batchItemFailures.length);
  for (const Records of left) await worker.invoke({ Records });
  const numbers = new Map(told.map(({ detail: { id, number } }) => [id, number as number]));
  expect([...numbers.values()].sort((one, other) => one - other)).toEqual(
    Array.from({ length: 50 }, (_, index) => index + 2),
  );
});

test("a hundred changes of one drop in one batch become events with consecutive numbers", async () => {
  const drop = givenDrop("busy000").drop;
  const other = { ...drop, title: "Another", visibility: { kind: "members" } as const };
  const [one, two] = [dropItem(drop), dropItem(other)];
  const changes = Array.from({ length: 100 }, (_, index) =>
    index % 2 === 0 ? { before: one, after: two } : { before: two, after: one },
  );

  await handOver(...changes);

  expect(told.map(({ detail }) => detail.number)).toEqual(
    Array.from({ length: 200 }, (_, index) => index + 2),
  );
});

test("after its deletion a drop has no events until it is undeleted", async () => {
  const { first, second } = revisions("gone000");
  await worker.putItem({ ...keys.pointer("gone000"), ownerId, namespace: "owner" } as Item & Key);

  await handOver({ after: first }, { before: first });
  await handOver({ after: renderItem("gone000", "rendered") });
  const restored = { ...first, revision: 2 };
  await handOver({ after: restored }, { before: restored, after: second });

  expect(told.map((event) => [event["detail-type"], event.detail.number])).toEqual([
    ["drop.published", 1],
    ["drop.deleted", 2],
    ["drop.published", 3],
    ["drop.updated", 4],
  ]);
});

test("a drop's first publication event needs no write, and shares a request with other drops' events", async () => {
  const slugs = Array.from({ length: 10 }, (_, index) => `first0${index}`);
  const send = vi.spyOn(EventBridgeClient.prototype, "send");

  await handOver(...slugs.map((slug) => ({ after: revisions(slug).first })));

  expect(told.map(({ detail }) => [detail.slug, detail.number])).toEqual(slugs.map((slug) => [slug, 1]));
  for (const slug of slugs) expect(await worker.getItem(keys.lastEvent(slug))).toBeUndefined();
  expect(send).toHaveBeenCalledTimes(1);
  send.mockRestore();
});

test("a drop whose numbers cannot be stored delays no other drop's events", async () => {
  const { first, second } = revisions("works00");
  const broken = revisions("fails00");
  await worker.putItem({ ...keys.lastEvent("fails00"), number: 1, known: "no list" } as Item & Key);

  const send = vi.spyOn(worker.queue("FOLLOW_UPS_QUEUE_URL"), "send");

  const response = await handOver(
    { before: broken.first, after: broken.second },
    { before: first, after: second },
  );

  expect(response.batchItemFailures).toEqual([]);
  expect(send.mock.calls.map(([{ body }]) => JSON.parse(body))).toMatchObject([
    { kind: "table-change", feature: "events", tries: 1 },
  ]);
  expect(told.map(({ detail }) => [detail.slug, detail.number])).toEqual([["works00", 2]]);
});

test("a transfer becomes a publication event of the new owner, and no deletion event", async () => {
  const { first } = revisions("given00");
  const there = { ...first, ...keys.drop("Owner00000000002", "given00") };
  const pointer = { ...keys.pointer("given00"), ownerId: "Owner00000000002", namespace: "owner" };
  for (const item of [there, pointer]) await worker.putItem(item as Item & Key);

  await handOver({ before: first }, { after: there });

  expect(told.map((event) => [event["detail-type"], event.detail.owner])).toEqual([
    ["drop.published", "Owner00000000002"],
  ]);
});

test("while the event bus is unavailable, the library is indexed and refused events wait in the queue", async () => {
  isDown = true;
  const send = vi.spyOn(worker.queue("FOLLOW_UPS_QUEUE_URL"), "send");
  const drop: Drop = { ...givenDrop("down000").drop, visibility: { kind: "members" } };
  await worker.putItem(dropItem(drop));

  const response = await handOver({ after: dropItem(drop) });

  expect(response.batchItemFailures).toEqual([]);
  for (const key of entriesOf(drop)) expect(await worker.getItem(key)).toEqual(key);
  expect(told).toEqual([]);
  const sent = send.mock.calls.map(([message]) => message);
  const { body, delaySeconds } = sent.find((one) => one.body.includes('"kind":"events"')) ?? {
    body: "{}",
    delaySeconds: 0,
  };
  expect(delaySeconds).toBe(5);
  expect(JSON.parse(body)).toMatchObject({
    kind: "events",
    tries: 1,
    events: [{ kind: "drop.published", slug: "down000", number: 1, ownerId, version: 1 }],
  });
  send.mockRestore();
});

test("an unreadable record delays no other record's events", async () => {
  const { first } = revisions("after00");
  const broken = { ...dropItem(givenDrop("broken1").drop), latestVersion: "one" };

  const response = await handOver({ after: broken }, { after: first });

  expect(response.batchItemFailures).toEqual([]);
  expect(told.map(({ detail }) => detail.slug)).toEqual(["after00"]);
});

/** Returns a record with a unique id. */
function streamRecordOf(change: ItemChange) {
  records += 1;
  const record = streamRecord(change, String(records));
  const ApproximateCreationDateTime = Date.UTC(2026, 10, 23, 8) / 1000;
  return { ...record, dynamodb: { ...record.dynamodb, ApproximateCreationDateTime } };
}

function handOver(...changes: readonly ItemChange[]) {
  return worker.invoke({ Records: changes.map(streamRecordOf) });
}

/** Returns a drop's item with three different titles. */
function revisions(slug: string) {
  const { drop } = givenDrop(slug);
  const [first, second, third] = ["One", "Two", "Three"].map((title) => dropItem({ ...drop, title }));
  if (first === undefined || second === undefined || third === undefined) throw new Error("There are three.");
  return { first, second, third };
}

function commentItem(slug: string, comment: number, author: Author): Item & Key {
  const place = { slug, thread: 1, comment, sequence: comment };
  const said = { author, text: "Secret words", version: 1, createdAtMs: 1 };
  return toCommentItem({ ...place, ...said }, ownerId) as Item & Key;
}

function renderItem(slug: string, state: "asked" | "rendered"): Item & Key {
  const render = { slug, version: 1, pageKey: "p", state, folder: undefined, pictures: [], atMs: 1 };
  return toRenderItem({ ...render, milliseconds: undefined }) as Item & Key;
}
