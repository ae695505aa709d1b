import { fork } from "node:child_process";
import type { Settings } from "../lib/settings.ts";
import type { Synthesized, SynthesizeOptions } from "../lib/synthesize.ts";

/** What `synthesis-process.ts` is asked. */
export interface SynthesisQuestion {
  readonly settings: Settings;
  readonly outputDirectory: string;
  readonly options: SynthesizeOptions;
}

/** What it answers. */
export type SynthesisAnswer =
  | { readonly synthesized: Synthesized }
  | { readonly error: { readonly message: string; readonly stack: string | undefined } };

/**
 * `synthesize` in a process of its own: the CDK and the bundler are 200 MB, which this one would keep until its end.
 *
 * @throws Error as `synthesize` does, or when the process ends without an answer
 */
export function synthesizeApart(
  settings: Settings,
  outputDirectory: string,
  options: SynthesizeOptions,
): Promise<Synthesized> {
  // Nothing of this process's command line: Node runs TypeScript by itself, and a loader would only slow it down.
  const child = fork(new URL("./synthesis-process.ts", import.meta.url), { execArgv: [] });
  return new Promise((resolve, reject) => {
    child.once("message", (answer: SynthesisAnswer) => {
      if ("synthesized" in answer) resolve(answer.synthesized);
      else reject(Object.assign(new Error(answer.error.message), { stack: answer.error.stack }));
    });
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      reject(
        new Error(`The process that synthesizes the stack ended with ${signal ?? `exit code ${code}`}.`),
      );
    });
    child.send({ settings, outputDirectory, options } satisfies SynthesisQuestion);
  });
}
