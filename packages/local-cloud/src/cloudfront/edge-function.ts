import { createContext, Script } from "node:vm";
import { createEdgeExchange, edgeRuntime } from "./edge-runtime.ts";

/** A CloudFront Function, ready to run. */
export interface EdgeFunction {
  readonly name: string;
  /** Runs the code from the start, then its `handler(event)`. Throws `EdgeFunctionError` if either fails. */
  run(event: EdgeEvent): EdgeResult;
}

/** The event of a function; see "CloudFront Functions event structure", CloudFront developer guide. */
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

/** A query parameter, header or cookie. `multiValue` contains all values of a repeated name. */
export interface EdgeValue {
  readonly value: string;
  readonly attributes?: string;
  readonly multiValue?: readonly { readonly value: string; readonly attributes?: string }[];
}

/** Values by name. Header names are in lower case. */
export type EdgeValues = Readonly<Record<string, EdgeValue>>;

/** The viewer's request. */
export interface EdgeRequest {
  readonly method: string;
  readonly uri: string;
  readonly querystring: EdgeValues;
  readonly headers: EdgeValues;
  readonly cookies: EdgeValues;
  /** Query string for `rawQueryString()`. Not part of the function's event. */
  readonly rawQuery?: string | undefined;
}

/** The response to the viewer. */
export interface EdgeResponse {
  readonly statusCode: number;
  readonly statusDescription?: string;
  readonly headers?: EdgeValues;
  readonly cookies?: EdgeValues;
  readonly body?: string | { readonly encoding: "text" | "base64"; readonly data: string };
}

/** Returned value of the function, and the origin that it chose. */
export interface EdgeResult {
  readonly returned: unknown;
  readonly origin: OriginChoice | undefined;
  readonly logLines: readonly string[];
}

/** Origin that the function chose; see "Helper methods for origin modification", CloudFront developer guide. */
export type OriginChoice =
  | { readonly type: "select"; readonly originId: string }
  | { readonly type: "update"; readonly changes: Readonly<Record<string, unknown>> }
  | {
      readonly type: "group";
      readonly originIds: readonly string[];
      readonly statusCodes: readonly number[];
    };

/** Thrown if the function threw, did not compile or ran too long. CloudFront then responds 503. */
export class EdgeFunctionError extends Error {
  override readonly name = "FunctionExecutionError";
}

/** Maximum function size; see "Quotas on CloudFront Functions", CloudFront developer guide. */
const codeBytesMax = 10_240;
/** CloudFront allows about a millisecond of computing. The local limit is higher, because a laptop may be under load. */
const defaultTimeoutMs = 5_000;

/**
 * Prepares a function of runtime cloudfront-js-2.0. The code can use the built-ins in "JavaScript runtime 2.0 features for CloudFront
 * Functions". Code that does not compile fails at every run, because CloudFront accepts such code and responds 503.
 *
 * `node:vm` stops a run after `timeoutMs`, at a cost of 0.09 ms of processor time. A worker thread with shared memory would save 0.07 ms
 * and take 250 lines.
 */
export function compileEdgeFunction(
  name: string,
  code: string,
  { timeoutMs = defaultTimeoutMs }: { readonly timeoutMs?: number } = {},
): EdgeFunction {
  if (Buffer.byteLength(code) > codeBytesMax) {
    throw new Error(
      `${name}: a CloudFront Function has at most ${codeBytesMax} bytes of code, but this one has ${Buffer.byteLength(code)}`,
    );
  }
  let load: Script | undefined;
  let runIn: ReturnType<typeof openContext> | undefined;
  return {
    name,
    run({ request: { rawQuery, ...request }, ...event }) {
      try {
        load ??= compile(code);
        runIn ??= openContext(load);
        return runIn(JSON.stringify({ ...event, request }), rawQuery, timeoutMs);
      } catch (error) {
        // The next run starts in a new context, because the state of this context is unknown.
        runIn = undefined;
        // An error of the context's realm is not an instance of this realm's Error.
        const { code: reason, message } = error as NodeJS.ErrnoException;
        const isTimeout = reason === "ERR_SCRIPT_EXECUTION_TIMEOUT";
        throw new EdgeFunctionError(
          `${name}: ${isTimeout ? `did not end within ${timeoutMs} ms` : String(message)}`,
        );
      }
    },
  };
}

function compile(code: string): Script {
  const source = code.replace(
    /^\s*import\s+(\w+)\s+from\s*["'](cloudfront)["'];?/gm,
    "const $1 = __cloudfront;",
  );
  try {
    return new Script(`"use strict"; globalThis.__load = () => {${source}\n; return handler; };`, {
      filename: "function.js",
    });
  } catch (error) {
    throw new Error(`does not compile: ${String(error)}`);
  }
}

/** Opens a context for one function's code. The context is reused, because opening it costs more than a run. */
function openContext(load: Script) {
  const exchange = createEdgeExchange();
  const globals: Record<string, unknown> = { __host: exchange };
  // Promise callbacks run before runInContext returns, so an async handler has settled by then.
  const context = createContext(globals, {
    microtaskMode: "afterEvaluate",
    codeGeneration: { strings: false, wasm: false },
  });
  edgeRuntime.runInContext(context);
  load.runInContext(context);
  const ownNames = new Set(Object.keys(globals));

  return (event: string, rawQuery: string | undefined, timeoutMs: number): EdgeResult => {
    const outcome = { startedAtMs: Date.now(), calls: [], logLines: [], settled: "", failed: "" };
    Object.assign(exchange, { event, rawQuery, ...outcome });
    invocation.runInContext(context, { timeout: timeoutMs });
    // CloudFront keeps no variables between requests.
    for (const name of Object.keys(globals)) if (!ownNames.has(name)) delete globals[name];
    const { settled, failed, calls, logLines } = exchange;
    if (failed !== "") throw new Error(failed);
    if (settled === "") throw new Error("the handler's promise never settled");
    const { value } = JSON.parse(settled) as { value?: unknown };
    const lastCall = calls.at(-1);
    return { returned: value, origin: lastCall && JSON.parse(lastCall), logLines };
  };
}

const invocation = new Script(`
  (async () => __load()(__makeEvent()))().then(
    (value) => { __host.settled = JSON.stringify({ value }); },
    (error) => { __host.failed = String(error && error.stack || error); },
  );
`);
