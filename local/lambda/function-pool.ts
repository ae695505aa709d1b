import {
  type ExecutionEnvironment,
  type Outcome,
  startExecutionEnvironment,
} from "./execution-environment.ts";
import type { LambdaFunction } from "./lambda-function.ts";

/** How many execution environments a function may have, and for how long an idle one stays warm. */
export interface PoolLimits {
  readonly maxEnvironments: number;
  readonly idleMs: number;
}

/** The execution environments of one function. */
export interface FunctionPool {
  /** Runs on a warm environment, else on a new one; waits for a free one when all that may exist are busy. */
  invoke(event: string, requestId: string): Promise<Outcome>;
  stop(): Promise<void>;
}

/** Starts environments on demand and ends them when they have been idle. */
export function createFunctionPool(
  lambda: LambdaFunction,
  limits: PoolLimits,
  log: (line: string) => void,
): FunctionPool {
  const all = new Set<ExecutionEnvironment>();
  const idle: { environment: ExecutionEnvironment; expiry: NodeJS.Timeout }[] = [];
  const waiting: ((environment: ExecutionEnvironment) => void)[] = [];

  function start(): ExecutionEnvironment {
    const environment = startExecutionEnvironment(lambda, log);
    all.add(environment);
    return environment;
  }

  async function acquire(): Promise<ExecutionEnvironment> {
    for (let last = idle.pop(); last !== undefined; last = idle.pop()) {
      clearTimeout(last.expiry);
      if (last.environment.isUsable) return last.environment;
      all.delete(last.environment);
    }
    if (all.size < limits.maxEnvironments) return start();
    return new Promise((resolve) => waiting.push(resolve));
  }

  function release(environment: ExecutionEnvironment): void {
    const next = waiting.shift();
    if (!environment.isUsable) {
      all.delete(environment);
      next?.(start());
    } else if (next !== undefined) {
      next(environment);
    } else {
      const expiry = setTimeout(() => end(environment), limits.idleMs);
      expiry.unref();
      idle.push({ environment, expiry });
    }
  }

  function end(environment: ExecutionEnvironment): void {
    const index = idle.findIndex((entry) => entry.environment === environment);
    if (index >= 0) idle.splice(index, 1);
    all.delete(environment);
    void environment.stop();
  }

  return {
    async invoke(event, requestId) {
      const environment = await acquire();
      try {
        return await environment.invoke(event, requestId);
      } finally {
        release(environment);
      }
    },
    async stop() {
      for (const { expiry } of idle) clearTimeout(expiry);
      await Promise.all([...all].map((environment) => environment.stop()));
      all.clear();
    },
  };
}
