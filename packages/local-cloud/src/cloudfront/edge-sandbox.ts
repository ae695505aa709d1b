import { createRequire } from "node:module";
import { createContext, Script } from "node:vm";
import { createEdgeExchange, type EdgeExchange, edgeRuntime } from "./edge-runtime.ts";
import type { EdgeLanguageFault, EdgeRunResult } from "./edge-thread.ts";

/** A function's code, which runs on one event after the other. */
export interface EdgeSandbox {
  /** @param event as JSON */
  run(event: string, rawQuery: string | undefined): EdgeRunResult;
}

/** Opens a sandbox for the code of a function of runtime cloudfront-js-2.0, with the first run. */
export function openSandbox(code: string, edgeLanguageModule: string | undefined): EdgeSandbox {
  const load = compile(code, edgeLanguageModule);
  let sandbox: Sandbox | undefined;
  return {
    run(event, rawQuery) {
      if (typeof load === "string") return { settled: "", failed: load, calls: [], logLines: [] };
      try {
        sandbox ??= new Sandbox(load);
        return sandbox.run(event, rawQuery);
      } catch (error) {
        // Code that ended half-way may have left anything behind.
        sandbox = undefined;
        const failed = error instanceof Error ? error.message : String(error);
        return { settled: "", failed, calls: [], logLines: [] };
      }
    },
  };
}

/** Gives what is wrong with it where it does not compile. */
function compile(code: string, edgeLanguageModule: string | undefined): Script | string {
  const [fault] = edgeLanguageModule === undefined ? [] : languageFaults(edgeLanguageModule, code);
  if (fault) return `does not compile: line ${fault.line}, column ${fault.column + 1}: ${fault.message}`;
  const source = code.replace(
    /^\s*import\s+(\w+)\s+from\s*["'](cloudfront)["'];?/gm,
    "const $1 = __cloudfront;",
  );
  try {
    return new Script(`"use strict"; globalThis.__load = () => {${source}\n; return handler; };`, {
      filename: "function.js",
    });
  } catch (error) {
    return `does not compile: ${String(error)}`;
  }
}

/** Loads the module at once: the thread has no event loop that could wait for it. */
function languageFaults(modulePath: string, code: string): readonly EdgeLanguageFault[] {
  const { edgeLanguageFaults } = createRequire(import.meta.url)(modulePath) as {
    edgeLanguageFaults(code: string): readonly EdgeLanguageFault[];
  };
  return edgeLanguageFaults(code);
}

/** A context for the code of one function. It is kept, because opening one costs more than all else of a run. */
class Sandbox {
  readonly #exchange: EdgeExchange = createEdgeExchange();
  readonly #globals: Record<string, unknown> = { __host: this.#exchange };
  // Promise callbacks run before runInContext returns: an async handler has settled then, or never does.
  readonly #context = createContext(this.#globals, {
    microtaskMode: "afterEvaluate",
    codeGeneration: { strings: false, wasm: false },
  });
  readonly #ownNames: ReadonlySet<string>;

  constructor(load: Script) {
    edgeRuntime.runInContext(this.#context);
    load.runInContext(this.#context);
    this.#ownNames = new Set(Object.keys(this.#globals));
  }

  run(event: string, rawQuery: string | undefined): EdgeRunResult {
    const exchange = Object.assign(this.#exchange, {
      event,
      rawQuery,
      startedAtMs: Date.now(),
      calls: [],
      logLines: [],
      settled: "",
      failed: "",
    });
    invocation.runInContext(this.#context);
    this.#forgetGlobals();
    if (exchange.failed !== "") throw new Error(exchange.failed);
    if (exchange.settled === "") throw new Error("the handler's promise never settled");
    const { settled, failed, calls, logLines } = exchange;
    return { settled, failed, calls, logLines };
  }

  /** CloudFront keeps no variable from one request to the next. */
  #forgetGlobals(): void {
    for (const name of Object.keys(this.#globals)) {
      if (!this.#ownNames.has(name)) delete this.#globals[name];
    }
  }
}

const invocation = new Script(`
  (async () => __load()(__makeEvent()))().then(
    (value) => { __host.settled = JSON.stringify({ value }); },
    (error) => { __host.failed = String(error && error.stack || error); },
  );
`);
