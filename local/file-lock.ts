import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";

const retryMs = 50;
/** SQLite's result code SQLITE_BUSY. */
const busy = 5;

/**
 * Does something while no other process of this machine does it under the same name. The operating system ends the claim
 * of a process that is killed: it is SQLite's lock of a file, which stays empty.
 */
export async function exclusively<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
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
