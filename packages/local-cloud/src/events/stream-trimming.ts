import type { StreamPosition, TableStream } from "../aws/dynamodb/table-stream.ts";
import type { CheckpointStore } from "./checkpoint-store.ts";

/** A mapping and the stream that it reads. */
interface StreamReader {
  readonly logicalId: string;
  readonly stream: TableStream;
}

/** DynamoDB keeps changes for 24 hours; see "Change data capture for DynamoDB Streams", DynamoDB developer guide. */
const lifetimeMs = 24 * 60 * 60 * 1000;
const firstAfterMs = 10_000;
const betweenMs = 60 * 60 * 1000;

/** Trims the streams at intervals, until stopped. */
export function startStreamTrimming(
  readers: readonly StreamReader[],
  checkpoints: CheckpointStore,
  log: (line: string) => void,
): { stop(): Promise<void> } {
  let running = Promise.resolve();
  let timer = setTimeout(trim, firstAfterMs).unref();
  function trim(): void {
    running = trimReadChanges(readers, checkpoints, Date.now()).catch((error: Error) =>
      log(`dynamodb: changes older than 24 hours could not be removed: ${error.message}`),
    );
    timer = setTimeout(trim, betweenMs).unref();
  }
  return {
    async stop() {
      clearTimeout(timer);
      await running;
    },
  };
}

/** Removes changes older than 24 hours. Changes that a mapping has not processed stay, because a laptop may have been closed for days. */
export async function trimReadChanges(
  readers: readonly StreamReader[],
  checkpoints: CheckpointStore,
  nowMs: number,
): Promise<void> {
  for (const [, ofStream] of Map.groupBy(readers, ({ stream }) => stream.arn)) {
    const [{ stream } = {}] = ofStream;
    const generation = await stream?.generation();
    if (stream === undefined || generation === undefined) continue;
    const position = earliestOf(ofStream.map(({ logicalId }) => checkpoints.get(logicalId, generation)));
    if (position !== undefined) await stream.trim(position, nowMs - lifetimeMs);
  }
}

/** Returns the earliest position, or undefined if a mapping has read nothing or the shards differ. */
function earliestOf(positions: readonly (StreamPosition | undefined)[]): StreamPosition | undefined {
  const [first] = positions;
  if (first === undefined || positions.some((one) => one?.shardId !== first.shardId)) return undefined;
  // A sequence number has up to 40 digits.
  const numberOf = (position: StreamPosition | undefined) => BigInt(position?.sequenceNumber ?? 0);
  return positions.reduce((earliest, one) => (numberOf(one) < numberOf(earliest) ? one : earliest));
}
