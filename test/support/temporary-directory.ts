import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A new folder, removed when the process ends, by Ctrl-C too. */
export function createTemporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "dropleaf-bench-"));
  process.on("exit", () => rmSync(directory, { recursive: true, force: true, maxRetries: 3 }));
  return directory;
}
