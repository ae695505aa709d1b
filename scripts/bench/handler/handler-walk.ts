import { join } from "node:path";
import type { APIGatewayProxyResult } from "aws-lambda";
import { limits } from "../../../functions/core/limits.ts";
import { type OperationId, routeOf } from "../../../functions/routes.ts";
import { bundleFunctions } from "../../../lib/bundle/bundle.ts";
import {
  documentOperationIds,
  documentsSource,
  type FunctionSource,
  handlerSource,
  servedOperationIds,
} from "../../../lib/bundle/function-source.ts";
import { walkEverything, walkWithoutAws } from "../calls/call-walk.ts";
import { walkFolder } from "../calls/folder-walk.ts";
import { readResponse, toEvent, type Walk } from "../calls/operation-caller.ts";
import { type ColdFunction, lambdaEnvironment, startColdFunction } from "../cold/cold-function.ts";
import { median } from "../median.ts";
import { createTemporaryDirectory } from "../temporary-directory.ts";

/** Processor time of a function for a request, in milliseconds, without AWS and sockets. */
export interface HandlerCall {
  readonly operation: OperationId;
  /** Distinguishes calls of the same operation; empty for the usual one. */
  readonly variant: string;
  /** The first two calls of a new process. */
  readonly firstCpuMs: number;
  readonly secondCpuMs: number;
  /** A call after V8 has optimized the code. */
  readonly warmCpuMs: number;
}

const newProcesses = 3;
/** Calls before the warm measurement, unless they take longer than `warmingMsMax`. */
const warmingCalls = 300;
const warmingMsMax = 1_500;
const batches = 5;
/** A batch has at most this number of calls, and fewer if they take longer than `batchMs`. */
const batchCallsMax = 20;
const batchMs = 150;

const directory = createTemporaryDirectory();
const bundles = join(directory, "functions");
const recording = join(directory, "recording.json");
const recordedAws = new URL("./recorded-aws.ts", import.meta.url);
const { AWS_ENDPOINT_URL = "", ...inherited } = process.env as Record<string, string>;

/** Measures every operation. Needs the environment of the stack's functions. */
export async function measureHandlers(): Promise<HandlerCall[]> {
  await bundleFunctions([...servedOperationIds.map(handlerSource), documentsSource], bundles);
  const measured: HandlerCall[] = [];
  const walk = measuringWalk(measured);
  await walkEverything(walk, "ann");
  await walkWithoutAws(walk);
  for (const id of documentOperationIds)
    await walk(id, "", id === "read-security-txt" ? { expectedStatus: 404 } : {});
  return measured;
}

/** Measures the operations of a folder that has as many files as it may. */
export async function measureFolder(): Promise<HandlerCall[]> {
  const ids = ["publish-drop", "start-folder", "publish-folder", "list-files", "read-folder-file"] as const;
  await bundleFunctions(ids.map(handlerSource), bundles);
  const measured: HandlerCall[] = [];
  await walkFolder(measuringWalk(measured), "folds", limits.folderFilesMax);
  return measured;
}

function measuringWalk(measured: HandlerCall[]): Walk {
  return async (operation, variant, given = {}) => {
    const call = { ...given, headers: { "accept-encoding": "br,gzip", ...given.headers } };
    const event = toEvent(operation, call);
    const response = readResponse(operation, call, await record(operation, event));
    const times: Awaited<ReturnType<typeof replay>>[] = [];
    while (times.length < newProcesses)
      times.push(await replay(operation, event, response.status, times.length === 0));
    measured.push({
      operation,
      variant,
      firstCpuMs: median(times.map(({ firstCpuMs }) => firstCpuMs)),
      secondCpuMs: median(times.map(({ secondCpuMs }) => secondCpuMs)),
      warmCpuMs: times[0]?.warmCpuMs ?? Number.NaN,
    });
    return response;
  };
}

/** Makes the call at the local cloud and records the responses of AWS, from the start of the function. */
async function record(id: OperationId, event: object): Promise<APIGatewayProxyResult> {
  const overTls = AWS_ENDPOINT_URL.replace("http:", "https:");
  const lambda = await start(id, { ...lambdaEnvironment, AWS_ENDPOINT_URL: overTls, RECORD_TO: recording });
  try {
    const { response } = await lambda.call(event);
    // The walk sends files to upload addresses, without TLS.
    return JSON.parse(JSON.stringify(response).replaceAll(overTls, AWS_ENDPOINT_URL));
  } finally {
    lambda.kill();
  }
}

/** Repeats the call in a new process with the recorded responses. */
async function replay(id: OperationId, event: object, expectedStatus: number, untilWarm: boolean) {
  const lambda = await start(id, { ...lambdaEnvironment, REPLAY_FROM: recording });
  try {
    const first = await lambda.call(event);
    const second = await lambda.call(event);
    for (const { response } of [first, second])
      requireStatus(id, expectedStatus, response as APIGatewayProxyResult);
    const calls = Math.min(batchCallsMax, Math.ceil(batchMs / second.cpuMs));
    const warmCpuMs = untilWarm ? await measureWarm(lambda, event, calls) : undefined;
    return { firstCpuMs: first.cpuMs, secondCpuMs: second.cpuMs, warmCpuMs };
  } finally {
    lambda.kill();
  }
}

function requireStatus(id: OperationId, status: number, { statusCode, body }: APIGatewayProxyResult): void {
  if (statusCode !== status) throw new Error(`${id} was replayed with ${statusCode}, not ${status}: ${body}`);
}

async function measureWarm(lambda: ColdFunction, event: object, batchCalls: number): Promise<number> {
  const startedAtMs = performance.now();
  const hasTime = () => performance.now() - startedAtMs < warmingMsMax;
  for (let calls = 0; calls < warmingCalls && hasTime(); calls += batchCalls) {
    await lambda.call(event, batchCalls);
  }
  const times: number[] = [];
  while (times.length < batches) times.push((await lambda.call(event, batchCalls)).cpuMs);
  return median(times);
}

function start(id: OperationId, env: Record<string, string>): Promise<ColdFunction> {
  const { exportName } = sourceOf(id);
  return startColdFunction(bundleOf(id), exportName, { ...inherited, NODE_OPTIONS: "", ...env }, recordedAws);
}

function bundleOf(id: OperationId): string {
  return join(bundles, sourceOf(id).id, "index.mjs");
}

function sourceOf(id: OperationId): FunctionSource {
  return routeOf(id).servedBy === "documents" ? documentsSource : handlerSource(id);
}
