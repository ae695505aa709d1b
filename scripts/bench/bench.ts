/**
 * `npm run bench [section…]`: prints measured figures beside their targets. `npm run bench -- --write` also puts them
 * into docs/benchmarks.md and docs/measured/; `--before <folder>` measures a checkout of earlier code beside this one,
 * where a section does that. It fails when something does not run, never because a figure is high.
 */
import { parseArgs } from "node:util";
import { writeDataFile, writeSection } from "./benchmarks-page.ts";
import { bundlesSection } from "./bundles/bundles-section.ts";
import { callsSection } from "./calls/calls-section.ts";
import { coldSection } from "./cold/cold-section.ts";
import { growthSection } from "./growth/growth-section.ts";
import { handlerSection } from "./handler/handler-section.ts";
import { ingestSection } from "./ingest/ingest-section.ts";
import { describeLoad, describeMachine } from "./machine.ts";
import { renderTable } from "./markdown-table.ts";
import { profileSection } from "./profile/profile-section.ts";
import { renderSection } from "./render/render-section.ts";
import type { Findings, MeasureOptions, Section } from "./section.ts";
import { startSection } from "./start/start-section.ts";
import { throughputSection } from "./throughput/throughput-section.ts";

const sections: readonly Section[] = [
  startSection,
  callsSection,
  coldSection,
  handlerSection,
  bundlesSection,
  throughputSection,
  profileSection,
  growthSection,
  ingestSection,
  renderSection,
];

// What was started ends with this process, and leaves nothing behind.
process.once("SIGINT", () => process.exit(130));
process.once("SIGTERM", () => process.exit(143));

try {
  const { chosen, isWritten, options } = parseCommandLine();
  // Before the sections make work of their own.
  const circumstances = [
    `Measured on ${new Date().toISOString().slice(0, 10)}: ${describeMachine()}.`,
    describeLoad(),
  ];
  console.error(
    `About ${chosen.reduce((sum, { minutes }) => sum + minutes, 0)} min in all, on two quiet processors.`,
  );
  let overGoal: MeasureOptions["overGoal"];
  for (const section of chosen) {
    const findings = await run(section, { ...options, overGoal }, circumstances, isWritten);
    if (findings === undefined) process.exitCode = 1;
    overGoal = findings?.overGoal ?? overGoal;
  }
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

function parseCommandLine(): {
  readonly chosen: readonly Section[];
  readonly isWritten: boolean;
  readonly options: MeasureOptions;
} {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { write: { type: "boolean", default: false }, before: { type: "string" } },
  });
  const names = sections.map(({ name }) => name);
  const unknown = positionals.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new Error(
      `There is no section ${JSON.stringify(unknown)}: choose from ${names.join(", ")}, or none for all.`,
    );
  }
  const chosen = sections.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  return { chosen, isWritten: values.write, options: { before: values.before } };
}

/** Measures a section and prints it; undefined when it could not be measured, which leaves the others to be. */
async function run(
  section: Section,
  options: MeasureOptions,
  circumstances: readonly (string | undefined)[],
  isWritten: boolean,
): Promise<Findings | undefined> {
  const { name, title } = section;
  const startedAtMs = performance.now();
  console.error(`Measuring ${name}, about ${section.minutes} min …`);
  try {
    const findings = await section.measure(options);
    const text = render(section, findings, circumstances);
    console.log(`\n## ${title}\n\n${text}\n`);
    if (isWritten) {
      await writeSection(name, text);
      for (const [path, data] of Object.entries(findings.dataFiles ?? {})) await writeDataFile(path, data);
    }
    console.error(`${name} took ${((performance.now() - startedAtMs) / 60_000).toFixed(1)} min.`);
    return findings;
  } catch (error) {
    console.error(`${name} could not be measured:`, error);
    return undefined;
  }
}

function render(
  { name }: Section,
  findings: Findings,
  circumstances: readonly (string | undefined)[],
): string {
  const { table, notes } = findings;
  const paragraphs = [...notes, circumstances.filter(Boolean).join(" "), `Again: \`npm run bench ${name}\`.`];
  return [renderTable(table), ...paragraphs].join("\n\n");
}
