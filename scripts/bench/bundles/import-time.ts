import { execFile } from "node:child_process";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

const measuringCode = `
const startedAtMs = performance.now();
await import(process.argv[1]);
process.stdout.write(String(performance.now() - startedAtMs));
process.exit();
`;

/** How long a fresh process of the Node that runs this takes to import a module, from its first line to its last. */
export async function measureImportMs(modulePath: string): Promise<number> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--input-type=module", "--eval", measuringCode, pathToFileURL(modulePath).href],
    // Nothing that was set for this process, such as NODE_OPTIONS.
    { env: {} },
  );
  return Number(stdout);
}
