import pLimit from "p-limit";
import type { Artefact } from "./artefact.ts";
import { type BuiltArtefact, buildArtefact, downloadReady, missingPrograms } from "./build.ts";
import { type MeasuredArtefact, type MeasureOptions, measureArtefact } from "./measure.ts";
import { startPlainServer } from "./plain-server.ts";
import { type CorpusService, publishArtefact } from "./publish.ts";
import { progressOf } from "./report.ts";

const builtAtOnce = 2;
const measuredAtOnce = 5;

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
  return inTurn(
    present,
    builtAtOnce,
    async (artefact) => {
      const startedAtMs = Date.now();
      const built = await buildArtefact(artefact);
      log(`built ${artefact.name} (${((Date.now() - startedAtMs) / 1000).toFixed(1)} s)`);
      return built;
    },
    (artefact, error) => log(`NOT built ${artefact.name}: ${error.message}`),
  );
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
    return await inTurn(
      all,
      measuredAtOnce,
      async (artefact) => {
        const drops = await publishArtefact(artefact, service, options.measuredWays);
        const measured = await measureArtefact(artefact, drops, { ...options, plain });
        log(progressOf(measured));
        return measured;
      },
      (artefact, error) => log(`NOT measured ${artefact.name}: ${error.message}`),
    );
  } finally {
    await plain.stop();
  }
}

async function inTurn<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  act: (item: Item) => Promise<Result>,
  failed: (item: Item, error: Error) => void,
): Promise<Result[]> {
  const limit = pLimit(atOnce);
  const results = await Promise.all(
    items.map((item) => limit(() => act(item).catch((error: Error) => failed(item, error)))),
  );
  return results.filter((result) => result !== undefined) as Result[];
}
