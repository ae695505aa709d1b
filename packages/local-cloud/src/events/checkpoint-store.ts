import { DatabaseSync } from "node:sqlite";
import type { StreamPosition } from "../aws/dynamodb/table-stream.ts";

/** Positions up to which each mapping has processed its stream. Stored values survive the end of the process. */
export interface CheckpointStore {
  /** @param generation of the stream: a checkpoint of another generation is ignored */
  get(mapping: string, generation: string): StreamPosition | undefined;
  set(mapping: string, generation: string, position: StreamPosition): void;
  close(): void;
}

/** Opens the database file, which is created when missing. */
export function openCheckpointStore(path: string): CheckpointStore {
  const database = new DatabaseSync(path);
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;");
  database.exec(
    "CREATE TABLE IF NOT EXISTS checkpoints (mapping TEXT PRIMARY KEY, generation TEXT NOT NULL, shard_id TEXT NOT NULL, sequence_number TEXT)",
  );
  const select = database.prepare(
    "SELECT shard_id, sequence_number FROM checkpoints WHERE mapping = ? AND generation = ?",
  );
  const replace = database.prepare("INSERT OR REPLACE INTO checkpoints VALUES (?, ?, ?, ?)");
  return {
    get(mapping, generation) {
      const row = select.get(mapping, generation);
      return row && { shardId: String(row.shard_id), sequenceNumber: row.sequence_number?.toString() };
    },
    set(mapping, generation, { shardId, sequenceNumber }) {
      replace.run(mapping, generation, shardId, sequenceNumber ?? null);
    },
    close: () => database.close(),
  };
}
