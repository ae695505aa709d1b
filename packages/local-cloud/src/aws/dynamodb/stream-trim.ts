import { DatabaseSync } from "node:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";

/** Changes of a table that may be removed. */
export interface ReadChanges {
  readonly tableName: string;
  readonly shardId: string;
  /** The last of the changes. */
  readonly sequenceNumber: string;
  readonly writtenBeforeMs: number;
}

const BUSY_MS_MAX = 5_000;
/** Limit of a statement, which blocks this thread and the engine's writes until it ends. */
const RECORDS_PER_STATEMENT = 500;

/** Keeps the table's last change, from which dynoxide 1.2.1 makes the next sequence number. */
const REMOVE_SOME = `
  DELETE FROM _stream_records WHERE id IN (
    SELECT id FROM _stream_records
    WHERE table_name = ?1 AND shard_id = ?2 AND created_at < ?4
      AND CAST(sequence_number AS INTEGER) <= CAST(?3 AS INTEGER)
      AND CAST(sequence_number AS INTEGER) <
        (SELECT MAX(CAST(sequence_number AS INTEGER)) FROM _stream_records WHERE table_name = ?1)
    LIMIT ${RECORDS_PER_STATEMENT})
`;

/** Removes changes from dynoxide's database, which never removes any itself. */
export async function trimStream(
  databasePath: string,
  { tableName, shardId, sequenceNumber, writtenBeforeMs }: ReadChanges,
): Promise<void> {
  const database = new DatabaseSync(databasePath, { timeout: BUSY_MS_MAX });
  try {
    const remove = database.prepare(REMOVE_SOME);
    const beforeSeconds = Math.floor(writtenBeforeMs / 1000);
    while (remove.run(tableName, shardId, sequenceNumber, beforeSeconds).changes > 0) await nextTurn();
  } finally {
    database.close();
  }
}
