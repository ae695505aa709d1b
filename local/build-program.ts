/** Program of `BuildProcess`, which synthesizes the stack and bundles single functions. */
import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { compileCacheDirectory, isOfPackage } from "../lib/bundle/cache-directory.ts";
import type { BuildRequest, BuildResponse, BuiltBundle } from "./build-process.ts";

enableCompileCache(compileCacheDirectory());

// By default, the bundler, a Go program, spends a quarter of its time on garbage collection without saving memory; see "GOGC", package
// runtime, Go documentation.
process.env.GOGC ??= "400";

// Ctrl-C signals every process of a terminal, but only the parent process decides when this process ends.
process.on("SIGINT", () => {});
process.once("disconnect", () => void end());
process.on("message", async ({ requestId, request }: { requestId: number; request: BuildRequest }) => {
  const response = await respondTo(request).catch((error): BuildResponse => {
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    return { error: { message, stack } };
  });
  process.send?.({ requestId, response });
});

async function respondTo(request: BuildRequest): Promise<BuildResponse> {
  if (request.type === "bundle") return { result: await bundle(request.id, request.debugDirectory) };
  const { synthesize } = await import("../lib/synthesize.ts");
  return { result: await synthesize(request.settings, request.outputDirectory, request.options) };
}

async function bundle(id: string, debugDirectory: string | undefined): Promise<BuiltBundle> {
  const [{ everySource }, { findOrBundleFunctions }, { bundleFunctions }] = await Promise.all([
    import("../lib/bundle/function-source.ts"),
    import("../lib/bundle/bundle-cache.ts"),
    import("../lib/bundle/bundle.ts"),
  ]);
  const sources = everySource.filter((source) => source.id === id);
  if (sources.length === 0) throw new Error(`Unknown function ${id}.`);
  const { directory, inputs } = await (debugDirectory === undefined
    ? findOrBundleFunctions(sources)
    : bundleFunctions(sources, debugDirectory, { isForDebugger: true }));
  return { directory: join(directory, id), packageFiles: (inputs.get(id) ?? []).filter(isOfPackage) };
}

/** Pause after which the operating system has counted the CPU time of the killed bundler. */
const endMs = 250;

async function end(): Promise<void> {
  await (await import("esbuild")).stop();
  setTimeout(() => process.exit(0), endMs);
}
