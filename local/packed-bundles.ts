import { readFile, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { deferredFile } from "../lib/bundle/cache-directory.ts";
import { codeDirectory } from "../lib/bundle/function-source.ts";
import { findOrBundleFunctions } from "../lib/bundle/packed-functions.ts";
import type { Settings } from "../lib/settings.ts";
import type { DeferredBundles, DeferredOptions } from "./deferred-bundles.ts";

/**
 * Replacement for `deferred-bundles.ts` in the published package, which already contains the bundles.
 * @throws Error if a setting is invalid, or if a debugger is requested, because a debugger needs the sources
 */
export async function synthesizeDeferred(
  settings: Settings,
  outputDirectory: string,
  { isForDebugger }: DeferredOptions,
): Promise<DeferredBundles> {
  if (isForDebugger) throw new Error("DEBUG=1 needs the source code: use it in a checkout of Dropleaf.");
  const { synthesize } = await import("../lib/synthesize.ts");
  const { directory: bundles } = await findOrBundleFunctions();
  await synthesize(settings, outputDirectory, { isDeferred: true });
  return {
    async prepareCode(directory) {
      const id = await readFile(join(directory, deferredFile), "utf8").catch(() => undefined);
      if (id === undefined) return;
      await rm(directory, { recursive: true });
      await symlink(codeDirectory(bundles, id), directory, "junction");
    },
    bundlesOf: async () => bundles,
  };
}
