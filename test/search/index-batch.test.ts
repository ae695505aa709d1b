import { expect, test } from "vitest";
import { composeBatch, takeTurns } from "../../functions/search/index-batch.ts";
import type { BegunTask, QueuedOwner } from "../../functions/search/index-queue.ts";

function owner(
  ownerId: string,
  facts: Partial<QueuedOwner> & { readonly names?: readonly string[] } = {},
): QueuedOwner {
  const { names = [], ...others } = facts;
  const key = { pk: "INDEX#waiting", sk: `OWNER#${ownerId}` };
  const nothing = { begun: new Map<string, BegunTask>(), sinceMs: 1, restsUntilMs: undefined };
  return { key, ownerId, waiting: new Set(names), ...nothing, ...others };
}

const many = (count: number) => Array.from({ length: count }, (_, index) => `drop${index}`);
const compose = (owners: readonly QueuedOwner[], failed: readonly string[] = []) =>
  composeBatch(owners, { nowMs: 1_000, hasFailed: (_, name) => failed.includes(name) });
const namesOf = (owners: readonly QueuedOwner[], failed?: readonly string[]) =>
  compose(owners, failed)?.tasks.map(({ owner: { ownerId }, name }) => `${ownerId} ${name}`);

test("owners take turns, the longest waiting first", () => {
  const owners = [
    owner("late", { names: ["c"], sinceMs: 3 }),
    owner("many", { names: ["a", "b"], sinceMs: 1 }),
    owner("one", { names: ["d"], sinceMs: 2 }),
  ];

  expect(namesOf(owners)).toEqual(["many a", "one d", "late c", "many b"]);
});

test("a batch has at most twenty tasks of an owner, and a hundred in total", () => {
  expect(compose([owner("many", { names: many(500) })])?.tasks).toHaveLength(20);
  const owners = Array.from({ length: 300 }, (_, index) => owner(`owner${index}`, { names: many(2) }));
  const tasks = compose(owners)?.tasks ?? [];
  expect(new Set(tasks.map(({ owner: { ownerId } }) => ownerId)).size).toBe(100);
});

test("tasks of a crashed execution run alone, after all others, and not while their owner is paused", () => {
  const begun = new Map([["bad", { crashes: 1, atMs: 1 }]]);
  const suspect = owner("suspect", { names: ["bad", "good"], begun });

  expect(namesOf([suspect, owner("other", { names: ["a"] })])).toEqual(["suspect good", "other a"]);
  expect(compose([owner("suspect", { begun })])).toMatchObject({ isAlone: true, tasks: [{ name: "bad" }] });
  expect(compose([owner("suspect", { begun, restsUntilMs: 1_001 })])).toBeUndefined();
  expect(namesOf([owner("suspect", { begun })], ["bad"])).toBeUndefined();
});

test("takeTurns yields one task of each owner, then the next of each, up to a number", () => {
  const all = [
    { owner: 1, names: many(3) },
    { owner: 2, names: many(1) },
  ];

  expect(takeTurns(all, 3).map((one) => `${one.owner} ${one.name}`)).toEqual([
    "1 drop0",
    "2 drop0",
    "1 drop1",
  ]);
});
