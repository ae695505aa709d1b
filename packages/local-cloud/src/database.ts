import { DatabaseSync } from "node:sqlite";

/**
 * Opens a SQLite file and creates missing tables and indexes with `schema`. Creates the file if missing. The write-ahead log makes commits
 * survive the end of the process without waiting for the disk.
 */
export function openDatabase(path: string, schema: string): DatabaseSync {
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; ${schema}`);
  return database;
}
