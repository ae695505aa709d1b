import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type {
  IndexRunOptions,
  processIndexQueue as ProcessIndexQueue,
} from "../../functions/search/index-drops.ts";
import type { indexQueue as IndexQueue, IndexTask } from "../../functions/search/index-queue.ts";
import { keys } from "../../functions/table/keys.ts";
import { type RunningWorker, runWorker } from "./running-worker.ts";

let worker: RunningWorker;
let indexQueue: typeof IndexQueue;
let processIndexQueue: typeof ProcessIndexQueue;

beforeAll(async () => {
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
  worker = await runWorker("index-drops");
  ({ indexQueue } = await import("../../functions/search/index-queue.ts"));
  ({ processIndexQueue } = await import("../../functions/search/index-drops.ts"));
});
afterAll(async () => {
  vi.restoreAllMocks();
  await worker.stop();
});
beforeEach(async () => {
  await indexQueue.remove(await indexQueue.first(1_000));
  await endLease();
});

/** As the lease of an execution that died ends by itself. */
async function endLease(): Promise<void> {
  // The role of the worker may take and return leases, and delete none.
  await worker.putItem({ ...keys.lease("search-index"), untilMs: 0 });
}

const hour = 60 * 60 * 1000;
const drop = (slug: string): IndexTask => ({ ownerId: "owner", slug });
const add = (slugs: readonly string[], atMs = Date.now()) => indexQueue.add(slugs.map(drop), atMs);
const waiting = async () => (await indexQueue.first(1_000)).map(({ task }) => task);

/** Records the batches. A batch with a bad slug fails. */
function performing(bad: readonly string[] = []) {
  const batches: string[][] = [];
  const perform = async (tasks: readonly IndexTask[]) => {
    const slugs = tasks.map((task) => ("slug" in task ? task.slug : task.objectKey));
    batches.push(slugs);
    if (slugs.some((slug) => bad.includes(slug))) throw new Error("It cannot be indexed.");
  };
  return { batches, perform };
}

const run = (perform: IndexRunOptions["perform"], endMs = Date.now() + 60_000) =>
  processIndexQueue({ endMs, perform });

/** An execution that dies in its first batch: what it awaits never ends, and its lease is over. */
async function dieInBatch(): Promise<void> {
  await new Promise<void>((begun) => {
    void run(() => {
      begun();
      return new Promise<void>(() => undefined);
    });
  });
  await endLease();
}

test("changes of many drops are indexed by one write, the oldest first, and each once", async () => {
  await add(["second1"], 2);
  await add(["first11", "first22"], 1);
  const { batches, perform } = performing();

  await Promise.all([run(perform), run(perform), run(perform)]);

  expect(batches).toEqual([["first11", "first22", "second1"]]);
  expect(await waiting()).toEqual([]);
});

test("what comes while a batch is indexed is indexed by the same execution", async () => {
  await add(["before1"]);
  const { batches, perform } = performing();
  const other = vi.fn();

  await run(async (tasks) => {
    if (batches.length === 0) {
      await add(["during1"]);
      // Its own execution finds the lease taken, and leaves.
      await run(other);
    }
    await perform(tasks);
  });

  expect(other).not.toHaveBeenCalled();
  expect(batches).toEqual([["before1"], ["during1"]]);
});

test("a drop that changes again while it is indexed is indexed again", async () => {
  await add(["again11"], 1);
  const { batches, perform } = performing();

  await run(async (tasks) => {
    if (batches.length === 0) await add(["again11"], 2);
    await perform(tasks);
  });

  expect(batches).toEqual([["again11"], ["again11"]]);
});

test("a drop that cannot be indexed keeps no other from it, and stays for the next run", async () => {
  await add(["good111", "bad1111", "good222"]);
  const { batches, perform } = performing(["bad1111"]);

  await expect(run(perform)).rejects.toThrow("cannot be indexed");

  expect(batches.slice(1).flat().toSorted()).toEqual(["bad1111", "good111", "good222"]);
  expect(await waiting()).toEqual([drop("bad1111")]);
  await run(performing().perform);
  expect(await waiting()).toEqual([]);
});

test("a drop that has failed for an hour is given up", async () => {
  await add(["bad1111"], Date.now() - hour - 1);

  await expect(run(performing(["bad1111"]).perform)).rejects.toThrow("cannot be indexed");

  expect(await waiting()).toEqual([]);
});

test("a page that ends the function at every attempt is given up after the third, and the others are indexed before it", async () => {
  await add(["page111"]);
  for (let death = 1; death <= 3; death += 1) await dieInBatch();
  await add(["other11"]);
  const { batches, perform } = performing();

  await run(perform);

  expect(batches).toEqual([["other11"]]);
  expect(await waiting()).toEqual([]);
});

test("drops that an execution died with are indexed one by one, so that the one which ends it takes none along", async () => {
  await add(["page111", "page222"]);
  await dieInBatch();
  const { batches, perform } = performing();

  await run(perform);

  expect(batches).toEqual([["page111"], ["page222"]]);
});

test("an execution whose time is over leaves the rest, and fails, so that Lambda invokes it again", async () => {
  await add(["late111"]);
  const { batches, perform } = performing();

  await expect(run(perform, Date.now() - 1)).rejects.toThrow("left");

  expect(batches).toEqual([]);
  expect(await waiting()).toEqual([drop("late111")]);
});
