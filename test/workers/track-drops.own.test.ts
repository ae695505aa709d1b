import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { environmentNames, readEnvironment } from "../../functions/core/environment.ts";
import type { Drop } from "../../functions/drops/drop.ts";
import { entriesOf } from "../../functions/library/library-index.ts";
import type { Visibility } from "../../functions/policies/access.ts";
import { type Key, keys } from "../../functions/table/keys.ts";
import type { Item } from "../../functions/table/table.ts";
import { recordCommands } from "../support/recorded-commands.ts";
import { dropItem, givenDrop } from "./items.ts";
import { streamEvent } from "./messages.ts";
import { type RunningWorker, runWorker } from "./running-worker.ts";

let worker: RunningWorker;
let lines: string[];
const invoked: string[] = [];
const indexer = () => readEnvironment(environmentNames.indexDropsFunction);

beforeAll(async () => {
  worker = await runWorker("track-drops");
  worker.connectFunctions({
    functionNames: [indexer()],
    invoke: () => Promise.reject(new Error("The invocation must be asynchronous.")),
    requireTenant: () => undefined,
    invokeLater: (name) => void invoked.push(name),
  });
});
afterAll(() => worker.stop());
beforeEach(() => {
  lines = [];
  invoked.length = 0;
  vi.spyOn(process.stdout, "write").mockImplementation((line) => lines.push(String(line)) > 0);
});

const forMembers: Visibility = { kind: "members" };
const named = (...usernames: string[]): Visibility => ({
  kind: "people",
  readers: usernames.map((username) => ({ kind: "username", username })),
});

test("a drop is in the library of its current readers only, also after they change", async () => {
  const steps: Visibility[] = [
    { kind: "public" },
    forMembers,
    named("ada", "grace"),
    named("grace"),
    { kind: "unlisted" },
  ];
  let before: (Item & Key) | undefined;
  for (const visibility of steps) {
    const after = dropItem(given("steps00", visibility));
    await worker.putItem(after);

    const response = await worker.invoke(streamEvent({ ...(before ? { before } : {}), after }));

    expect(response.batchItemFailures).toEqual([]);
    expect(await indexed("steps00", steps)).toEqual(entriesOf(given("steps00", visibility)));
    before = after;
  }
});

test("a drop with an unreadable part is indexed, and delays no other", async () => {
  const item = { ...dropItem(given("broken0", forMembers)), metadata: "no JSON" };
  const other = dropItem(given("whole00", forMembers));
  for (const row of [item, other]) await worker.putItem(row);

  const response = await worker.invoke(streamEvent({ after: item }, { after: other }));

  expect(response.batchItemFailures).toEqual([]);
  expect(await indexed("broken0", [forMembers])).toEqual(entriesOf(given("broken0", forMembers)));
  expect(await indexed("whole00", [forMembers])).toEqual(entriesOf(given("whole00", forMembers)));
});

test("a batch of ten publications of one owner needs no more calls than one publication", async () => {
  const take = recordCommands();
  const callsFor = async (slugs: readonly string[]) => {
    const items = slugs.map((slug) => dropItem(given(slug, forMembers)));
    for (const item of items) await worker.putItem(item);
    take();
    await worker.invoke(streamEvent(...items.map((after) => ({ after }))));
    return take()
      .map(({ name }) => name)
      .toSorted();
  };

  const ofOne = await callsFor(["single0"]);
  const ofTen = await callsFor(Array.from({ length: 10 }, (_, number) => `batch0${number}`));

  expect(ofOne).toEqual(["BatchGetItem", "BatchWriteItem", "Invoke", "PutEvents", "UpdateItem"]);
  expect(ofTen).toEqual(ofOne);
  expect(invoked).toEqual([indexer(), indexer()]);
});

test("a deleted drop is in no library", async () => {
  const item = dropItem(given("gone000", forMembers));
  await worker.putItem({ ...keys.libraryEntry("members", given("gone000", forMembers)) });

  await worker.invoke(streamEvent({ before: item }));

  expect(await indexed("gone000", [forMembers])).toEqual([]);
});

