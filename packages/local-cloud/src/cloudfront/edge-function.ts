import { openSandbox } from "./edge-sandbox.ts";

/** A CloudFront Function, ready to run. */
export interface EdgeFunction {
  readonly name: string;
  /** Runs the code and its `handler(event)`, each time from the start; throws `EdgeFunctionError` for any failure in it. */
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

/** A query parameter, header or cookie; `multiValue` holds all values of a repeated name. */
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
  /** For `rawQueryString()`; not part of the function's event. */
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

/** "Helper methods for origin modification". */
export type OriginChoice =
  | { readonly type: "select"; readonly originId: string }
  | { readonly type: "update"; readonly changes: Readonly<Record<string, unknown>> }
  | {
      readonly type: "group";
      readonly originIds: readonly string[];
      readonly statusCodes: readonly number[];
    };

/** The function threw, did not compile or ran too long: CloudFront responds 503. */
export class EdgeFunctionError extends Error {
  override readonly name = "FunctionExecutionError";
}

/** "Quotas on CloudFront Functions": maximum function size. */
const codeBytesMax = 10_240;
/** CloudFront allows about a millisecond of computing; a laptop under load gets more. */
const defaultTimeoutMs = 5_000;

/** Options of `compileEdgeFunction`. */
export interface EdgeFunctionOptions {
  /**
   * Timeout of a run.
   * @default 5000
   */
  readonly timeoutMs?: number;
}

/**
 * Prepares a function of runtime cloudfront-js-2.0. Its code sees the built-ins that the developer guide's page
 * "JavaScript runtime 2.0 features for CloudFront Functions" lists. Code that does not compile fails at every run:
 * CloudFront accepts such code, and responds 503.
 */
export function compileEdgeFunction(
  name: string,
  code: string,
  { timeoutMs = defaultTimeoutMs }: EdgeFunctionOptions = {},
): EdgeFunction {
  if (Buffer.byteLength(code) > codeBytesMax) {
    throw new Error(
      `${name}: a CloudFront Function has at most ${codeBytesMax} bytes of code, this one ${Buffer.byteLength(code)}`,
    );
  }
  const sandbox = openSandbox(code);
  return {
    name,
    run({ request: { rawQuery, ...request }, ...event }) {
      const text = JSON.stringify({ ...event, request });
      try {
        const { settled, calls, logLines } = sandbox.run({ event: text, rawQuery, timeoutMs });
        const { value } = JSON.parse(settled) as { value?: unknown };
        const lastCall = calls.at(-1);
        return { returned: value, origin: lastCall && JSON.parse(lastCall), logLines };
      } catch (error) {
        throw new EdgeFunctionError(`${name}: ${(error as Error).message}`);
      }
    },
  };
}
