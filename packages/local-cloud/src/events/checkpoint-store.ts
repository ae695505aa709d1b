import type { StreamPosition } from "../aws/dynamodb/table-stream.ts";
import { openDatabase } from "../database.ts";

/** Positions up to which each mapping has processed its stream. Stored values survive the end of the process. */
export type CheckpointStore = ReturnType<typeof openCheckpointStore>;

/** Opens the database file. Creates the file if missing. */
export function openCheckpointStore(path: string) {
  const database = openDatabase(
    path,
    "CREATE TABLE IF NOT EXISTS checkpoints (mapping TEXT PRIMARY KEY, generation TEXT NOT NULL, shard_id TEXT NOT NULL, sequence_number TEXT)",
  );
  const select = database.prepare(
    "SELECT shard_id, sequence_number FROM checkpoints WHERE mapping = ? AND generation = ?",
  );
  const replace = database.prepare("INSERT OR REPLACE INTO checkpoints VALUES (?, ?, ?, ?)");
  return {
    /** @param generation generation of the stream; a checkpoint of another generation is ignored */
    get(mapping: string, generation: string): StreamPosition | undefined {
      const row = select.get(mapping, generation);
      return row && { shardId: String(row.shard_id), sequenceNumber: row.sequence_number?.toString() };
    },
    set(mapping: string, generation: string, { shardId, sequenceNumber }: StreamPosition): void {
      replace.run(mapping, generation, shardId, sequenceNumber ?? null);
    },
    close: () => database.close(),
  };
}
