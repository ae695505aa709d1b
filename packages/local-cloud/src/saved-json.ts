import { readFileSync, renameSync, writeFileSync } from "node:fs";

/** Reads a JSON file. Returns `ifNone` if there is no file. Throws an Error if the file cannot be read. */
export function readSavedJson<Value>(file: string, ifNone: Value): Value {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Value;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return ifNone;
    throw new Error(`${file} cannot be read: ${(error as Error).message}`);
  }
}

/** Replaces a JSON file, which only its owner can read. Writes a new file, because an existing file would keep its mode. */
export function saveJson(file: string, value: unknown): void {
  const incoming = `${file}.new`;
  writeFileSync(incoming, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(incoming, file);
}
