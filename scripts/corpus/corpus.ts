/**
 * `npm run corpus [name…]` builds pages and folders with the tools that engineers use, and publishes them on a separate service. It
 * compares them in Chromium with the same files on a plain server, and writes docs/measured/corpus.json. Without names, it measures all
 * artefacts. The results of a run with some artefacts, or some ways to open them, are merged into the file. Options: `--pages` only counts
 * false warnings in the pages of artefacts and packages, without a service. `--build-only` only builds. `--ways viewer,raw` opens the
 * artefacts only in these ways. `--pictures <folder>` saves pictures of differences. `--out <file>` writes to another file.
 */
import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { projectDirectory } from "../../lib/project-directory.ts";
import { startService } from "../../test/support/running-service.ts";
import type { Artefact } from "./artefact.ts";
import { artefacts } from "./artefacts/artefacts.ts";
import { shippedPages } from "./artefacts/shipped-pages.ts";
import type { BuiltArtefact } from "./build.ts";
import { launchCorpusBrowser, signInOwner, signInReader } from "./corpus-browser.ts";
import type { MeasuredArtefact } from "./measure.ts";
import { checkPages, reportPages } from "./page-warnings.ts";
import { type CorpusReport, mergeRuns, reportOf } from "./report.ts";
import { buildAll, measureAll } from "./run.ts";
import { wayNames } from "./visit.ts";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    "build-only": { type: "boolean", default: false },
    out: { type: "string" },
    pages: { type: "boolean", default: false },
    pictures: { type: "string" },
    ways: { type: "string", default: wayNames.join() },
  },
});
const chosen = choose(positionals, values.pages ? [...artefacts, ...shippedPages] : artefacts);
const built = await buildAll(chosen, console.log);
if (!values["build-only"]) {
  const isWhole = positionals.length === 0 && (values.pages || values.ways === wayNames.join());
  const file = values.out ?? (isWhole ? join(projectDirectory, "docs/measured/corpus.json") : undefined);
  const before: CorpusReport["data"] | undefined =
    file !== undefined && existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
  const { summary, data } = values.pages
    ? reportPages(built.flatMap(checkPages))
    : reportOf(mergeRuns((isWhole ? undefined : before?.artefacts) ?? [], await measure(built)));
  console.log(summary);
  if (file !== undefined) await writeFile(file, `${JSON.stringify({ ...before, ...data }, undefined, 2)}\n`);
}

function choose(names: readonly string[], from: readonly Artefact[]): readonly Artefact[] {
  const unknown = names.filter((name) => !from.some((one) => one.name === name));
  if (unknown.length > 0)
    throw new Error(
      `Unknown: ${unknown.join(", ")}. Choose from ${from.map(({ name }) => name).join(", ")}.`,
    );
  return from.filter(({ name }) => names.length === 0 || names.includes(name));
}

async function measure(all: readonly BuiltArtefact[]): Promise<MeasuredArtefact[]> {
  const measuredWays = wayNames.filter((way) => values.ways.split(",").includes(way));
  const { address, stop } = await startService();
  const browser = await launchCorpusBrowser();
  try {
    const token = await signInOwner(browser, address);
    const reader = await signInReader(browser, address);
    const { pictures: picturesDirectory } = values;
    const options = { browser, reader, measuredWays, ...(picturesDirectory ? { picturesDirectory } : {}) };
    return await measureAll(all, { address, token }, options, console.log);
  } finally {
    await browser.close();
    await stop();
  }
}
