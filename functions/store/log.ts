/** One line of the log. Names and numbers only: never what items, bodies or messages hold. */
export interface LogEntry {
  readonly level: "info" | "warn" | "error";
  readonly [field: string]: unknown;
}

/** Writes one line of JSON. */
export function writeLog(entry: LogEntry): void {
  process.stdout.write(`${JSON.stringify(entry)}\n`);
}
