/** Synthesizes the stack that it is asked for, once: `synthesizeApart` starts it. */
import { enableCompileCache } from "node:module";
import { compileCacheDirectory } from "../lib/bundle/cache-directory.ts";
import type { SynthesisAnswer, SynthesisQuestion } from "./synthesize-apart.ts";

enableCompileCache(compileCacheDirectory());

// The bundler, which is of Go, inherits it: it ends with this process, and by default spends a quarter of its time on
// looking for what it could free, to no less memory (runtime package of Go's documentation, "GOGC").
process.env.GOGC ??= "400";

// Ctrl-C reaches every process of a terminal: who asked decides when this one ends.
process.on("SIGINT", () => {});
process.once("disconnect", () => process.exit(1));
process.once("message", async ({ settings, outputDirectory, options }: SynthesisQuestion) => {
  try {
    const { synthesize } = await import("../lib/synthesize.ts");
    answer({ synthesized: await synthesize(settings, outputDirectory, options) });
  } catch (error) {
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    answer({ error: { message, stack } });
  }
});

/** Long enough for the end of a process that was killed to be noticed. */
const endMs = 250;

function answer(result: SynthesisAnswer): void {
  process.send?.(result, async () => {
    // It would keep this process. Of one that is left behind nobody gets the time that it took.
    await (await import("esbuild")).stop();
    setTimeout(() => process.exit(0), endMs);
  });
}
