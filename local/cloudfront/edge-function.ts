import { createContext, Script } from "node:vm";
import { edgeLanguageFaults } from "../../lib/edge-language.ts";
import { type EdgeExchange, edgeRuntime, newExchange } from "./edge-runtime.ts";

/** A CloudFront Function, ready to run. */
export interface EdgeFunction {
  readonly name: string;
  /** Runs the code and its `handler(event)`, each time anew; throws `EdgeFunctionError` for whatever goes wrong in it. */
  run(event: EdgeEvent): EdgeResult;
}

/** The event of CloudFront developer guide, "CloudFront Functions event structure". */
export interface EdgeEvent {
  readonly version: "1.0";
  readonly context: {
    readonly distributionDomainName: string;
    readonly distributionId: string;
    readonly eventType: "viewer-request" | "viewer-response";
    readonly requestId: string;
  };
  readonly viewer: { readonly ip: string };
  readonly request: EdgeRequest;
  readonly response?: EdgeResponse;
}

/** A query parameter, header or cookie; `multiValue` holds all of them where there are several of the name. */
export interface EdgeValue {
  readonly value: string;
  readonly attributes?: string;
  readonly multiValue?: readonly { readonly value: string; readonly attributes?: string }[];
}

/** By name; header names are in lower case. */
export type EdgeValues = Readonly<Record<string, EdgeValue>>;

/** The viewer's request. */
export interface EdgeRequest {
  readonly method: string;
  readonly uri: string;
  readonly querystring: EdgeValues;
  readonly headers: EdgeValues;
  readonly cookies: EdgeValues;
  /** For `rawQueryString()`; not part of the event that the function sees. */
  readonly rawQuery?: string | undefined;
}

/** The answer to the viewer. */
export interface EdgeResponse {
  readonly statusCode: number;
  readonly statusDescription?: string;
  readonly headers?: EdgeValues;
  readonly cookies?: EdgeValues;
  readonly body?: string | { readonly encoding: "text" | "base64"; readonly data: string };
}

/** What the function returned, and which origin it chose. */
export interface EdgeResult {
  readonly returned: unknown;
  readonly origin: OriginChoice | undefined;
  readonly logLines: readonly string[];
}

/** "Helper methods for origin modification". */
export type OriginChoice =
  | { readonly type: "select"; readonly originId: string }
  | { readonly type: "update"; readonly changes: Readonly<Record<string, unknown>> }
  | {
      readonly type: "group";
      readonly originIds: readonly string[];
      readonly statusCodes: readonly number[];
    };

/** The function threw, did not compile or ran too long: CloudFront answers 503. */
export class EdgeFunctionError extends Error {
  override readonly name = "FunctionExecutionError";
}

/** "Quotas on CloudFront Functions": maximum function size. */
const codeBytesMax = 10_240;
/** CloudFront allows about a millisecond of computing; a laptop under load gets more. */
const timeoutMs = 1_000;

/**
 * Prepares a function of runtime cloudfront-js-2.0. Its code may have, and sees, what the developer guide's page
 * "JavaScript runtime 2.0 features for CloudFront Functions" lists, and nothing else: CloudFront takes any other code too,
 * and answers every request with 503.
 */
export function compileEdgeFunction(name: string, code: string): EdgeFunction {
  if (Buffer.byteLength(code) > codeBytesMax) {
    throw new Error(
      `${name}: a CloudFront Function has at most ${codeBytesMax} bytes of code, this one ${Buffer.byteLength(code)}`,
    );
  }
  // With the first request: reading the code as the page does takes a while.
  let load: Script | EdgeFunctionError | undefined;
  let sandbox: Sandbox | undefined;
  return {
    name,
    run(event) {
      load ??= compile(name, code);
      if (load instanceof EdgeFunctionError) throw load;
      try {
        sandbox ??= new Sandbox(load);
        return sandbox.run(event);
      } catch (error) {
        // Code that was stopped half-way may have left anything behind.
        sandbox = undefined;
        throw new EdgeFunctionError(`${name}: ${error instanceof Error ? error.message : String(error)}`);
      }
    },
  };
}

function compile(name: string, code: string): Script | EdgeFunctionError {
  const [fault] = edgeLanguageFaults(code);
  if (fault) {
    return new EdgeFunctionError(
      `${name} does not compile: line ${fault.line}, column ${fault.column + 1}: ${fault.message}`,
    );
  }
  const source = code.replace(
    /^\s*import\s+(\w+)\s+from\s*["'](cloudfront)["'];?/gm,
    "const $1 = __cloudfront;",
  );
  try {
    return new Script(`"use strict"; globalThis.__load = () => {${source}\n; return handler; };`, {
      filename: `${name}.js`,
    });
  } catch (error) {
    return new EdgeFunctionError(`${name} does not compile: ${String(error)}`);
  }
}

/** A context for the code of one function. It is kept, because opening one costs more than all else of a run. */
class Sandbox {
  readonly #exchange: EdgeExchange = newExchange();
  readonly #globals: Record<string, unknown> = { __host: this.#exchange };
  // Promise callbacks run before runInContext returns, so that the time limit covers async handlers.
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

  run({ request: { rawQuery, ...request }, ...event }: EdgeEvent): EdgeResult {
    const exchange = Object.assign(this.#exchange, {
      event: JSON.stringify({ ...event, request }),
      rawQuery,
      startedAtMs: Date.now(),
      calls: [],
      logLines: [],
      settled: "",
      failed: "",
    });
    invocation.runInContext(this.#context, { timeout: timeoutMs });
    this.#forgetGlobals();
    if (exchange.failed !== "") throw new Error(exchange.failed);
    if (exchange.settled === "") throw new Error("the handler's promise never settled");
    return {
      returned: (JSON.parse(exchange.settled) as { value?: unknown }).value,
      origin: originChoice(exchange.calls),
      logLines: exchange.logLines,
    };
  }

  /** CloudFront keeps no variable from one request to the next. */
  #forgetGlobals(): void {
    for (const name of Object.keys(this.#globals)) {
      if (!this.#ownNames.has(name)) delete this.#globals[name];
    }
  }
}

function originChoice(calls: readonly string[]): OriginChoice | undefined {
  const last = calls.at(-1);
  return last === undefined ? undefined : (JSON.parse(last) as OriginChoice);
}

const invocation = new Script(`
  (async () => __load()(__makeEvent()))().then(
    (value) => { __host.settled = JSON.stringify({ value }); },
    (error) => { __host.failed = String(error && error.stack || error); },
  );
`);
