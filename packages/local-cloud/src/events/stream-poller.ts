import type { StreamPosition, StreamRecord, TableStream } from "../aws/dynamodb/table-stream.ts";
import type { Queue } from "../aws/sqs/queue.ts";
import { functionLabel } from "../lambda/lambda-function.ts";
import type { LambdaService } from "../lambda/lambda-service.ts";
import { batchBytesMax } from "./batch-invocation.ts";
import type { CheckpointStore } from "./checkpoint-store.ts";
import type { StreamMapping } from "./event-source-mapping.ts";
import { type Poller, sleepUntilAborted, startPoller } from "./poller.ts";
import { deliverInOrder } from "./stream-batch.ts";

interface StreamPollerOptions {
  readonly mapping: StreamMapping;
  readonly stream: TableStream;
  readonly checkpoints: CheckpointStore;
  readonly lambda: LambdaService;
  /** Queue for descriptions of discarded batches. */
  readonly onFailureQueue: Queue | undefined;
  readonly log: (line: string) => void;
}

/** Time in which writes are grouped, so that one read of the stream covers all of them. */
const groupMs = 50;
/** Pause between reads while records arrive; see the base rate in "Using AWS Lambda with Amazon DynamoDB", AWS Lambda developer guide. */
const steadyPollMs = 250;
/** Poll intervals for writes that bypass our endpoint: by other clients of an external database, and by the engine's time to live. */
const idlePollMs = { ofOthers: 1_000, ofEngine: 30_000 };

/**
 * Invokes the mapping's function with batches of a table's changes, in order and at least once. Stores the position for a restart after
 * each batch. Call `storeStartPosition` first. See "Using AWS Lambda with Amazon DynamoDB", AWS Lambda developer guide.
 */
export function startStreamPoller(options: StreamPollerOptions): Poller {
  const { mapping, stream, checkpoints, log } = options;
  const label = `[${functionLabel(mapping.functionName)}]`;
  return startPoller(
    async (signal) => {
      const generation = await stream.generation();
      const save = (position: StreamPosition) => checkpoints.set(mapping.logicalId, generation, position);
      await follow(checkpoints.get(mapping.logicalId, generation), save, options, signal);
    },
    (message) => log(`${label} cannot read the stream of its table: ${message}`),
  );
}

/** Stores the stream's current end as the start position of a new mapping with LATEST. Reads the whole stream to find its end. */
export async function storeStartPosition({
  mapping,
  stream,
  checkpoints,
}: Pick<StreamPollerOptions, "mapping" | "stream" | "checkpoints">): Promise<void> {
  const generation = await stream.generation();
  if (mapping.startsAt === "TRIM_HORIZON" || checkpoints.get(mapping.logicalId, generation)) return;
  let page = await stream.read(undefined);
  while (!page.isLast) page = await stream.read(page.position);
  checkpoints.set(mapping.logicalId, generation, page.position);
}

/** Reads and delivers records until stopped. Throws if the stream cannot be read. */
async function follow(
  start: StreamPosition | undefined,
  save: (position: StreamPosition) => void,
  options: StreamPollerOptions,
  signal: AbortSignal,
): Promise<void> {
  const { mapping, stream } = options;
  const windowMs = mapping.batchWindowSeconds * 1000;
  const idleMs = stream.hasOtherWriters ? idlePollMs.ofOthers : idlePollMs.ofEngine;
  let position = start;
  let waiting: readonly StreamRecord[] = [];
  let waitingSinceMs = Date.now();
  while (!signal.aborted) {
    const writes = watchWrites(stream);
    const page = await stream.read(position);
    const shardId = position?.shardId ?? page.position.shardId;
    position = page.position;
    if (waiting.length === 0) waitingSinceMs = Date.now();
    waiting = [...waiting, ...page.records.filter((record) => mapping.filter(record))];
    // A batch never contains records of two shards.
    const isWindowOver = Date.now() - waitingSinceMs >= windowMs || position.shardId !== shardId;
    while (waiting.length >= (isWindowOver ? 1 : mapping.batchSize)) {
      const batch = firstBatch(waiting, mapping.batchSize);
      if (!(await deliver(batch, shardId, save, options, signal))) return;
      waiting = waiting.slice(batch.length);
    }
    // Moves the position past records that the filter excluded.
    if (waiting.length === 0 && !page.isLast) save(position);
    const untilWindowMs = waiting.length > 0 ? waitingSinceMs + windowMs - Date.now() : idleMs;
    await writes.end(page.isLast ? Math.min(untilWindowMs, idleMs) : 0, signal);
  }
}

/** Starts watching for writes, so that writes between reading and waiting are noticed. */
function watchWrites(stream: TableStream): { end(waitMs: number, signal: AbortSignal): Promise<void> } {
  const readAtMs = performance.now();
  const written = new AbortController();
  const unwatch = stream.onWrite(() => written.abort());
  return {
    async end(waitMs, signal) {
      await sleepUntilAborted(waitMs, AbortSignal.any([written.signal, signal]));
      unwatch();
      const sinceReadMs = performance.now() - readAtMs;
      if (written.signal.aborted)
        await sleepUntilAborted(Math.max(groupMs, steadyPollMs - sinceReadMs), signal);
    },
  };
}

function deliver(
  batch: readonly StreamRecord[],
  shardId: string,
  save: (position: StreamPosition) => void,
  { mapping, lambda, onFailureQueue, log }: StreamPollerOptions,
  signal: AbortSignal,
): Promise<boolean> {
  return deliverInOrder(batch, {
    ...{ mapping, lambda, shardId, signal, log },
    onDone: (sequenceNumber) => save({ shardId, sequenceNumber }),
    onDiscard: (body) => void onFailureQueue?.send({ body }),
  });
}

/** Returns the first records that fit the batch size and the size of an event, but at least one record. */
function firstBatch(records: readonly StreamRecord[], batchSize: number): readonly StreamRecord[] {
  let sizeBytes = 0;
  const firstTooLarge = records.findIndex((record, index) => {
    sizeBytes += Buffer.byteLength(JSON.stringify(record)) + 1;
    return index > 0 && sizeBytes > batchBytesMax;
  });
  return records.slice(0, Math.min(batchSize, firstTooLarge < 0 ? records.length : firstTooLarge));
}
