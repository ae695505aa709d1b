import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Creates a folder that is removed when the process ends, also by Ctrl-C. */
export function createTemporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "dropleaf-bench-"));
  process.on("exit", () => rmSync(directory, { recursive: true, force: true, maxRetries: 3 }));
  return directory;
}
