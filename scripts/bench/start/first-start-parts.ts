/**
 * Started by Node in a fresh checkout: makes the stack as a first `npm start` does, but one step after the other, and says
 * what each takes of the processors.
 */
import { setTimeout as delay } from "node:timers/promises";
import { usageOfChildren } from "../process-tree.ts";

/** Milliseconds of the processors. */
export interface FirstStartParts {
  readonly functions: number;
  /** The bundler's own process. */
  readonly bundlerMs: number;
  /** What is done for it here, with the files that are beside bundles. */
  readonly besideBundlerMs: number;
  readonly loadCdkMs: number;
  /** The template, and a copy of each function's folder. */
  readonly templateMs: number;
}

const [outputDirectory = ""] = process.argv.slice(2);
process.env.GOGC ??= "400";

const { functionSources, ingestSource } = await import("../../../lib/bundle/function-source.ts");
const { findOrBundleFunctions } = await import("../../../lib/bundle/bundle-cache.ts");
const { loadSettings } = await import("../../../lib/settings/settings-file.ts");
const { stackSettings } = await import("../../../local/stack-settings.ts");
const sources = [...functionSources, ingestSource];
const { settings } = stackSettings(8787, await loadSettings(undefined));

const besideBundlerMs = await cpuMsOf(() => findOrBundleFunctions(sources));
// The system counts in hundredths of a second.
await delay(50);
const bundlerMs = usageOfChildren(process.pid)?.cpuMs ?? Number.NaN;
const loadCdkMs = await cpuMsOf(() =>
  Promise.all([import("../../../lib/hosting-stack.ts"), import("../../../lib/synthesize.ts")]),
);
const { synthesize } = await import("../../../lib/synthesize.ts");
const templateMs = await cpuMsOf(() => synthesize(settings, outputDirectory));
const parts: FirstStartParts = {
  functions: sources.length,
  bundlerMs,
  besideBundlerMs,
  loadCdkMs,
  templateMs,
};
process.send?.(parts, () => process.exit());

/** Of this process, all threads. */
async function cpuMsOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
