import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { runCommand } from "./run-command.ts";

const pyodide = "pyodide@314.0.7";
const pyodideFolder = fileURLToPath(new URL(`../../node_modules/.cache/${pyodide}`, import.meta.url));
const runner = fileURLToPath(new URL("./run-in-pyodide.mjs", import.meta.url));

/**
 * Returns the command that runs Python: the machine's own, or else CPython as WebAssembly, installed from npm.
 * `directory` is any folder.
 */
export async function pythonCommand(directory: string): Promise<readonly [string, ...string[]]> {
  const own = await runCommand(["python3", "-c", "import sys; sys.exit(sys.version_info < (3, 9))"], {
    directory,
  }).catch(() => undefined);
  if (own?.exitCode === 0) return ["python3"];
  if (!existsSync(join(pyodideFolder, "node_modules/pyodide"))) {
    await installPyodide().catch((error: Error) => {
      throw new Error(
        `No python3 of 3.9 or newer here, and npm could not bring ${pyodide}: ${error.message}`,
      );
    });
  }
  return ["node", runner, join(pyodideFolder, "node_modules/pyodide/pyodide.mjs")];
}

/** Installs Pyodide with the machine's own environment, which names its registry. */
function installPyodide() {
  const args = ["install", "--prefix", pyodideFolder, "--ignore-scripts", "--no-audit", "--no-fund", pyodide];
  return promisify(execFile)("npm", args, { timeout: 180_000 });
}
