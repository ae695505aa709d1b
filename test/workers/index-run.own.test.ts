import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type {
  IndexRunOptions,
  processIndexQueue as ProcessIndexQueue,
} from "../../functions/search/index-drops.ts";
import type { indexQueue as IndexQueue, IndexTask } from "../../functions/search/index-queue.ts";
import { keys } from "../../functions/table/keys.ts";
import { race } from "../support/race.ts";
import type { clearIndexQueue as ClearIndexQueue, waitingTasks as WaitingTasks } from "./index-tasks.ts";
import { type RunningWorker, runWorker } from "./running-worker.ts";

let worker: RunningWorker;
let indexQueue: typeof IndexQueue;
let processIndexQueue: typeof ProcessIndexQueue;
let clearIndexQueue: typeof ClearIndexQueue;
let waitingTasks: typeof WaitingTasks;

beforeAll(async () => {
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
  worker = await runWorker("index-drops");
  ({ indexQueue } = await import("../../functions/search/index-queue.ts"));
  ({ clearIndexQueue, waitingTasks } = await import("./index-tasks.ts"));
  ({ processIndexQueue } = await import("../../functions/search/index-drops.ts"));
});
afterAll(async () => {
  vi.restoreAllMocks();
  await worker.stop();
});
beforeEach(async () => {
  await clearIndexQueue();
  await endLease();
});

/** Ends the lease, like the expiry of a dead execution's lease. */
async function endLease(): Promise<void> {
  // The worker's role can acquire and release leases, but not delete them.
  await worker.putItem({ ...keys.lease("search-index"), untilMs: 0 });
}

const hour = 60 * 60 * 1000;
/** Returns a task for a drop whose owner is named by the slug's first letter. */
const drop = (slug: string): IndexTask => ({ ownerId: `owner-${slug[0]}`, slug });
const add = (slugs: readonly string[], atMs = Date.now()) => indexQueue.add(slugs.map(drop), atMs);

/** Records the batches. A batch with a bad slug fails. A batch indexes at most its budget of tasks. */
function performing({
  bad = [],
  budget = 1_000,
}: {
  readonly bad?: readonly string[];
  readonly budget?: number;
} = {}) {
  const batches: string[][] = [];
  const perform = async (tasks: readonly IndexTask[]) => {
    const done = tasks.slice(0, budget);
    const slugs = done.map((task) => ("slug" in task ? task.slug : task.objectKey));
    batches.push(slugs);
    if (slugs.some((slug) => bad.includes(slug))) throw new Error("It cannot be indexed.");
    return tasks.slice(budget);
  };
  return { batches, perform };
}

const run = (perform: IndexRunOptions["perform"], endMs = Date.now() + 60_000) =>
  processIndexQueue({ endMs, perform });

/** Simulates an execution that dies in its first batch: the batch never ends, and the lease expires. */
async function dieInBatch(): Promise<void> {
  await new Promise<void>((begun) => {
    void run(() => {
      begun();
      return new Promise<never>(() => undefined);
    });
  });
  await endLease();
}

test("changes of many drops are indexed once each in one write, alternating between owners", async () => {
  await add(["b1", "b2", "b3"], 2);
  await add(["a1"], 1);
  await add(["b1"], 3);
  const { batches, perform } = performing();

  await Promise.all([run(perform), run(perform), run(perform)]);

  expect(batches).toHaveLength(1);
  expect(batches[0]?.slice(0, 1)).toEqual(["a1"]);
  expect(batches[0]?.toSorted()).toEqual(["a1", "b1", "b2", "b3"]);
  expect(await waitingTasks()).toEqual([]);
  expect(await indexQueue.list()).toEqual([]);
});

test("an owner with many changes leaves room for others in every batch", async () => {
  await add(
    Array.from({ length: 60 }, (_, index) => `a${index}`),
    1,
  );
  const { batches, perform } = performing();

  await run(async (tasks) => {
    if (batches.length === 0) await add(["b1"], 2);
    return perform(tasks);
  });

  expect(batches.map(({ length }) => length)).toEqual([20, 21, 20]);
  expect(batches[1]?.slice(0, 2)).toContain("b1");
});

test("changes beyond a batch's budget are indexed by the next batch", async () => {
  await add(["a1", "a2", "b1"]);
  const { batches, perform } = performing({ budget: 2 });

  await run(perform);

  expect(batches.map(({ length }) => length)).toEqual([2, 1]);
  expect(batches.flat().toSorted()).toEqual(["a1", "a2", "b1"]);
});

test("changes that arrive while a batch is indexed are indexed by the same execution", async () => {
  await add(["before1"]);
  const { batches, perform } = performing();
  const other = vi.fn();

  await run(async (tasks) => {
    if (batches.length === 0) {
      await add(["during1"]);
      // The change's own execution finds the lease taken and ends.
      await run(other);
    }
    return perform(tasks);
  });

  expect(other).not.toHaveBeenCalled();
  expect(batches).toEqual([["before1"], ["during1"]]);
});

