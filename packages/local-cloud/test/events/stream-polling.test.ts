import { expect, test } from "vitest";
import type { StreamPage, TableStream } from "../../src/aws/dynamodb/table-stream.ts";
import type { CheckpointStore } from "../../src/events/checkpoint-store.ts";
import type { StreamMapping } from "../../src/events/event-source-mapping.ts";
import { startStreamPoller } from "../../src/events/stream-poller.ts";
import type { LambdaService } from "../../src/lambda/lambda-service.ts";

const mapping: StreamMapping = {
  kind: "stream",
  logicalId: "Mapping",
  functionName: "F",
  roleArn: "arn:aws:iam::000000000000:role/F",
  sourceArn: "arn:aws:dynamodb:us-east-1:000000000000:table/T/stream/1",
  batchSize: 100,
  batchWindowSeconds: 0,
  reportsItemFailures: false,
  startsAt: "LATEST",
  // No change matches, so the function is never invoked.
  filter: () => false,
  bisects: false,
  retriesMax: Number.POSITIVE_INFINITY,
  recordAgeSecondsMax: Number.POSITIVE_INFINITY,
  onFailureQueueArn: undefined,
};

test("a stream is polled at most four times a second while it is written continuously", async () => {
  let reads = 0;
  const written = new Set<() => void>();
  const position = { shardId: "shard", sequenceNumber: "1" };
  const stream: TableStream = {
    arn: mapping.sourceArn,
    generation: async () => "1",
    read: async (): Promise<StreamPage> => {
      reads += 1;
      return { records: [], position, isLast: true };
    },
    onWrite(listener) {
      written.add(listener);
      return () => written.delete(listener);
    },
    hasOtherWriters: false,
    trim: async () => {},
  };
  const checkpoints: CheckpointStore = { get: () => position, set() {}, close() {} };
  const lambda = {} as LambdaService;
  const startedAtMs = performance.now();
  const poller = startStreamPoller({
    mapping,
    stream,
    checkpoints,
    lambda,
    onFailureQueue: undefined,
    log: () => {},
  });
  const writing = setInterval(() => {
    for (const listener of written) listener();
  }, 5);

  await expect.poll(() => reads).toBeGreaterThanOrEqual(4);

  const lastedMs = performance.now() - startedAtMs;
  clearInterval(writing);
  await poller.stop();
  // Timers may end a millisecond early.
  expect(lastedMs / (reads - 1)).toBeGreaterThanOrEqual(245);
});
