import { afterAll, beforeAll, beforeEach, expect, type MockInstance, test, vi } from "vitest";
import { refusalsMax, repeatOf, toInvalidationMessage } from "../../functions/background/invalidation.ts";
import { AwsError } from "../../local/aws/aws-error.ts";
import type { Queue } from "../../local/aws/sqs/queue.ts";
import { queueEvent } from "./messages.ts";
import { type RunningWorker, runWorker } from "./running-worker.ts";

const invalidated: string[][] = [];
let isFull = false;
let worker: RunningWorker;
let send: MockInstance<Queue["send"]>;

beforeAll(async () => {
  worker = await runWorker("follow-up");
  worker.connectEdge((paths) => {
    if (isFull) throw new AwsError("TooManyInvalidationsInProgress", 400, "Too many.");
    invalidated.push([...paths]);
  });
  send = vi.spyOn(worker.queue("FOLLOW_UPS_QUEUE_URL"), "send");
});
afterAll(() => worker.stop());
beforeEach(() => {
  invalidated.length = 0;
  isFull = false;
  send.mockClear();
});

const message = (reference: string, { path = "/p/abcdefg/raw", refusals = 0 } = {}) =>
  toInvalidationMessage({ paths: [path], reference, refusals });

test("the edge is told once of all that comes out together, and each path once", async () => {
  const response = await worker.invoke(
    queueEvent(message("one"), message("two"), message("three", { path: "/p/hijklmn/raw" })),
  );

  expect(response.batchItemFailures).toEqual([]);
  expect(invalidated).toEqual([["/p/abcdefg/raw", "/p/hijklmn/raw"]]);
});

test("a message that comes twice is one invalidation", async () => {
  await worker.invoke(queueEvent(message("four"), message("four")));
  await worker.invoke(queueEvent(message("four")));

  expect(invalidated).toEqual([["/p/abcdefg/raw"]]);
});

test("the second time is not taken for the first", async () => {
  const first = { paths: ["/p/abcdefg/raw"], reference: "five", refusals: 0 };

  await worker.invoke(queueEvent(toInvalidationMessage(first)));
  await worker.invoke(queueEvent(toInvalidationMessage(repeatOf(first))));

  expect(invalidated).toHaveLength(2);
});

test("messages that are no invalidations are given back, and the others are done", async () => {
  const response = await worker.invoke(
    queueEvent("{", '{"paths":[],"reference":"r"}', '{"paths":["p"],"reference":"r"}', message("six")),
  );

  expect(response.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)).toEqual(["m0", "m1", "m2"]);
  expect(invalidated).toEqual([["/p/abcdefg/raw"]]);
});

test("what CloudFront refuses waits longer each time", async () => {
  isFull = true;

  const response = await worker.invoke(
    queueEvent(message("seven"), message("eight", { path: "/p/hijklmn/raw", refusals: 2 })),
  );

  expect(response.batchItemFailures).toEqual([]);
  const [waiting, ...others] = send.mock.calls.map(([one]) => one);
  expect(others).toEqual([]);
  expect(waiting?.delaySeconds).toBe(20);
  expect(JSON.parse(waiting?.body ?? "")).toMatchObject({
    paths: ["/p/abcdefg/raw", "/p/hijklmn/raw"],
    refusals: 3,
  });
});

test("what was refused too often is given back to the queue, which has dead letters", async () => {
  isFull = true;

  const response = await worker.invoke(queueEvent(message("nine", { refusals: refusalsMax })));

  expect(response.batchItemFailures).toEqual([{ itemIdentifier: "m0" }]);
  expect(send).not.toHaveBeenCalled();
});
