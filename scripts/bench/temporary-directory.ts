import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A new folder, removed when the process ends, by Ctrl-C too. */
export function createTemporaryDirectory(parent = tmpdir()): string {
  mkdirSync(parent, { recursive: true });
  const directory = mkdtempSync(join(parent, "dropleaf-bench-"));
  process.on("exit", () => rmSync(directory, { recursive: true, force: true, maxRetries: 3 }));
  return directory;
}
