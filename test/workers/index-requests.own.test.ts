import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { environmentNames, readEnvironment } from "../../functions/core/environment.ts";
import { type Key, keys } from "../../functions/table/keys.ts";
import { ownerId } from "./items.ts";
import { objectCreatedMessage, queueEvent } from "./messages.ts";
import { type RunningWorker, runWorker } from "./running-worker.ts";

let worker: RunningWorker;
const invoked: string[] = [];
const indexer = () => readEnvironment(environmentNames.indexDropsFunction);

beforeAll(async () => {
  worker = await runWorker("follow-up");
  worker.connectFunctions({
    functionNames: [indexer()],
    invoke: () => Promise.reject(new Error("The invocation must be asynchronous.")),
    requireTenant: () => undefined,
    invokeLater: (name) => void invoked.push(name),
  });
});
afterAll(() => worker.stop());
beforeEach(() => {
  invoked.length = 0;
});

/** Processes a message and returns the names of the tasks that it adds to an item of the queue. */
async function namesAt(key: Key, message: string) {
  const { batchItemFailures } = await worker.invoke(queueEvent(message));
  const { waiting } = (await worker.getItem(key)) ?? {};
  return { batchItemFailures, names: [...(waiting as ReadonlySet<string>)] };
}

test("a message of an earlier release that requests indexing is passed to the index writer", async () => {
  const place = { ownerId, slug: "earlier" };

  const { batchItemFailures, names } = await namesAt(
    keys.waitingIndexOwner(ownerId),
    JSON.stringify({ kind: "search", places: [place] }),
  );

  expect(batchItemFailures).toEqual([]);
  expect(names).toEqual([place.slug]);
  expect(invoked).toEqual([indexer()]);
});

test("a message about an object of the index is passed to the index writer, and the object stays", async () => {
  const objectKey = "_search/segment.sqlite";
  await worker.putObject(worker.pagesBucket, objectKey);

  const { batchItemFailures, names } = await namesAt(
    keys.waitingIndexObjects(),
    objectCreatedMessage(worker.pagesBucket, objectKey),
  );

  expect(batchItemFailures).toEqual([]);
  expect(names).toEqual([objectKey]);
  expect(invoked).toEqual([indexer()]);
  expect(await worker.hasObject(worker.pagesBucket, objectKey)).toBe(true);
});
