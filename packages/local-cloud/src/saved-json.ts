import { readFileSync, renameSync, writeFileSync } from "node:fs";

/**
 * Reads a file of JSON.
 *
 * @param ifNone the value if there is no file
 * @throws Error if the file cannot be read
 */
export function readSavedJson<Value>(file: string, ifNone: Value): Value {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Value;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return ifNone;
    throw new Error(`${file} cannot be read: ${(error as Error).message}`);
  }
}

/** Replaces a file of JSON, which only its owner can read. Writes a new file, because an existing file would keep its mode. */
export function saveJson(file: string, value: unknown): void {
  const incoming = `${file}.new`;
  writeFileSync(incoming, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(incoming, file);
}
