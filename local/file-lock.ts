import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";

const retryMs = 50;
/** SQLite result code SQLITE_BUSY. */
const busy = 5;

/**
 * Runs `work` while this process holds a lock on a file. The lock is a SQLite lock on an empty file. If the process is killed, the
 * operating system releases it.
 */
export async function withFileLock<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  const database = new DatabaseSync(file);
  try {
    while (!tryBegin(database)) await delay(retryMs);
    return await work();
  } finally {
    database.close();
  }
}

function tryBegin(database: DatabaseSync): boolean {
  try {
    database.exec("BEGIN EXCLUSIVE");
    return true;
  } catch (error) {
    if ((error as { errcode?: number }).errcode === busy) return false;
    throw error;
  }
}
