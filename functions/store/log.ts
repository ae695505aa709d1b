import { faultEnvironmentNames } from "../contract/environment.ts";
import { describeFault, describeFaultWhole } from "../domain/fault.ts";
import { findEnvironment } from "./environment.ts";

/** One line of the log. Names and numbers only: never what items, bodies or messages hold. */
export interface LogEntry {
  readonly level: "info" | "warn" | "error";
  readonly [field: string]: unknown;
}

/** Writes one line of JSON. */
export function writeLog(entry: LogEntry): void {
  process.stdout.write(`${JSON.stringify(entry)}\n`);
}

/**
 * Writes one line of JSON with a fault: its kind, where it happened, and the build that `npm run operator -- explain`
 * finds the source of these places by. Not its message, which may quote data: only `npm start` asks for that.
 */
export function writeFault(entry: LogEntry, error: unknown): void {
  const isWhole = findEnvironment(faultEnvironmentNames.withMessages) === "1";
  const build = findEnvironment(faultEnvironmentNames.build);
  const fault = isWhole ? describeFaultWhole(error) : describeFault(error);
  writeLog({ ...entry, ...fault, ...(build === undefined ? {} : { build }) });
}
