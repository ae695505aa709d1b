import { type ChildProcess, fork } from "node:child_process";
import type { Settings } from "../lib/settings.ts";
import type { Synthesized, SynthesizeOptions } from "../lib/synthesize.ts";

/** A request to `build-program.ts`. */
export type BuildRequest =
  | {
      readonly type: "synthesize";
      readonly settings: Settings;
      readonly outputDirectory: string;
      readonly options: SynthesizeOptions;
    }
  | { readonly type: "bundle"; readonly id: string; readonly debugDirectory: string | undefined };

/** Response of `build-program.ts`. */
export type BuildResponse =
  | { readonly result: Synthesized | BuiltBundle }
  | { readonly error: { readonly message: string; readonly stack: string | undefined } };

/** A function's bundle. */
export interface BuiltBundle {
  /** Folder with `index.mjs` and the function's files. */
  readonly directory: string;
  /** Files of npm packages in the bundle, relative to the project's root. */
  readonly packageFiles: readonly string[];
}

/** Default idle time after which the build process ends, because the process uses 200 MB. */
const idleMsDefault = 60_000;

/** Child process in which the CDK and the bundler run, because they use 200 MB. It starts at the first request. */
export class BuildProcess {
  #child: ChildProcess | undefined;
  #lastId = 0;
  readonly #pending = new Map<number, PromiseWithResolvers<BuildResponse>>();
  readonly #idleMs: number;
  #idle: NodeJS.Timeout | undefined;

  /** @param idleMs time without a request after which the process ends */
  constructor(idleMs = idleMsDefault) {
    this.#idleMs = idleMs;
  }

  /** @throws Error like `synthesize`, or if the process ends without a response */
  async synthesize(
    settings: Settings,
    outputDirectory: string,
    options: SynthesizeOptions,
  ): Promise<Synthesized> {
    return (await this.#ask({ type: "synthesize", settings, outputDirectory, options })) as Synthesized;
  }

  /**
   * @param debugDirectory folder for unminified bundles, for a debugger. @default - bundles are minified and cached
   * @throws Error if the function cannot be bundled, or if the process ends without a response
   */
  async bundle(id: string, debugDirectory?: string): Promise<BuiltBundle> {
    return (await this.#ask({ type: "bundle", id, debugDirectory })) as BuiltBundle;
  }

  /** Ends the process. A later request starts a new process. */
  end(): void {
    clearTimeout(this.#idle);
    if (this.#child?.connected) this.#child.disconnect();
    this.#child = undefined;
  }

  async #ask(request: BuildRequest): Promise<Synthesized | BuiltBundle> {
    clearTimeout(this.#idle);
    this.#child ??= this.#start();
    const requestId = ++this.#lastId;
    const pending = Promise.withResolvers<BuildResponse>();
    this.#pending.set(requestId, pending);
    this.#child.send({ requestId, request });
    const response = await pending.promise;
    if (this.#pending.size === 0) this.#idle = setTimeout(() => this.end(), this.#idleMs).unref();
    if ("result" in response) return response.result;
    const { message, stack } = response.error;
    throw Object.assign(new Error(message), { stack });
  }

  #start(): ChildProcess {
    // Starts Node without this process's loader, because the loader is slow and Node can run TypeScript itself.
    const child = fork(new URL("./build-program.ts", import.meta.url), { execArgv: [] });
    child.on("message", ({ requestId, response }: { requestId: number; response: BuildResponse }) => {
      this.#pending.get(requestId)?.resolve(response);
      this.#pending.delete(requestId);
    });
    child.once("error", (error) => this.#fail(child, error));
    child.once("exit", (code, signal) => {
      const reason = signal ?? `exit code ${code}`;
      this.#fail(child, new Error(`The process that synthesizes the stack ended with ${reason}.`));
    });
    return child;
  }

  #fail(child: ChildProcess, error: Error): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
  }
}
