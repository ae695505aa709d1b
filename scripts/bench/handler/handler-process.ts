/** Measures the handlers in a process of its own, which has the environment of the stack's functions. */
import "../page-asset-hooks.ts";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { APIGatewayProxyResult } from "aws-lambda";
import { type OperationId, routeOf } from "../../../functions/routes.ts";
import { buildIn, mapFileOf } from "../../../lib/bundle/build-id.ts";
import { bundleFunctions } from "../../../lib/bundle/bundle.ts";
import {
  documentOperationIds,
  documentsSource,
  type FunctionSource,
  handlerSource,
  servedOperationIds,
} from "../../../lib/bundle/function-source.ts";
import { walkEverything, walkWithoutAws } from "../calls/call-walk.ts";
import { readResponse, silently, toEvent, type Walk } from "../calls/operation-caller.ts";
import { signIn } from "../calls/sign-in-walk.ts";
import { type ColdFunction, lambdaEnvironment, startColdFunction } from "../cold/cold-function.ts";
import { median } from "../median.ts";
import { createTemporaryDirectory } from "../temporary-directory.ts";
import { type CallPart, divideCalls } from "./call-parts.ts";
import { type CallTargets, overTargetsOf } from "./call-targets.ts";

/** A call that may take less than it does, with where its time goes, in shares of 1. */
export interface OverTarget {
  readonly which: keyof CallTargets;
  readonly shares: readonly (readonly [part: CallPart, share: number])[];
}

/** Milliseconds of the processors that an operation's function takes for a request, without AWS and sockets. */
export interface HandlerCall {
  readonly operation: OperationId;
  /** What is particular about this call; empty for the usual one. */
  readonly variant: string;
  /** In a process that has just loaded its code. */
  readonly firstCpuMs: number;
  readonly secondCpuMs: number;
  /** When its code is compiled for good. */
  readonly warmCpuMs: number;
  readonly overTargets: readonly OverTarget[];
}

const freshProcesses = 3;
/** Calls until the code is warm, in batches: so many at most, and none any more when they have taken so long. */
const warmingCalls = 300;
const warmingMsMax = 1_500;
const batches = 5;
/** So many calls, or fewer that take as long as this. */
const batchCallsMax = 20;
const batchMs = 150;
/** Of a call that takes longer than it may, so many are sampled. */
const profiledCalls = 300;

const directory = createTemporaryDirectory();
const bundles = join(directory, "functions");
await bundleFunctions([...servedOperationIds.map(handlerSource), documentsSource], bundles, {
  hasMaps: true,
});
const recording = join(directory, "recording.json");
const recordedAws = new URL("./recorded-aws.ts", import.meta.url);
const { AWS_ENDPOINT_URL = "", ...inherited } = process.env as Record<string, string>;

const measured: HandlerCall[] = [];
const walk: Walk = async (operation, variant, asked = {}) => {
  const call = { ...asked, headers: { "accept-encoding": "br,gzip", ...asked.headers } };
  const event = toEvent(operation, call);
  const response = readResponse(operation, call, await record(operation, event));
  const times: { firstCpuMs: number; secondCpuMs: number; warmCpuMs: number | undefined }[] = [];
  while (times.length < freshProcesses)
    times.push(await replay(operation, event, response.status, times.length === 0));
  const cpuMs = {
    first: median(times.map(({ firstCpuMs }) => firstCpuMs)),
    second: median(times.map(({ secondCpuMs }) => secondCpuMs)),
    warm: times[0]?.warmCpuMs ?? Number.NaN,
  };
  const overTargets: OverTarget[] = [];
  for (const which of overTargetsOf(operation, variant, cpuMs)) {
    overTargets.push({ which, shares: [...(await divide(operation, event, which))] });
  }
  const { first: firstCpuMs, second: secondCpuMs, warm: warmCpuMs } = cpuMs;
  measured.push({ operation, variant, firstCpuMs, secondCpuMs, warmCpuMs, overTargets });
  return response;
};
await walkEverything(walk, "ann");
await walkWithoutAws(walk, await signIn(silently, "ann"));
for (const id of documentOperationIds) {
  await walk(id, "", id === "read-security-txt" ? { expectedStatus: 404 } : {});
}
process.send?.(measured, () => process.exit());

/** Makes the call at the local cloud, whose responses are kept, from the function's start on. */
async function record(id: OperationId, event: object): Promise<APIGatewayProxyResult> {
  const overTls = AWS_ENDPOINT_URL.replace("http:", "https:");
  const lambda = await start(id, { ...lambdaEnvironment, AWS_ENDPOINT_URL: overTls, RECORD_TO: recording });
  try {
    const { response } = await lambda.call(event);
    // Addresses for uploads are at the endpoint, where the walk follows them.
    return JSON.parse(JSON.stringify(response).replaceAll(overTls, AWS_ENDPOINT_URL));
  } finally {
    lambda.kill();
  }
}

/** The same call in a process that has just started, as often as is asked, with the responses that were kept. */
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

/** Where the time of such a call goes, in a process of its own. */
async function divide(id: OperationId, event: object, which: keyof CallTargets) {
  const lambda = await start(id, { ...lambdaEnvironment, REPLAY_FROM: recording });
  try {
    if (which === "second") await lambda.call(event);
    if (which === "warm") await measureWarm(lambda, event, batchCallsMax);
    const profile = await lambda.profile(event, which === "warm" ? profiledCalls : 1);
    const code = await readFile(bundleOf(id), "utf8");
    return divideCalls(profile, await readFile(mapFileOf(bundles, buildIn(code) ?? ""), "utf8"));
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
