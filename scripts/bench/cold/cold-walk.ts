import { readFileSync } from "node:fs";
import { request as requestHttp } from "node:http";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import type { APIGatewayProxyResult } from "aws-lambda";
import { readEnvironment } from "../../../functions/http/environment.ts";
import { type OperationId, routeOf } from "../../../functions/routes.ts";
import { bundleFunctions } from "../../../lib/bundle/bundle.ts";
import { handlerSource, servedOperationIds } from "../../../lib/bundle/function-source.ts";
import { startTlsEndpoint, type TlsEndpoint } from "../../../test/support/tls-endpoint.ts";
import { walkEverything, walkWithoutAws } from "../calls/call-walk.ts";
import { type OperationCall, readResponse, silently, toEvent, type Walk } from "../calls/operation-caller.ts";
import { signIn } from "../calls/sign-in-walk.ts";
import { median } from "../median.ts";
import { createTemporaryDirectory } from "../temporary-directory.ts";
import { lambdaEnvironment, startColdFunction } from "./cold-function.ts";

/** What a function that has just started takes of the processors, in milliseconds, up to its first response and after. */
export interface ColdCall {
  readonly operation: OperationId;
  /** What is particular about this call; empty for the usual one. */
  readonly variant: string;
  /** With the connections that it opens while it is loaded, and without. */
  readonly early: ColdTimes;
  readonly late: ColdTimes;
  /** A later call of the same. @default - it can be made once only */
  readonly warmCpuMs?: number;
}

/** Loading a function, and its first call. */
export interface ColdTimes {
  readonly loadCpuMs: number;
  readonly firstCpuMs: number;
}

const warmCalls = 3;

/** What can be said again and means the same. */
const repeatable: readonly OperationId[] = [
  "call-mcp",
  "publish-drop",
  "publish-version",
  "set-passcode",
  "unlock-drop",
  "upsert-drop",
];

/** Calls every operation in a fresh process each, over TLS: as its users do, with its connections opened early, and late. */
export async function measureColdCalls(): Promise<ColdCall[]> {
  const { directory } = await bundleFunctions(
    servedOperationIds.map(handlerSource),
    join(createTemporaryDirectory(), "functions"),
  );
  const endpoint = await startTlsEndpoint(passOn);
  // Files are sent from here, to where a function says.
  setDefaultCACertificates([...getCACertificates(), readFileSync(endpoint.certificateFile, "utf8")]);
  const measured = new Map<string, Partial<ColdCall>>();
  for (const when of ["late", "early"] as const) {
    const walk: Walk = async (id, variant, call = {}) => {
      const { times, warmCpuMs, response } = await measureCold(directory, endpoint, when, id, call);
      const key = `${id} ${variant}`;
      const warm = warmCpuMs === undefined ? {} : { warmCpuMs };
      measured.set(key, { ...measured.get(key), operation: id, variant, [when]: times, ...warm });
      return response;
    };
    await walkEverything(walk, when);
    await walkWithoutAws(walk, await signIn(silently, when));
  }
  await endpoint.stop();
  return [...measured.values()] as ColdCall[];
}

async function measureCold(
  directory: string,
  endpoint: TlsEndpoint,
  when: "early" | "late",
  id: OperationId,
  call: OperationCall,
) {
  const { AWS_LAMBDA_FUNCTION_NAME: _, ...inherited } = process.env as Record<string, string>;
  const lambda = await startColdFunction(join(directory, id, "index.mjs"), handlerSource(id).exportName, {
    ...inherited,
    NODE_OPTIONS: "",
    AWS_ENDPOINT_URL: endpoint.url,
    NODE_EXTRA_CA_CERTS: endpoint.certificateFile,
    ...(when === "early" ? lambdaEnvironment : {}),
  });
  try {
    const event = toEvent(id, call);
    const first = await lambda.call(event);
    const answer = readResponse(id, call, first.response as APIGatewayProxyResult);
    const warm: number[] = [];
    if (when === "early" && (routeOf(id).method === "GET" || repeatable.includes(id))) {
      while (warm.length < warmCalls) warm.push((await lambda.call(event)).cpuMs);
    }
    return {
      times: { loadCpuMs: lambda.loadCpuMs, firstCpuMs: first.cpuMs },
      warmCpuMs: warm.length > 0 ? median(warm) : undefined,
      response: answer,
    };
  } finally {
    lambda.kill();
  }
}

/** Lets the local cloud answer for AWS, behind TLS. */
const passOn: Parameters<typeof startTlsEndpoint>[0] = (request, response) => {
  const { method, url, headers } = request;
  const passed = requestHttp(
    readEnvironment("AWS_ENDPOINT_URL"),
    { method, path: url, headers },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    },
  );
  passed.on("error", () => response.destroy());
  request.pipe(passed);
};