test("one execution waits for the lease of a dead execution, and others end", async () => {
  await add(["waiting"]);
  await worker.putItem({ ...keys.lease("search-index"), holder: "dead", untilMs: Date.now() + 2_000 });
  const { batches, perform } = performing();
  const wait = () => processIndexQueue({ endMs: Date.now() + 60_000, perform, waitMs: 30_000 });

  const batchesSeen: number[] = [];
  await race(3, () => wait().then(() => batchesSeen.push(batches.length)));

  expect(batches).toEqual([["waiting"]]);
  // Two executions ended before the third one started its batch.
  expect(batchesSeen).toEqual([0, 0, 1]);
  expect(await waitingTasks()).toEqual([]);
});

test("a drop that changes while it is indexed is indexed again", async () => {
  await add(["again11"], 1);
  const { batches, perform } = performing();

  await run(async (tasks) => {
    if (batches.length === 0) await add(["again11"], 2);
    return perform(tasks);
  });

  expect(batches).toEqual([["again11"], ["again11"]]);
});

test("a drop stays in the queue until it is indexed", async () => {
  await add(["drop1"]);
  const seen: IndexTask[][] = [];

  await run(async () => {
    seen.push(await waitingTasks());
    return [];
  });

  expect(seen).toEqual([[drop("drop1")]]);
  expect(await waitingTasks()).toEqual([]);
});

test("a drop that cannot be indexed delays no other, and stays for the next run", async () => {
  await add(["good111", "bad1111", "good222"]);
  const { batches, perform } = performing({ bad: ["bad1111"] });

  await expect(run(perform)).rejects.toThrow("cannot be indexed");

  expect(batches.slice(1).flat().toSorted()).toEqual(["bad1111", "good111", "good222"]);
  expect(await waitingTasks()).toEqual([drop("bad1111")]);
  await run(performing().perform);
  expect(await waitingTasks()).toEqual([]);
});

test("a drop that has failed for an hour is abandoned", async () => {
  await add(["bad1111"]);
  const { perform } = performing({ bad: ["bad1111"] });
  await expect(run(perform)).rejects.toThrow("cannot be indexed");
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + hour + 1_000 });

  await expect(run(perform)).rejects.toThrow("cannot be indexed");

  vi.useRealTimers();
  expect(await waitingTasks()).toEqual([]);
});

test("a page that crashes the function twice pauses its owner's drops, and no other owner's", async () => {
  const { batches, perform } = performing();
  const later = async (ms: number) => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ms });
    await endLease();
  };
  await add(["kills11"]);
  await dieInBatch();
  await dieInBatch();
  await add(["other11", "kept111"]);

  await expect(run(perform)).rejects.toThrow("remain to be indexed");
  expect(batches.flat().toSorted()).toEqual(["other11"]);
  expect(await waitingTasks()).toHaveLength(2);
  await later(hour / 10);
  await add(["other22"]);
  await run(perform);
  expect(batches.flat()).toEqual(expect.arrayContaining(["kept111", "other22"]));
  vi.useRealTimers();
});

test("a page that has crashed the function three times is abandoned, and its owner pauses for an hour", async () => {
  const { batches, perform } = performing();
  const later = async (ms: number) => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ms });
    await endLease();
  };
  await add(["page111"]);
  await dieInBatch();
  await dieInBatch();
  await later(hour / 10);
  await dieInBatch();
  await later(hour / 10);

  await run(perform);

  expect(await waitingTasks()).toEqual([]);
  await add(["page222"]);
  await add(["other11"]);
  await expect(run(perform)).rejects.toThrow("remain to be indexed");
  expect(batches).toEqual([["other11"]]);
  await later(hour);
  await run(perform);
  expect(batches).toEqual([["other11"], ["page222"]]);
  expect(await indexQueue.list()).toEqual([]);
  vi.useRealTimers();
});

test("drops in a crashed execution are retried one by one, so that the faulty one affects no other", async () => {
  await add(["page111", "page222"]);
  await dieInBatch();
  const { batches, perform } = performing();

  await run(perform);

  expect(batches.toSorted()).toEqual([["page111"], ["page222"]]);
});

test("an execution out of time leaves the rest and fails, so that Lambda invokes it again", async () => {
  await add(["late111"]);
  const { batches, perform } = performing();

  await expect(run(perform, Date.now() - 1)).rejects.toThrow("remain to be indexed");

  expect(batches).toEqual([]);
  expect(await waitingTasks()).toEqual([drop("late111")]);
});

test("the queue of an earlier release is processed", async () => {
  const earlier = { pk: "INDEX#queue", sk: "00001700000000000#early11", ...drop("early11"), atMs: 1 };
  await worker.putItem(earlier as never);
  const object = { pk: "INDEX#queue", sk: "00001700000000000#x", objectKey: "_search/x.sqlite", atMs: 1 };
  await worker.putItem(object as never);

  await indexQueue.adoptEarlier(Date.now());

  expect(await waitingTasks()).toEqual([{ objectKey: "_search/x.sqlite" }, drop("early11")]);
  expect(await worker.getItem(earlier as never)).toBeUndefined();
});
