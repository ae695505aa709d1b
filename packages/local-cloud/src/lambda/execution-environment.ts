import { extname } from "node:path";
import { createInterface } from "node:readline";
import { Worker } from "node:worker_threads";
import { withinMs } from "../within-ms.ts";
import { trackChildProcesses } from "./child-processes.ts";
import { functionLabel, type LambdaFunction } from "./lambda-function.ts";
import type { FunctionError, InvokeMessage, RuntimeMessage } from "./runtime-message.ts";

/** Outcome of an invocation. */
export interface Outcome {
  /** JSON text. */
  readonly payload: string;
  /** Set when the function threw, timed out or ended: the payload is then a `FunctionError`. */
  readonly isError: boolean;
}

/** One worker thread with the function's bundle; it takes one request at a time. */
export type ExecutionEnvironment = ReturnType<typeof startExecutionEnvironment>;

/**
 * Size limit of V8's young generation in a thread. By default it takes 48 MB in each of some thirty threads; this saves 22 MB
 * each, at the same processor time.
 */
const youngMegabytesMax = 8;

/** Starts a worker; output of its code goes to `log`, line by line. */
export function startExecutionEnvironment(lambda: LambdaFunction, log: (line: string) => void) {
  const worker = new Worker(new URL(`./runtime${extname(import.meta.filename)}`, import.meta.url), {
    // The name in `top -H`.
    name: functionLabel(lambda.name),
    env: {
      ...lambda.environment,
      // The first environment of a function compiles its code, and the others reuse the result: the runtime removes the variable.
      ...(lambda.isDebugged || lambda.compileCacheDirectory === undefined
        ? {}
        : { NODE_COMPILE_CACHE: lambda.compileCacheDirectory }),
    },
    // Nothing of this process: no preloaded TypeScript loader, no command line.
    execArgv: [],
    argv: [],
    stdout: true,
    stderr: true,
    // A debugger's data is in the same heap.
    ...(lambda.isDebugged
      ? {}
      : {
          resourceLimits: {
            maxOldGenerationSizeMb: lambda.memoryMegabytes,
            maxYoungGenerationSizeMb: youngMegabytesMax,
          },
        }),
    workerData: lambda,
  });
  for (const input of [worker.stdout, worker.stderr]) createInterface({ input }).on("line", log);

  let isUsable = true;
  const children = trackChildProcesses();
  let lastError: FunctionError | undefined;
  let finish: ((outcome: Outcome) => void) | undefined;
  const { promise: ready, resolve: becomeReady } = Promise.withResolvers<void>();

  function end(error: FunctionError): void {
    isUsable = false;
    lastError ??= error;
    finish?.({ payload: JSON.stringify(error), isError: true });
    becomeReady();
    void worker.terminate();
  }

  worker.on("message", (message: RuntimeMessage) => {
    if (message.type === "child started" || message.type === "child ended") children.note(message);
    else if (message.type === "ready") becomeReady();
    else if (message.type === "done") finish?.({ payload: message.payload, isError: message.isError });
    else {
      log(`failed to start: ${message.error.trace.join("\n") || message.error.errorMessage}`);
      end(message.error);
    }
  });
  worker.on("error", (error) => {
    log(`ended: ${error.stack ?? error.message}`);
    end(exited(error.message));
  });
  worker.on("exit", (code) => {
    children.killAll();
    end(exited(`exit status ${code}`));
  });

  /** Waits for the end of a running init and the handler. Both together have the function's timeout. */
  async function invoke(event: string, requestId: string): Promise<Outcome> {
    if (lastError !== undefined) return { payload: JSON.stringify(lastError), isError: true };
    const { promise: outcome, resolve } = Promise.withResolvers<Outcome>();
    finish = resolve;
    const timeoutMs = lambda.timeoutSeconds * 1000;
    const deadlineMs = Date.now() + timeoutMs;
    const timer = setTimeout(() => end(timedOut(requestId, timeoutMs)), timeoutMs);
    try {
      await ready;
      if (isUsable) worker.postMessage({ requestId, event, deadlineMs } satisfies InvokeMessage);
      return await outcome;
    } finally {
      clearTimeout(timer);
      finish = undefined;
    }
  }

  return {
    /** Waits for the end of init, successful or not. False if it takes longer. */
    hasInitializedWithin: async (ms: number) => {
      const initialized = ready.then(() => true);
      return (await withinMs(ms, initialized)) ?? false;
    },
    invoke,
    /** False after a timeout, an exit or a failed start: it accepts no more requests. */
    get isUsable() {
      return isUsable;
    },
    async stop(): Promise<void> {
      isUsable = false;
      await worker.terminate();
    },
  };
}

function exited(reason: string): FunctionError {
  return { errorType: "Runtime.ExitError", errorMessage: `Runtime exited with error: ${reason}`, trace: [] };
}

function timedOut(requestId: string, timeoutMs: number): FunctionError {
  const seconds = (timeoutMs / 1000).toFixed(2);
  return {
    errorType: "Sandbox.Timedout",
    errorMessage: `RequestId: ${requestId} Error: Task timed out after ${seconds} seconds`,
    trace: [],
  };
}
