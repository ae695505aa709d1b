import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { repeatOf, toInvalidationMessage } from "../../functions/domain/invalidation.ts";
import { queueEvent } from "./messages.ts";
import { type RunningWorker, runWorker } from "./running-worker.ts";

const invalidated: string[][] = [];
let worker: RunningWorker;

beforeAll(async () => {
  worker = await runWorker("invalidate-again");
  worker.connectEdge((paths) => invalidated.push([...paths]));
}, 20_000);
afterAll(() => worker.stop());
beforeEach(() => {
  invalidated.length = 0;
});

const message = (reference: string) => toInvalidationMessage({ paths: ["/p/abcdefg/*"], reference });

test("the edge is told once, however often a message comes", async () => {
  const answer = await worker.invoke(queueEvent(message("one"), message("one"), message("two")));

  expect(answer.batchItemFailures).toEqual([]);
  expect(invalidated).toEqual([["/p/abcdefg/*"], ["/p/abcdefg/*"]]);
});

test("the second time is not taken for the first", async () => {
  const first = { paths: ["/p/abcdefg/*"], reference: "three" };

  await worker.invoke(queueEvent(toInvalidationMessage(first), toInvalidationMessage(repeatOf(first))));

  expect(invalidated).toHaveLength(2);
});

test("messages that are no invalidations are given back, and the others are done", async () => {
  const answer = await worker.invoke(
    queueEvent("{", '{"paths":[],"reference":"r"}', '{"paths":["p"],"reference":"r"}', message("four")),
  );

  expect(answer.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)).toEqual(["m0", "m1", "m2"]);
  expect(invalidated).toEqual([["/p/abcdefg/*"]]);
});
