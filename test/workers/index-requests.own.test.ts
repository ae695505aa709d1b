import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { environmentNames, readEnvironment } from "../../functions/http/environment.ts";
import { keys } from "../../functions/table/keys.ts";
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
    invoke: () => Promise.reject(new Error("Nobody waits for it.")),
    requireTenant: () => undefined,
    invokeLater: (name) => void invoked.push(name),
  });
});
afterAll(() => worker.stop());
beforeEach(() => {
  invoked.length = 0;
});

/** Has a message done, and finds the task that it leaves by its name. */
async function taskOf(message: string, name: string) {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  const { batchItemFailures } = await worker.invoke(queueEvent(message));
  const task = await worker.getItem(keys.waitingIndexTask(Date.now(), name));
  vi.useRealTimers();
  return { batchItemFailures, task };
}

test("a drop that an earlier version of the service had indexed by a message is handed to the index's writer", async () => {
  const place = { ownerId, slug: "earlier" };

  const { batchItemFailures, task } = await taskOf(
    JSON.stringify({ kind: "search", places: [place] }),
    place.slug,
  );

  expect(batchItemFailures).toEqual([]);
  expect(task).toMatchObject(place);
  expect(invoked).toEqual([indexer()]);
});

test("an object of the index is checked by its writer alone", async () => {
  const objectKey = "_search/segment.sqlite";
  await worker.putObject(worker.pagesBucket, objectKey);

  const { batchItemFailures, task } = await taskOf(
    objectCreatedMessage(worker.pagesBucket, objectKey),
    objectKey,
  );

  expect(batchItemFailures).toEqual([]);
  expect(task).toMatchObject({ objectKey });
  expect(invoked).toEqual([indexer()]);
  expect(await worker.hasObject(worker.pagesBucket, objectKey)).toBe(true);
});
