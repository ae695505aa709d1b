/** This module runs inside the worker thread of one execution environment. It imports the bundle once, then handles invocations. */
import inspector from "node:inspector";
import { flushCompileCache } from "node:module";
import { pathToFileURL } from "node:url";
import { parentPort, workerData } from "node:worker_threads";
import { resolveLocalhostNames } from "../localhost-names.ts";
import { reportChildProcesses } from "./child-processes.ts";
import type { LambdaFunction } from "./lambda-function.ts";
import type { FunctionError, InvokeMessage, RuntimeMessage } from "./runtime-message.ts";

type Handler = (event: unknown, context: object) => unknown;

/** Delay before code is cached, so that the first request does not wait for the cache. */
const keepCodeAfterMs = 500;

const lambda = workerData as LambdaFunction;

function send(message: RuntimeMessage): void {
  parentPort?.postMessage(message);
}

function describeError(error: unknown): FunctionError {
  if (!(error instanceof Error)) return { errorType: typeof error, errorMessage: String(error), trace: [] };
  return { errorType: error.name, errorMessage: error.message, trace: (error.stack ?? "").split("\n") };
}

async function loadHandler(): Promise<Handler> {
  const module = (await import(pathToFileURL(lambda.modulePath).href)) as Record<string, unknown>;
  const handler = module[lambda.exportName];
  if (typeof handler !== "function") {
    const error = new Error(`${lambda.exportName} is undefined or not exported`);
    error.name = "Runtime.HandlerNotFound";
    throw error;
  }
  return handler as Handler;
}

function contextOf({ requestId, deadlineMs }: InvokeMessage): object {
  return {
    awsRequestId: requestId,
    functionName: lambda.name,
    functionVersion: "$LATEST",
    invokedFunctionArn: lambda.arn,
    memoryLimitInMB: String(lambda.memoryMegabytes),
    logGroupName: process.env.AWS_LAMBDA_LOG_GROUP_NAME,
    logStreamName: "local",
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => Math.max(0, deadlineMs - Date.now()),
  };
}

function serialize(result: unknown): string {
  try {
    return JSON.stringify(result) ?? "null";
  } catch (cause) {
    const error = new Error(`Unable to stringify response body: ${String(cause)}`);
    error.name = "Runtime.MarshalError";
    throw error;
  }
}

async function invoke(handler: Handler, message: InvokeMessage): Promise<void> {
  try {
    const result = await handler(JSON.parse(message.event), contextOf(message));
    send({ type: "done", payload: serialize(result), isError: false });
  } catch (error) {
    const described = describeError(error);
    process.stderr.write(`Invoke Error ${described.trace.join("\n") || described.errorMessage}\n`);
    send({ type: "done", payload: JSON.stringify(described), isError: true });
  }
}

// Node.js has already read NODE_COMPILE_CACHE in this thread, and functions in AWS do not have the variable.
delete process.env.NODE_COMPILE_CACHE;
reportChildProcesses(send);
resolveLocalhostNames();
try {
  // The inspector has its own port, because some debuggers cannot find threads through the port of their process.
  if (lambda.isDebugged) inspector.open(0, "127.0.0.1");
  if (lambda.isDebugged) process.stdout.write(`Debugger: attach to ${inspector.url()}\n`);
  if (lambda.clockOffsetSeconds !== 0) (await import("../clock.ts")).moveClock(lambda.clockOffsetSeconds);
  if (lambda.internet) (await import("../internet.ts")).useLocalInternet(lambda.internet);
  const handler = await loadHandler();
  parentPort?.on("message", (message: InvokeMessage) => void invoke(handler, message));
  // The flush also caches code that the first request has compiled. It does nothing if all code was cached.
  parentPort?.once("message", () => setTimeout(flushCompileCache, keepCodeAfterMs).unref());
  send({ type: "ready" });
} catch (error) {
  send({ type: "failed", error: describeError(error) });
}
