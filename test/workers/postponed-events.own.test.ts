import { AwsError } from "@dropleaf/local-cloud/aws/aws-error";
import type { Queue } from "@dropleaf/local-cloud/aws/sqs/queue";
import { afterAll, beforeAll, beforeEach, expect, type MockInstance, test, vi } from "vitest";
import { queueEvent } from "./messages.ts";
import { type RunningWorker, runWorker } from "./running-worker.ts";

const told: unknown[] = [];
let refused: readonly unknown[] = [];
let worker: RunningWorker;
let send: MockInstance<Queue["send"]>;

beforeAll(async () => {
  worker = await runWorker("follow-up");
  worker.onEvent(({ detail }) => {
    if (refused.includes(detail.number)) throw new AwsError("ThrottlingException", 400, "Slower.");
    told.push(detail.number);
  });
  send = vi.spyOn(worker.queue("FOLLOW_UPS_QUEUE_URL"), "send");
});
afterAll(() => worker.stop());
beforeEach(() => {
  told.length = 0;
  refused = [];
  send.mockClear();
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
});

const day = 24 * 60 * 60 * 1000;

function message({ numbers = [1], tries = 1, sinceMs = Date.now(), dueAtMs = 0 } = {}): string {
  const events = numbers.map((number) => {
    const ids = { id: `evt_${number}`, slug: "abcdefg", ownerId: "o" };
    return { ...ids, number, kind: "drop.deleted", atMs: 0 };
  });
  return JSON.stringify({ kind: "events", events, tries, sinceMs, dueAtMs });
}

test("events that the bus refused are sent again, also more than ten at a time", async () => {
  const numbers = Array.from({ length: 25 }, (_, index) => index + 1);

  const response = await worker.invoke(queueEvent(message({ numbers })));

  expect(response.batchItemFailures).toEqual([]);
  expect(told).toEqual(numbers);
  expect(send).not.toHaveBeenCalled();
});

test("events refused again wait longer, and accepted events are not sent again", async () => {
  refused = [2];

  const response = await worker.invoke(queueEvent(message({ numbers: [1, 2, 3], tries: 4 })));

  expect(response.batchItemFailures).toEqual([]);
  expect(told).toEqual([1, 3]);
  const [[{ body, delaySeconds }] = [{ body: "", delaySeconds: 0 }]] = send.mock.calls;
  expect(delaySeconds).toBe(80);
  expect(JSON.parse(body)).toMatchObject({ tries: 5, events: [{ number: 2 }] });
});

test("events due later than the queue's maximum delay are queued again", async () => {
  await worker.invoke(queueEvent(message({ dueAtMs: Date.now() + 2 * 3_600 * 1000 })));

  expect(told).toEqual([]);
  expect(send.mock.calls[0]?.[0].delaySeconds).toBe(900);
});

test("after a day events are left to the queue's own retries and its dead-letter queue", async () => {
  refused = [1];

  const response = await worker.invoke(queueEvent(message({ tries: 17, sinceMs: Date.now() - day })));

  expect(response.batchItemFailures).toEqual([{ itemIdentifier: "m0" }]);
  expect(send).not.toHaveBeenCalled();
});

test("a message without events is returned to the queue, and the others are processed", async () => {
  const wrong =
    '{"kind":"events","events":[{"kind":"drop.eaten","number":1}],"tries":1,"sinceMs":1,"dueAtMs":1}';

  const response = await worker.invoke(queueEvent(wrong, message()));

  expect(response.batchItemFailures).toEqual([{ itemIdentifier: "m0" }]);
  expect(told).toEqual([1]);
});
