import { DatabaseSync } from "node:sqlite";
import type { Log } from "../aws-service.ts";

const BUSY_MS_MAX = 5_000;

/** dynoxide 1.2.1 looks for the last record of a table with each write, and for later ones with each read. */
const INDEXES = `
  CREATE INDEX IF NOT EXISTS stream_records_by_table
    ON _stream_records (table_name, CAST(sequence_number AS INTEGER));
  CREATE INDEX IF NOT EXISTS stream_records_by_shard
    ON _stream_records (table_name, shard_id, CAST(sequence_number AS INTEGER));
`;

/**
 * Adds missing indexes to dynoxide's database. Without them, each write and each read of the stream scans all changes: 4 ms after
 * 20,000. A failure is logged.
 */
export function indexStream(databasePath: string, log: Log): void {
  try {
    const database = new DatabaseSync(databasePath, { timeout: BUSY_MS_MAX });
    try {
      database.exec(INDEXES);
    } finally {
      database.close();
    }
  } catch (error) {
    log(`dynamodb: streams become slower the longer they are: ${(error as Error).message}`);
  }
}
