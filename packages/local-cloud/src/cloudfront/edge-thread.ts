import { Worker } from "node:worker_threads";
import { ThreadChannel } from "./thread-channel.ts";

/** Options for CloudFront Functions that the template does not have. */
export interface EdgeThreadOptions {
  /**
   * Path of a module that exports `edgeLanguageFaults(code)`, which lists what the code has and the runtime lacks.
   *
   * @default - code may have all of this Node's syntax
   */
  readonly edgeLanguageModule?: string | undefined;
  /** Folder for V8's compile cache, which the thread uses. @default - there is none */
  readonly compileCacheDirectory?: string | undefined;
}

/** A fault that `edgeLanguageFaults` finds in the code of a CloudFront Function. */
export interface EdgeLanguageFault {
  readonly message: string;
  /** From 1. */
  readonly line: number;
  /** From 0. */
  readonly column: number;
}

/** Input of a run besides its event. */
export interface EdgeRun extends EdgeThreadOptions {
  /** The function. */
  readonly id: number;
  readonly code: string;
  readonly rawQuery: string | undefined;
}

/** Outcome of a run, as texts: objects of the function stay in its thread. */
export interface EdgeRunResult {
  /** The returned value as `{"value":…}`. */
  readonly settled: string;
  /** Why it did not end well; empty where it did. */
  readonly failed: string;
  /** Calls of the helper methods for origins, each as JSON. */
  readonly calls: readonly string[];
  readonly logLines: readonly string[];
}

/** Header of a request to the thread; a line feed and the event follow. */
export interface EdgeThreadRequest {
  readonly id: number;
  /** Left out when the thread has it. */
  readonly code?: string | undefined;
  readonly edgeLanguageModule?: string | undefined;
  readonly rawQuery?: string | undefined;
  /** Functions that nobody will run again. */
  readonly forgotten: readonly number[];
}

/** As `top -H` shows it. */
const edgeThreadName = "edge-functions";

const startMsMax = 60_000;
/** Every function of the process, each with a context of its own; one that takes too much takes the thread along. */
const megabytesMax = 512;

/**
 * Runs edge functions, one at a time: it is their own thread that an endless loop keeps busy, which is ended and replaced.
 * A time limit of `node:vm` does the same by starting and ending a thread with every run.
 */
class EdgeThread {
  readonly #channel = new ThreadChannel();
  readonly #worker: Worker;
  readonly #known = new Set<number>();
  #forgotten: number[] = [];

  constructor(compileCacheDirectory: string | undefined) {
    this.#worker = new Worker(new URL("./edge-program.ts", import.meta.url), {
      name: edgeThreadName,
      workerData: this.#channel.memory,
      // Nothing of this process: no preloaded loader, no command line.
      execArgv: [],
      argv: [],
      env: compileCacheDirectory === undefined ? {} : { NODE_COMPILE_CACHE: compileCacheDirectory },
      resourceLimits: { maxOldGenerationSizeMb: megabytesMax },
    });
    this.#worker.unref();
    // Such as what takes too much memory: whoever waits hears that nothing came.
    this.#worker.on("error", () => this.end());
    this.#worker.on("exit", () => this.end());
    if (!this.#channel.isServed(startMsMax)) {
      this.end();
      throw new Error(`The thread of the edge's functions did not start within ${startMsMax / 1000} s.`);
    }
  }

  run({ id, code, edgeLanguageModule, rawQuery }: EdgeRun, event: string, timeoutMs: number): EdgeRunResult {
    const isKnown = this.#known.has(id);
    const question: EdgeThreadRequest = {
      id,
      ...(isKnown ? {} : { code, edgeLanguageModule }),
      rawQuery,
      forgotten: this.#forgotten,
    };
    const response = this.#channel.ask(`${JSON.stringify(question)}\n${event}`, timeoutMs);
    if (response !== undefined) {
      this.#known.add(id);
      this.#forgotten = [];
      return parseAnswer(response);
    }
    this.end();
    return { settled: "", failed: `did not end within ${timeoutMs} ms`, calls: [], logLines: [] };
  }

  forget(id: number): void {
    if (this.#known.delete(id)) this.#forgotten.push(id);
  }

  end(): void {
    if (thread === this) thread = undefined;
    void this.#worker.terminate();
  }
}

let thread: EdgeThread | undefined;

/**
 * Runs a function on the thread that all of them share, which starts with the first run; this one waits meanwhile.
 *
 * @param event as JSON
 */
export function runOnEdgeThread(run: EdgeRun, event: string, timeoutMs: number): EdgeRunResult {
  thread ??= new EdgeThread(run.compileCacheDirectory);
  return thread.run(run, event, timeoutMs);
}

/** Lets the thread forget a function that nobody will run again. */
export function forgetOnEdgeThread(id: number): void {
  thread?.forget(id);
}

function parseAnswer(response: string): EdgeRunResult {
  const end = response.indexOf("\n");
  return { ...JSON.parse(response.slice(0, end)), settled: response.slice(end + 1) };
}
