import { expect, onTestFinished, test, vi } from "vitest";
import { openMessageStore } from "../../src/aws/sqs/message-store.ts";
import { openQueues } from "../../src/aws/sqs/queue.ts";

test("a reader of an empty queue waits for a message without reading the store again", async () => {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const store = openMessageStore(":memory:");
  let looks = 0;
  const counting = {
    ...store,
    nextVisibleAtMs: (...given: Parameters<typeof store.nextVisibleAtMs>) => {
      looks += 1;
      return store.nextVisibleAtMs(...given);
    },
  };
  const settings = {
    name: "Quiet",
    arn: "arn:aws:sqs:us-east-1:000000000000:Quiet",
    delaySeconds: 0,
    visibilityTimeoutSeconds: 30,
    retentionSeconds: 60,
    messageBytesMax: 1_048_576,
    receiveWaitSeconds: 0,
    redrive: undefined,
  };
  const queue = openQueues([settings], counting, () => {}).get("Quiet");
  const waited = queue?.waitFor(1, Number.POSITIVE_INFINITY, new AbortController().signal);

  await vi.advanceTimersByTimeAsync(60_000);
  const looksOfIdle = looks;
  queue?.send({ body: "something" });

  expect(looksOfIdle).toBe(1);
  expect(await waited).toBe(true);
  store.close();
});
