import {
  type ExecutionEnvironment,
  type Outcome,
  startExecutionEnvironment,
} from "./execution-environment.ts";
import type { LambdaFunction } from "./lambda-function.ts";

/** Maximum number of execution environments of a function, and the time after which an idle environment ends. */
export interface PoolLimits {
  readonly maxEnvironments: number;
  readonly idleMs: number;
}

/** Time limit of the init phase; see "Understanding the Lambda execution environment lifecycle", AWS Lambda developer guide. */
const initSecondsMax = 10;

/** The execution environments of one function. */
export type FunctionPool = ReturnType<typeof createFunctionPool>;

/** Starts environments on demand and ends idle ones. `prepare` completes the function's code before the first environment starts. */
export function createFunctionPool(
  lambda: LambdaFunction,
  limits: PoolLimits,
  log: (line: string) => void,
  prepare: (() => Promise<void>) | undefined,
) {
  let prepared: Promise<Outcome | undefined> | undefined;
  const all = new Set<PooledEnvironment>();
  const idle: { pooled: PooledEnvironment; expiry: NodeJS.Timeout }[] = [];
  const waiting: { tenantId: string | undefined; take: (pooled: PooledEnvironment) => void }[] = [];

  function start(tenantId: string | undefined): PooledEnvironment {
    const pooled = { tenantId, environment: startExecutionEnvironment(lambda, log) };
    all.add(pooled);
    return pooled;
  }

  async function acquire(tenantId: string | undefined): Promise<PooledEnvironment> {
    for (;;) {
      const index = idle.findLastIndex(({ pooled }) => pooled.tenantId === tenantId);
      const [entry] = index < 0 ? [] : idle.splice(index, 1);
      if (entry === undefined) break;
      clearTimeout(entry.expiry);
      if (entry.pooled.environment.isUsable) return entry.pooled;
      all.delete(entry.pooled);
    }
    const [oldest] = idle;
    if (all.size >= limits.maxEnvironments && oldest !== undefined) end(oldest.pooled);
    if (all.size < limits.maxEnvironments) return start(tenantId);
    return new Promise((take) => waiting.push({ tenantId, take }));
  }

  function release(pooled: PooledEnvironment): void {
    const next = waiting.shift();
    if (!pooled.environment.isUsable) {
      all.delete(pooled);
      next?.take(start(next.tenantId));
    } else if (next === undefined) {
      const expiry = setTimeout(() => end(pooled), limits.idleMs);
      expiry.unref();
      idle.push({ pooled, expiry });
    } else if (next.tenantId === pooled.tenantId) {
      next.take(pooled);
    } else {
      end(pooled);
      next.take(start(next.tenantId));
    }
  }

  function end(pooled: PooledEnvironment): void {
    const index = idle.findIndex((entry) => entry.pooled === pooled);
    for (const { expiry } of index < 0 ? [] : idle.splice(index, 1)) clearTimeout(expiry);
    all.delete(pooled);
    void pooled.environment.stop();
  }

  /** Completes the function's code. If that fails, returns the error as the invocation's outcome. */
  async function prepareOnce(): Promise<Outcome | undefined> {
    try {
      await prepare?.();
      return undefined;
    } catch (error) {
      prepared = undefined;
      const { message } = error as Error;
      log(`failed to start: ${message}`);
      // Lambda returns this error if a function's module cannot be loaded.
      const payload = { errorType: "Runtime.ImportModuleError", errorMessage: message, trace: [] };
      return { payload: JSON.stringify(payload), isError: true };
    }
  }

  return {
    /**
     * Runs an invocation on a warm or a new environment, and waits if all environments are busy. An environment serves one tenant. At the
     * limit, an idle environment of another tenant is ended first; see "Tenant isolation", AWS Lambda developer guide.
     */
    async invoke(event: string, requestId: string, tenantId?: string): Promise<Outcome> {
      prepared ??= prepareOnce();
      const failure = await prepared;
      if (failure !== undefined) return failure;
      let pooled = await acquire(tenantId);
      const initMsMax = lambda.isDebugged ? lambda.timeoutSeconds * 1000 : initSecondsMax * 1000;
      if (!(await pooled.environment.hasInitializedWithin(initMsMax))) {
        log(
          `init did not end within ${initSecondsMax} seconds. It starts again, within the function's timeout`,
        );
        end(pooled);
        pooled = start(tenantId);
      }
      try {
        return await pooled.environment.invoke(event, requestId);
      } finally {
        release(pooled);
      }
    },
    async stop(): Promise<void> {
      for (const { expiry } of idle) clearTimeout(expiry);
      await Promise.all([...all].map(({ environment }) => environment.stop()));
      all.clear();
    },
  };
}

/** An environment and its only tenant. */
interface PooledEnvironment {
  readonly environment: ExecutionEnvironment;
  /** Tenant that the environment serves. @default - the function has no tenants */
  readonly tenantId: string | undefined;
}
