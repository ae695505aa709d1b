/** Synthesizes the stack that it is asked for, once: `synthesizeApart` starts it. */
import { enableCompileCache } from "node:module";
import { compileCacheDirectory } from "../lib/cache-directory.ts";
import type { SynthesisAnswer, SynthesisQuestion } from "./synthesize-apart.ts";

enableCompileCache(compileCacheDirectory());

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

function answer(result: SynthesisAnswer): void {
  // The bundler's process would keep this one.
  process.send?.(result, () => process.exit(0));
}
