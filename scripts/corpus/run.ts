import pLimit from "p-limit";
import type { Artefact } from "./artefact.ts";
import { type BuiltArtefact, buildArtefact, downloadReady, missingPrograms } from "./build.ts";
import { type MeasuredArtefact, type MeasureOptions, measureArtefact } from "./measure.ts";
import { startPlainServer } from "./plain-server.ts";
import { type CorpusService, publishArtefact } from "./publish.ts";
import { progressOf } from "./report.ts";

/** Maximum numbers of concurrent builds and measurements. */
const buildsMax = 2;
const measurementsMax = 5;

/** Prints a line about the progress. */
type Log = (line: string) => void;

/** Builds artefacts. Reports and skips artefacts whose build fails, or whose programs are missing on this machine. */
export async function buildAll(all: readonly Artefact[], log: Log): Promise<BuiltArtefact[]> {
  const present = all.filter((artefact) => {
    const lacking = missingPrograms(artefact);
    if (lacking.length > 0) log(`skipped ${artefact.name}: this machine has no ${lacking.join(", ")}`);
    return lacking.length === 0;
  });
  await downloadReady(present);
  return runAll("built", present, buildsMax, log, async (artefact) => {
    const startedAtMs = Date.now();
    const built = await buildArtefact(artefact);
    log(`built ${artefact.name} (${((Date.now() - startedAtMs) / 1000).toFixed(1)} s)`);
    return built;
  });
}

/** Publishes and measures artefacts. Reports and skips artefacts that fail. */
export async function measureAll(
  all: readonly BuiltArtefact[],
  service: CorpusService,
  options: Omit<MeasureOptions, "plain">,
  log: Log,
): Promise<MeasuredArtefact[]> {
  const plain = await startPlainServer(new Map(all.map(({ name, directory }) => [name, directory])));
  try {
    return await runAll("measured", all, measurementsMax, log, async (artefact) => {
      const drops = await publishArtefact(artefact, service, options.measuredWays);
      const measured = await measureArtefact(artefact, drops, { ...options, plain });
      log(progressOf(measured));
      return measured;
    });
  } finally {
    await plain.stop();
  }
}

/** Runs a step for all artefacts. Reports and omits artefacts that fail. */
async function runAll<Item extends Artefact, Result>(
  step: string,
  artefacts: readonly Item[],
  concurrencyMax: number,
  log: Log,
  run: (artefact: Item) => Promise<Result>,
): Promise<Result[]> {
  const results = await pLimit(concurrencyMax).map(artefacts, (artefact) =>
    run(artefact).catch((error: Error) => log(`NOT ${step} ${artefact.name}: ${error.message}`)),
  );
  return results.filter((result) => result !== undefined) as Result[];
}
