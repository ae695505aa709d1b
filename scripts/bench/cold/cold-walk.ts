import { readFileSync } from "node:fs";
import { request as requestHttp } from "node:http";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import type { APIGatewayProxyResult } from "aws-lambda";
import { readEnvironment } from "../../../functions/core/environment.ts";
import { type OperationId, routeOf } from "../../../functions/routes.ts";
import { bundleFunctions } from "../../../lib/bundle/bundle.ts";
import { handlerSource, servedOperationIds } from "../../../lib/bundle/function-source.ts";
import { startTlsEndpoint, type TlsEndpoint } from "../../../test/support/tls-endpoint.ts";
import { walkEverything, walkWithoutAws } from "../calls/call-walk.ts";
import { type OperationCall, readResponse, toEvent, type Walk } from "../calls/operation-caller.ts";
import { median } from "../median.ts";
import { createTemporaryDirectory } from "../temporary-directory.ts";
import { lambdaEnvironment, startColdFunction } from "./cold-function.ts";

/** Processor time of a new process, in milliseconds. */
export interface ColdCall {
  readonly operation: OperationId;
  /** Distinguishes calls of the same operation; empty for the usual one. */
  readonly variant: string;
  /** Loading, in which the connections are opened, and the first call. */
  readonly early: { readonly loadCpuMs: number; readonly firstCpuMs: number };
  /** A later call. @default - the call can be made once only */
  readonly warmCpuMs?: number;
}

const warmCalls = 3;

/** Writes that can be repeated. */
const repeatable: readonly OperationId[] = [
  "call-mcp",
  "publish-drop",
  "publish-version",
  "set-passcode",
  "unlock-drop",
  "upsert-drop",
];

/** Calls every operation in a process of its own, over TLS. */
export async function measureColdCalls(): Promise<ColdCall[]> {
  const { directory } = await bundleFunctions(
    servedOperationIds.map(handlerSource),
    join(createTemporaryDirectory(), "functions"),
  );
  const endpoint = await startTlsEndpoint(passOn);
  // This process uploads files to addresses of that endpoint.
  setDefaultCACertificates([...getCACertificates(), readFileSync(endpoint.certificateFile, "utf8")]);
  const measured = new Map<string, ColdCall>();
  const walk: Walk = async (operation, variant, call = {}) => {
    const { response, ...times } = await measureCold(directory, endpoint, operation, call);
    measured.set(`${operation} ${variant}`, { operation, variant, ...times });
    return response;
  };
  await walkEverything(walk, "ann");
  await walkWithoutAws(walk);
  await endpoint.stop();
  return [...measured.values()];
}

async function measureCold(directory: string, endpoint: TlsEndpoint, id: OperationId, call: OperationCall) {
  const lambda = await startColdFunction(join(directory, id, "index.mjs"), handlerSource(id).exportName, {
    ...(process.env as Record<string, string>),
    NODE_OPTIONS: "",
    AWS_ENDPOINT_URL: endpoint.url,
    NODE_EXTRA_CA_CERTS: endpoint.certificateFile,
    ...lambdaEnvironment,
  });
  try {
    const event = toEvent(id, call);
    const first = await lambda.call(event);
    const response = readResponse(id, call, first.response as APIGatewayProxyResult);
    const warm: number[] = [];
    if (routeOf(id).method === "GET" || repeatable.includes(id)) {
      while (warm.length < warmCalls) warm.push((await lambda.call(event)).cpuMs);
    }
    return {
      early: { loadCpuMs: lambda.loadCpuMs, firstCpuMs: first.cpuMs },
      ...(warm.length > 0 ? { warmCpuMs: median(warm) } : {}),
      response,
    };
  } finally {
    lambda.kill();
  }
}

/** Forwards a request to the local cloud, which has no TLS. */
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