test("fifty readers who replace fifty others are indexed by one record", { tags: "slow" }, async () => {
  const some = named(...Array.from({ length: 50 }, (_, index) => `some-${index}`));
  const others = named(...Array.from({ length: 50 }, (_, index) => `others-${index}`));
  const [before, after] = [dropItem(given("fifty00", some)), dropItem(given("fifty00", others))];
  for (const key of entriesOf(given("fifty00", some))) await worker.putItem({ ...key });
  await worker.putItem(after);

  await worker.invoke(streamEvent({ before, after }));

  expect(await indexed("fifty00", [some, others])).toEqual(entriesOf(given("fifty00", others)));
});

test("a late or repeated record does not change the current state", async () => {
  const [first, second] = [dropItem(given("late000", forMembers)), dropItem(given("late000", named("ada")))];
  await worker.putItem(first);
  const changes = [{ after: first }, { before: first, after: second }, { before: second, after: first }];

  for (const change of [...changes, ...changes.toReversed(), ...changes.slice(1, 2)]) {
    await worker.invoke(streamEvent(change));
    expect(await indexed("late000", [forMembers, named("ada")])).toEqual(
      entriesOf(given("late000", forMembers)),
    );
  }
});

test("a new version, title or passcode writes nothing", async () => {
  const before = dropItem(given("same000", forMembers));

  await worker.invoke(streamEvent({ before, after: { ...before, title: "Another", nextVersion: 3 } }));

  expect(await indexed("same000", [forMembers])).toEqual([]);
});

test("an unreadable record is logged, and delays nothing", async () => {
  const broken = { ...dropItem(given("broken0", forMembers)), createdAtMs: "yesterday" };
  const good = dropItem(given("behind0", forMembers));
  await worker.putItem(good);

  const response = await worker.invoke(streamEvent({ after: broken }, { after: good }));

  expect(response.batchItemFailures).toEqual([]);
  expect(await indexed("behind0", [forMembers])).toHaveLength(1);
  expect(lines.join("")).toContain('"event":"unreadable-record","feature":"library","sequenceNumber":"100"');
});

test("in a batch that partly fails, the failed change is postponed for the library, and the rest is done", async () => {
  const [one, other] = [given("fails00", forMembers), given("works00", forMembers)];
  for (const drop of [one, other]) await worker.putItem(dropItem(drop));
  // The reader's name makes the key of a library entry longer than DynamoDB allows.
  const refused = dropItem({ ...one, visibility: named("x".repeat(3_000)) });
  await worker.putItem(refused);

  const send = vi.spyOn(worker.queue("FOLLOW_UPS_QUEUE_URL"), "send");
  const { batchItemFailures } = await worker.invoke(
    streamEvent({ after: dropItem(other) }, { after: refused }, { after: dropItem(other) }),
  );

  expect(batchItemFailures).toEqual([]);
  const sent = send.mock.calls.map(([{ body }]) => JSON.parse(body));
  expect(sent).toMatchObject([
    { kind: "table-change", feature: "library", record: { dynamodb: { SequenceNumber: "101" } } },
  ]);
  expect(await indexed("works00", [forMembers])).toHaveLength(1);
});

test("drops that changed in a batch are queued for the search index, and its writer is invoked once", async () => {
  const [one, other] = [given("index11", forMembers), given("index22", forMembers)];

  const response = await worker.invoke(streamEvent({ after: dropItem(one) }, { after: dropItem(other) }));

  const { waiting } = (await worker.getItem(keys.waitingIndexOwner(one.ownerId))) ?? {};
  expect(response.batchItemFailures).toEqual([]);
  expect([...(waiting as ReadonlySet<string>)]).toEqual(expect.arrayContaining([one.slug, other.slug]));
  expect(invoked).toEqual([indexer()]);
});

function given(slug: string, visibility: Visibility): Drop {
  return { ...givenDrop(slug).drop, visibility };
}

/** Returns the existing library entries among those for these visibilities. */
async function indexed(slug: string, visibilities: readonly Visibility[]): Promise<Item[]> {
  const possible = visibilities.flatMap((visibility) => entriesOf(given(slug, visibility)));
  const distinct = new Map(possible.map((key) => [`${key.pk} ${key.sk}`, key]));
  const found = await Promise.all([...distinct.values()].map((key) => worker.getItem(key)));
  return found.filter((item) => item !== undefined);
}
