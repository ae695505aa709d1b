import { DatabaseSync } from "node:sqlite";

/**
 * Opens a SQLite file. Creates the file if missing. The write-ahead log makes commits survive the end of the process without waiting for
 * the disk.
 *
 * @param schema statements that create missing tables and indexes
 */
export function openDatabase(path: string, schema: string): DatabaseSync {
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; ${schema}`);
  return database;
}
