import { randomUUID } from "node:crypto";
import { dirname } from "node:path";
import { defaultAccountLimits } from "../account-limits.ts";
import { resolveDynamicReferences } from "../dynamic-references.ts";
import { putEmbeddedMetrics } from "../metrics/embedded-metrics.ts";
import { type MetricSink, noMetrics } from "../metrics/metric-store.ts";
import { resourcesOfType, type Template } from "../template.ts";
import { createConcurrency } from "./concurrency.ts";
import { createFunctionPool, type FunctionPool, type PoolLimits } from "./function-pool.ts";
import {
  type FunctionSurroundings,
  functionLabel,
  parseLambdaFunction,
  printerOf,
} from "./lambda-function.ts";

/** The result of a synchronous Invoke. */
export interface InvocationResult {
  /** Response of the function, as JSON. */
  readonly payload: string;
  /** True if Lambda would send `X-Amz-Function-Error`. */
  readonly isFunctionError: boolean;
  readonly requestId: string;
}

/** Thrown for an event above the payload limit. The function is not called. */
export class PayloadTooLargeError extends Error {
  override readonly name = "RequestEntityTooLargeException";

  constructor(bytesMax: number) {
    super(`Request must be smaller than ${bytesMax} bytes for the InvokeFunction operation`);
  }
}

/** Thrown for an invocation with a missing or an unexpected tenant. */
export class TenantError extends Error {
  override readonly name = "InvalidParameterValueException";
}

/** All functions of the template. */
export type LambdaService = ReturnType<typeof createLambdaService>;

interface LambdaServiceOptions extends FunctionSurroundings {
  readonly template: Template;
  readonly log: (line: string) => void;
  /** Maximum number of execution environments for each function. @default 2 environments per function, ended after 5 idle minutes */
  readonly limits?: Partial<PoolLimits>;
  /** Concurrency limit of the account. @default 1,000 */
  readonly concurrentExecutions?: number;
  /** Receives the Lambda metrics. @default - values are discarded */
  readonly metrics?: MetricSink | undefined;
}

/** Maximum payload of a synchronous invocation, for request and response; see "Lambda quotas", AWS Lambda developer guide. */
export const payloadBytesMax = 6_291_456;

/**
 * Default number of environments per function. More environments would not be faster on a laptop, because each one compiles its own code
 * and takes 40 MB of memory.
 */
export const environmentsPerFunctionDefault = 2;

/** Prepares every `AWS::Lambda::Function`. Workers start with the first request. */
export function createLambdaService(options: LambdaServiceOptions) {
  const { template, readSecret, log, metrics = noMetrics } = options;
  const limits = { maxEnvironments: environmentsPerFunctionDefault, idleMs: 5 * 60_000, ...options.limits };
  const concurrency = createConcurrency(
    template,
    options.concurrentExecutions ?? defaultAccountLimits.concurrentExecutions,
  );
  const pools = new Map<string, FunctionPool>();
  const isolated = new Set<string>();
  for (const resource of resourcesOfType(template, "AWS::Lambda::Function")) {
    const runtime = String(resource.properties.Runtime);
    if (!runtime.startsWith("nodejs")) {
      // Other runtimes are not needed. For example, the CDK's handlers of custom resources run only during deployments.
      log(`The function ${resource.logicalId} is not emulated: its runtime is ${runtime}`);
      continue;
    }
    const properties = resolveDynamicReferences(resource.properties, readSecret);
    const lambda = parseLambdaFunction(template, resource, properties, options);
    if (lambda.isTenantIsolated) isolated.add(lambda.name);
    const print = printerOf(lambda.modulePath, functionLabel(lambda.name), options, log);
    const { prepareCode } = options;
    const prepare = prepareCode && (() => prepareCode(dirname(lambda.modulePath)));
    const printAndMeasure = (line: string) => {
      print(line);
      putEmbeddedMetrics(line, metrics);
    };
    pools.set(lambda.name, createFunctionPool(lambda, limits, printAndMeasure, prepare));
  }
  const running = new Set<Promise<unknown>>();
  let ending: NodeJS.Timeout | undefined;
  const endAll = () => Promise.all([...pools.values()].map((pool) => pool.stop()));

  /** Throws `TenantError` if the tenant is missing or unexpected. */
  function requireTenant(functionName: string, tenantId: string | undefined): void {
    // See "Troubleshooting tenant isolation for Lambda functions", AWS Lambda developer guide.
    if (isolated.has(functionName) === (tenantId !== undefined)) return;
    throw new TenantError(
      tenantId === undefined
        ? `${functionName} has tenant isolation enabled: the invocation needs a tenant ID.`
        : `${functionName} does not have tenant isolation enabled: the invocation must not have a tenant ID.`,
    );
  }

  /** Publishes a metric for the function and for the whole account; see "Types of metrics for Lambda functions". */
  function put(functionName: string, name: string, value: number): void {
    const metric = { namespace: "AWS/Lambda", name };
    metrics.put({ ...metric, dimensions: { FunctionName: functionName } }, value);
    metrics.put({ ...metric, dimensions: {} }, value);
  }

  function enter(functionName: string): () => void {
    try {
      return concurrency.enter(functionName);
    } catch (error) {
      put(functionName, "Throttles", 1);
      throw error;
    }
  }

  async function invoke(functionName: string, event: string, tenantId?: string): Promise<InvocationResult> {
    const pool = pools.get(functionName);
    if (pool === undefined) throw new Error(`No function named ${functionName} in the template`);
    requireTenant(functionName, tenantId);
    if (Buffer.byteLength(event) > payloadBytesMax) throw new PayloadTooLargeError(payloadBytesMax);
    const requestId = randomUUID();
    // An invocation that waits for an environment also counts as concurrent, because AWS would have started another environment.
    const leave = enter(functionName);
    const startedAtMs = performance.now();
    const outcome = await pool.invoke(event, requestId, tenantId).finally(leave);
    put(functionName, "Invocations", 1);
    put(functionName, "Errors", outcome.isError ? 1 : 0);
    put(functionName, "Duration", performance.now() - startedAtMs);
    if (Buffer.byteLength(outcome.payload) > payloadBytesMax) {
      const errorMessage = `Response payload size exceeded maximum allowed payload size (${payloadBytesMax} bytes).`;
      log(`[${functionLabel(functionName)}] ${errorMessage}`);
      const payload = JSON.stringify({ errorType: "Function.ResponseSizeTooLarge", errorMessage });
      return { payload, isFunctionError: true, requestId };
    }
    return { payload: outcome.payload, isFunctionError: outcome.isError, requestId };
  }

  return {
    functionNames: [...pools.keys()],
    requireTenant,
    /**
     * Invokes a function and waits for its response. Throws `PayloadTooLargeError` for an event above 6 MB, `TooManyRequestsError` at the
     * concurrency limit, and `TenantError` for a missing or unexpected tenant.
     */
    async invoke(functionName: string, event: string, tenantId?: string): Promise<InvocationResult> {
      const invocation = invoke(functionName, event, tenantId);
      running.add(invocation);
      return invocation.finally(() => running.delete(invocation));
    },
    /** Terminates invocations that still run after this time, as if their environments had crashed. */
    endAfter(milliseconds: number): void {
      // Termination is repeated, because waiting invocations may have started meanwhile.
      ending = setInterval(endAll, milliseconds).unref();
    },
    /** Waits for running invocations, then ends every worker. */
    async stop(): Promise<void> {
      await Promise.allSettled(running);
      clearInterval(ending);
      await endAll();
    },
  };
}
