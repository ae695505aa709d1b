import { extname } from "node:path";
import { createInterface } from "node:readline";
import { Worker } from "node:worker_threads";
import { withinMs } from "../within-ms.ts";
import { trackChildProcesses } from "./child-processes.ts";
import { functionLabel, type LambdaFunction } from "./lambda-function.ts";
import type { FunctionError, InvokeMessage, RuntimeMessage } from "./runtime-message.ts";

/** Outcome of an invocation. */
export interface Outcome {
  /** Response of the function, as JSON. */
  readonly payload: string;
  /** True if the function threw, timed out or ended. The payload is then a `FunctionError`. */
  readonly isError: boolean;
}

/** One worker thread with the function's bundle. It handles one request at a time. */
export type ExecutionEnvironment = ReturnType<typeof startExecutionEnvironment>;

/**
 * Maximum size of V8's young generation in a thread. V8's default is 48 MB in each of about thirty threads. This limit saves 22 MB per
 * thread, without more processor time.
 */
const youngMegabytesMax = 8;

/** Starts a worker. Output of its code goes to `log`, line by line. */
export function startExecutionEnvironment(lambda: LambdaFunction, log: (line: string) => void) {
  const worker = new Worker(new URL(`./runtime${extname(import.meta.filename)}`, import.meta.url), {
    // `top -H` shows this name.
    name: functionLabel(lambda.name),
    env: {
      ...lambda.environment,
      // The first environment of a function compiles its code, and later environments reuse the result. The runtime then deletes
      // NODE_COMPILE_CACHE.
      ...(lambda.isDebugged || lambda.compileCacheDirectory === undefined
        ? {}
        : { NODE_COMPILE_CACHE: lambda.compileCacheDirectory }),
    },
    // The worker inherits no options of this process, such as a preloaded TypeScript loader or the command line.
    execArgv: [],
    argv: [],
    stdout: true,
    stderr: true,
    // A debugged function has no memory limits, because the debugger's data is in the same heap.
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
    if ("pid" in message) children.note(message);
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

  /** Waits for a running init, then for the handler. The function's timeout covers both phases. */
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
    /** Waits until init has succeeded or failed. Returns false if init takes longer. */
    hasInitializedWithin: async (ms: number) =>
      (await withinMs(
        ms,
        ready.then(() => true),
      )) ?? false,
    invoke,
    /** False after a timeout, an exit or a failed start. The environment then accepts no more requests. */
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
