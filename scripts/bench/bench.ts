/**
 * `npm run bench [section…]` prints measurements. `npm run bench -- --write` also writes them to docs/measured and shows
 * some of them in docs/benchmarks.md. It fails only if something does not run.
 */
import { readFile, writeFile } from "node:fs/promises";
import { availableParallelism, cpus, loadavg, totalmem } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { projectDirectory } from "../../lib/project-directory.ts";
import { bundlesSection } from "./bundles/bundles-section.ts";
import { callsSection } from "./calls/calls-section.ts";
import { coldSection } from "./cold/cold-section.ts";
import { foldersSection } from "./folders/folders-section.ts";
import { handlerSection } from "./handler/handler-section.ts";
import { renderTable, replaceBetween, type Table } from "./markdown-table.ts";
import { renderMeasuredRows } from "./measured-rows.ts";
import { searchSection } from "./search/search-section.ts";
import { secretsSection } from "./secrets/secrets-section.ts";
import type { Section } from "./section.ts";

const sections: readonly Section[] = [
  callsSection,
  coldSection,
  handlerSection,
  foldersSection,
  bundlesSection,
  secretsSection,
  searchSection,
];

/** The rows that docs/benchmarks.md shows: a function, and the variant of its call. */
const rowsInPage: readonly (readonly [name: string, variant: string])[] = [
  ["publish-drop", ""],
  ["publish-version", ""],
  ["get-drop", ""],
  ["list-drops", "20 of 500 drops"],
  ["view-drop", ""],
  ["read-raw-page", ""],
  ["unlock-drop", ""],
  ["complete-sign-in", "known account"],
  ["show-owner-page", "500 drops"],
  ["list-feedback", "1 comment"],
  ["call-mcp", "list of tools"],
  ["janitor", ""],
  ["render-page", ""],
];

/** Measurements are unreliable above this load for each processor. */
const loadShareMax = 0.25;

// Exit handlers end child processes and delete temporary folders.
process.once("SIGINT", () => process.exit(130));
process.once("SIGTERM", () => process.exit(143));

try {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { write: { type: "boolean", default: false } },
  });
  const chosen = sections.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  const unknown = positionals.find((word) => !sections.some(({ name }) => name === word));
  if (unknown !== undefined) {
    const names = sections.map(({ name }) => name).join(", ");
    throw new Error(`Unknown section ${JSON.stringify(unknown)}. Choose from ${names}.`);
  }
  // Read before the sections add to the load.
  const circumstances = describeMachine();
  for (const section of chosen) await run(section, circumstances, values.write);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

async function run({ name, minutes, measure }: Section, circumstances: string, isWritten: boolean) {
  console.error(`Measuring ${name}, about ${minutes} min …`);
  try {
    const { missing = [], others = {}, ...found } = await measure();
    for (const [part, { table, data }] of Object.entries({ [name]: found, ...others })) {
      console.log(`\n## ${part}\n\n${renderTable(table)}\n\n${circumstances}\n`);
      if (!isWritten) continue;
      await writeFile(join(projectDirectory, `docs/measured/${part}.json`), renderMeasuredRows(data));
      const path = join(projectDirectory, "docs/benchmarks.md");
      const page = await readFile(path, "utf8");
      const text = `${renderTable(excerptOf(table))}\n\n${circumstances}`;
      await writeFile(path, replaceBetween(page, [`begin ${part}`, `end ${part}`], text));
    }
    if (missing.length > 0) console.log(`Not measured: ${missing.join(", ")}.\n`);
  } catch (error) {
    console.error(`${name} could not be measured:`, error);
    process.exitCode = 1;
  }
}

function excerptOf({ columns, rows }: Table): Table {
  // A table without functions is shown whole.
  if (!columns.startsWith(":function") && !columns.startsWith(":operation")) return { columns, rows };
  const hasVariants = columns.includes("| :which");
  const shown = rowsInPage.flatMap(([name, variant]) =>
    rows.filter((row) => row[0] === name && (!hasVariants || row[1] === variant)),
  );
  return { columns, rows: shown };
}

/** Date, machine and, if it is busy, its load. */
function describeMachine(): string {
  const processors = availableParallelism();
  const [load = 0] = loadavg();
  const memoryGibibytes = Math.round(totalmem() / 2 ** 30);
  const busy = load > processors * loadShareMax ? ` Busy (load ${load.toFixed(1)}): measure again.` : "";
  return (
    `Measured on ${new Date().toISOString().slice(0, 10)}: ${processors} × ${cpus()[0]?.model.trim()}, ` +
    `${memoryGibibytes} GiB, ${process.platform} ${process.arch}, Node ${process.version}.${busy}`
  );
}
