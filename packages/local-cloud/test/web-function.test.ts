import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Origin } from "../src/cloudfront/distribution.ts";
import { type HttpRequest, type HttpResponse, headerValue } from "../src/http-message.ts";
import { loadTemplate } from "../src/template.ts";
import { createServerOrigins, type ServerOrigins } from "../src/web-function/server-origin.ts";
import type { ServerProgram } from "../src/web-function/server-program.ts";
import { createWebFunctionEndpoint } from "../src/web-function/web-function-endpoint.ts";
import { writeStack } from "./fixture-stack.ts";

/** Server that responds to `/early` before the body, to `/slow` a second after it, and to `/heap` with the heap's size limit. */
const code = `
  import { createServer } from "node:http";
  import { getHeapStatistics } from "node:v8";
  const [host, port] = process.env.AWS_LAMBDA_HTTP_ENDPOINT.split(":");
  createServer(async (request, response) => {
    if (request.url === "/early") return response.end("early");
    let bytes = 0;
    for await (const piece of request) bytes += piece.length;
    if (request.url === "/slow") await new Promise((resolve) => setTimeout(resolve, 1_000));
    response.end(request.url === "/heap" ? String(getHeapStatistics().heap_size_limit) : String(bytes));
  }).listen(Number(port), host);`;

const stack = writeStack(
  {
    Role: { Type: "AWS::IAM::Role", Properties: {} },
    Revision: {
      Type: "AWS::Lambda::WebFunctionRevision",
      Properties: {
        BuildConfig: { CodeConfig: { S3Object: { Key: "Code.zip" } } },
        ServiceConfig: {
          EnvironmentVariables: { AWS_LAMBDA_NODEJS_ENTRYPOINT: "index.mjs" },
          ExecutionRoleArn: { "Fn::GetAtt": ["Role", "Arn"] },
          MaxConcurrencyPerEnvironment: 1,
          TimeoutSeconds: 4,
        },
      },
    },
    Endpoint: {
      Type: "AWS::Lambda::WebFunctionEndpoint",
      Properties: {
        RevisionWeights: [{ RevisionId: { Ref: "Revision" }, Weight: 100 }],
        ScalingConfig: { MaxEnvironments: 2 },
      },
    },
  },
  { Code: code },
);
const logged: string[] = [];
let servers: ServerOrigins;

beforeAll(() => {
  servers = createServerOrigins({
    template: loadTemplate(stack.directory),
    readSecret: (id) => id,
    awsEndpointUrl: "http://127.0.0.1:1",
    credentialsFor: () => ({ accessKeyId: "k", secretAccessKey: "s" }),
    log: (line) => logged.push(line),
  });
});

afterAll(async () => {
  await servers.stop();
  stack.remove();
});

const origin = { domainName: "endpoint.lambda-web.us-east-1.on.aws" } as Origin;

function requestTo(path: string, body: Readable, headers: [string, string][] = []): HttpRequest {
  return {
    method: "POST",
    path,
    query: undefined,
    headers: [["Host", origin.domainName] as const, ...headers],
    body,
    peer: { address: "192.0.2.1", port: 443 },
  };
}

async function send(path: string, body: Readable, headers: [string, string][] = []): Promise<HttpResponse> {
  const response = servers.handler(requestTo(path, body, headers), origin);
  if (response === undefined) throw new Error("There is no such origin.");
  return response;
}

const bodyOf = (bytes: number) => Readable.from([Buffer.alloc(bytes)]);

describe("a Web Function (AWS Lambda developer guide, Lambda Web Functions)", () => {
  test("refuses Expect with 417, without passing the request to its server", async () => {
    const response = await send("/", bodyOf(10), [["Expect", "100-continue"]]);

    expect(response.statusCode).toBe(417);
  });

  test("returns a response that its server sends after it has read the request", {
    tags: "slow",
  }, async () => {
    const response = await send("/", bodyOf(5_000_000), [["Content-Length", "5000000"]]);

    expect([response.statusCode, String(response.body)]).toEqual([200, "5000000"]);
  });

  test("times out if its server responds before it has read the whole request", {
    tags: "slow",
  }, async () => {
    const slowly = Readable.from(
      (async function* () {
        yield Buffer.alloc(1_000);
        await sleep(700);
        yield Buffer.alloc(1_000);
      })(),
    );
    const startedAtMs = performance.now();

    const response = await send("/early", slowly, [["Content-Length", "2000"]]);

    expect(response.statusCode).toBe(504);
    expect(headerValue(response.headers, "lambda-web-error-type")).toBe("Runtime.RequestTimeout");
    expect(performance.now() - startedAtMs).toBeGreaterThan(3_900);
    expect(logged.join("\n")).toContain("responded before it had read the whole request");
  });

  test("throttles requests immediately if all of its environments are busy", { tags: "slow" }, async () => {
    const responses = await Promise.all([1, 2, 3, 4, 5].map(() => send("/slow", bodyOf(1))));

    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 200, 429, 429, 429]);
    expect((await send("/", bodyOf(1))).statusCode).toBe(200);
  });

  test("throttles requests above its rate limit, and accepts others a second later", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const program = { name: "Endpoint", requestsMax: 9, timeoutSeconds: 4, requestsPerSecondMax: 100 };
    const ok = { response: { statusCode: 200, headers: [], body: Buffer.alloc(0) }, isAfterBody: true };
    const endpoint = createWebFunctionEndpoint(
      program as unknown as ServerProgram,
      async () => ok,
      () => {},
    );
    const statuses: number[] = [];
    const ask = async () => (await endpoint(requestTo("/", bodyOf(1)))).statusCode;

    for (let sent = 0; sent < 101; sent += 1) statuses.push(await ask());
    vi.advanceTimersByTime(1_000);
    const later = await ask();
    vi.useRealTimers();

    expect(statuses.slice(0, 100)).toEqual(Array(100).fill(200));
    expect([statuses[100], later]).toEqual([429, 200]);
  });

  test("has 2 GB of memory, and the heap can use all of it", async () => {
    const response = await send("/heap", bodyOf(0));

    const mebibytes = Number(String(response.body)) / 1024 / 1024;
    expect(mebibytes).toBeGreaterThan(2_000);
    expect(mebibytes).toBeLessThan(2_500);
  });
});
