/**
 * `npm run bench [section…]` prints measurements. `npm run bench -- --write` also writes them to docs/measured, and some
 * of them to docs/benchmarks.md. The command fails only if a measurement cannot run, never because of its result.
 */
import { readFile, writeFile } from "node:fs/promises";
import { availableParallelism, cpus, loadavg, totalmem } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { projectDirectory } from "../../lib/project-directory.ts";
import { bundlesSection } from "./bundles.ts";
import { callsSection } from "./calls.ts";
import { foldersSection } from "./folders.ts";
import { renderMeasuredRows, renderTable, replaceBetween, type Section } from "./section.ts";

const sections: readonly Section[] = [callsSection, foldersSection, bundlesSection];

// `process.exit` runs the exit handlers, which end child processes and delete temporary folders.
process.once("SIGINT", () => process.exit(130));
process.once("SIGTERM", () => process.exit(143));

try {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { write: { type: "boolean", default: false } },
  });
  const names: readonly string[] = sections.map(({ name }) => name);
  const unknown = positionals.find((word) => !names.includes(word));
  if (unknown !== undefined)
    throw new Error(`Unknown section ${JSON.stringify(unknown)}. Choose from ${names.join(", ")}.`);
  // Reads the machine's load before the sections increase it.
  const circumstances = describeMachine();
  for (const section of sections)
    if (positionals.length === 0 || positionals.includes(section.name))
      await run(section, circumstances, values.write);
} catch (error) {
  console.error(error);
  process.exitCode = 1;
}

async function run({ name, minutes, measure }: Section, circumstances: string, isWritten: boolean) {
  console.error(`Measuring ${name}, about ${minutes} min …`);
  const { table, shown = table, data, missing = [] } = await measure();
  console.log(`\n## ${name}\n\n${renderTable(table)}\n\n${circumstances}\n`);
  if (missing.length > 0) console.log(`Not measured: ${missing.join(", ")}.\n`);
  if (!isWritten) return;
  await writeFile(join(projectDirectory, `docs/measured/${name}.json`), renderMeasuredRows(data));
  const path = join(projectDirectory, "docs/benchmarks.md");
  const page = await readFile(path, "utf8");
  const text = `${renderTable(shown)}\n\n${circumstances}`;
  await writeFile(path, replaceBetween(page, [`begin ${name}`, `end ${name}`], text));
}

/** States the date and the machine, and adds a warning if the load is high. */
function describeMachine(): string {
  const processors = availableParallelism();
  const [load = 0] = loadavg();
  const memoryGibibytes = Math.round(totalmem() / 2 ** 30);
  // Above this load per processor, measurements are unreliable.
  const isBusy = load > processors * 0.25;
  const busy = isBusy ? ` The machine was busy (load ${load.toFixed(1)}), so measure again.` : "";
  return (
    `Measured on ${new Date().toISOString().slice(0, 10)}: ${processors} × ${cpus()[0]?.model.trim()}, ` +
    `${memoryGibibytes} GiB, ${process.platform} ${process.arch}, Node ${process.version}.${busy}`
  );
}
