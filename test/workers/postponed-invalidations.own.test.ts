import { AwsError } from "@dropleaf/local-cloud/aws/aws-error";
import type { Queue } from "@dropleaf/local-cloud/aws/sqs/queue";
import { afterAll, beforeAll, beforeEach, expect, type MockInstance, test, vi } from "vitest";
import { refusalsMax, repeatOf, toInvalidationMessage } from "../../functions/background/invalidation.ts";
import { queueEvent } from "./messages.ts";
import { type RunningWorker, runWorker } from "./running-worker.ts";

const invalidated: string[][] = [];
let isFull = false;
let worker: RunningWorker;
let send: MockInstance<Queue["send"]>;

beforeAll(async () => {
  worker = await runWorker("follow-up");
  worker.connectEdge((tags) => {
    if (isFull) throw new AwsError("TooManyInvalidationsInProgress", 400, "Too many.");
    invalidated.push([...tags]);
  });
  send = vi.spyOn(worker.queue("FOLLOW_UPS_QUEUE_URL"), "send");
});
afterAll(() => worker.stop());
beforeEach(() => {
  invalidated.length = 0;
  isFull = false;
  send.mockClear();
});

const message = (reference: string, { tag = "drop:aa", refusals = 0 } = {}) =>
  toInvalidationMessage({ items: [`#${tag}`], reference, refusals });

test("tags that become due together are invalidated once each, in one invalidation", async () => {
  const response = await worker.invoke(
    queueEvent(message("one"), message("two"), message("three", { tag: "drop:bb" })),
  );

  expect(response.batchItemFailures).toEqual([]);
  expect(invalidated).toEqual([["drop:aa", "drop:bb"]]);
});

test("a message received twice is one invalidation", async () => {
  await worker.invoke(queueEvent(message("four"), message("four")));
  await worker.invoke(queueEvent(message("four")));

  expect(invalidated).toEqual([["drop:aa"]]);
});

test("the second invalidation of a change is not mistaken for the first", async () => {
  const first = { items: ["#drop:aa"], reference: "five", refusals: 0 };

  await worker.invoke(queueEvent(toInvalidationMessage(first)));
  await worker.invoke(queueEvent(toInvalidationMessage(repeatOf(first))));

  expect(invalidated).toHaveLength(2);
});

test("invalid messages are returned to the queue, and the others are processed", async () => {
  const response = await worker.invoke(
    queueEvent("{", '{"items":[],"reference":"r"}', '{"items":["p"],"reference":"r"}', message("six")),
  );

  expect(response.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)).toEqual(["m0", "m1", "m2"]);
  expect(invalidated).toEqual([["drop:aa"]]);
});

test("invalidations that CloudFront refuses wait longer each time", async () => {
  isFull = true;

  const response = await worker.invoke(
    queueEvent(message("seven"), message("eight", { tag: "drop:bb", refusals: 2 })),
  );

  expect(response.batchItemFailures).toEqual([]);
  const [waiting, ...others] = send.mock.calls.map(([one]) => one);
  expect(others).toEqual([]);
  expect(waiting?.delaySeconds).toBe(20);
  expect(JSON.parse(waiting?.body ?? "")).toMatchObject({
    items: ["#drop:aa", "#drop:bb"],
    refusals: 3,
  });
});

test("an invalidation refused too often is returned to the queue, which has a dead-letter queue", async () => {
  isFull = true;

  const response = await worker.invoke(queueEvent(message("nine", { refusals: refusalsMax })));

  expect(response.batchItemFailures).toEqual([{ itemIdentifier: "m0" }]);
  expect(send).not.toHaveBeenCalled();
});

test("too many tags for one invalidation become several, and no tag is lost", async () => {
  const tags = Array.from({ length: 2_500 }, (_, index) => `drop:${index}`);
  const messages = [0, 1, 2, 3, 4].map((part) => {
    const items = tags.slice(part * 500, (part + 1) * 500).map((tag) => `#${tag}`);
    return toInvalidationMessage({ items, reference: `many-${part}`, refusals: 0 });
  });

  const response = await worker.invoke(queueEvent(...messages));

  expect(response.batchItemFailures).toEqual([]);
  expect(invalidated.map((some) => some.length)).toEqual([1_000, 1_000, 500]);
  expect(invalidated.flat().sort()).toEqual(tags.sort());
});
