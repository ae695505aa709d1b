import { resolve } from "node:path";
import { toProxyEvent } from "@dropleaf/local-cloud/api-gateway/proxy-event";
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from "aws-lambda";
import { afterEach, expect, test, vi } from "vitest";
import { keepWarmEvent } from "../../functions/http/environment.ts";
import { toLambdaHandler } from "../../functions/http/lambda-handler.ts";
import { handlerSource } from "../../lib/bundle/function-source.ts";
import { keptWarmOperations } from "../../lib/lambda/keep-warm.ts";

type Handler = (event: object, context: Context) => Promise<APIGatewayProxyResult>;

const context = { getRemainingTimeInMillis: () => 28_000 } as Context;

afterEach(() => {
  vi.restoreAllMocks();
});

test.each(keptWarmOperations)(
  "%s that is kept warm answers at once, asks AWS for nothing and logs nothing",
  async (id) => {
    const { file, exportName } = handlerSource(id);
    const module = await import(resolve(import.meta.dirname, "../..", file));
    const handler = module[exportName] as Handler;
    const written = vi.spyOn(process.stdout, "write");
    const asked = vi.spyOn(globalThis, "fetch");

    // Without the stack's environment, whatever a request needs would be missed with an error.
    const response = await handler(JSON.parse(JSON.stringify(keepWarmEvent)), context);

    expect(response).toEqual({ statusCode: 204, body: "" });
    expect(written).not.toHaveBeenCalled();
    expect(asked).not.toHaveBeenCalled();
  },
  30_000,
);

const disguises = [
  ["a body", { body: JSON.stringify(keepWarmEvent) }],
  ["a header", { headers: [["keepWarm", "true"]] as [string, string][] }],
  ["a query", { query: "keepWarm=true" }],
  ["a path", { path: "/keepWarm", pathParameters: { keepWarm: "true" } }],
] as const satisfies readonly [string, object][];

test.each(disguises)("a request with the schedule's event as %s is a request", async (_, disguise) => {
  const request = givenEvent(disguise);
  const handler = toLambdaHandler("get-me", async () => ({ status: 200, headers: {}, body: "answered" }));

  expect(Object.keys(request)).toEqual(expect.arrayContaining(["httpMethod", "requestContext"]));
  expect(await handler(request, context)).toMatchObject({ statusCode: 200, body: "answered" });
});

test("an event that is more than the schedule's, or another than it, is taken for a request", async () => {
  const execute = vi.fn(async () => ({ status: 200, headers: {}, body: "answered" }));
  const handler = toLambdaHandler("get-me", execute) as unknown as Handler;
  const request = givenEvent({});

  await handler({ ...request, ...keepWarmEvent }, context);
  await expect(handler({ keepWarm: "true" }, context)).rejects.toThrow();
  await expect(handler({}, context)).rejects.toThrow();

  expect(execute).toHaveBeenCalledOnce();
});

interface Disguise {
  readonly body?: string;
  readonly headers?: readonly [string, string][];
  readonly query?: string;
  readonly path?: string;
  readonly pathParameters?: Readonly<Record<string, string>>;
}

/** What API Gateway makes of a request. */
function givenEvent({ body = "", headers = [], query, path = "/api/me", ...said }: Disguise) {
  const { pathParameters = {} } = said;
  const request = { method: "POST", path, query, headers, peer: { address: "192.0.2.1" } };
  const route = { method: { resourcePath: path }, pathParameters };
  const event = toProxyEvent(request as never, route as never, Buffer.from(body), {
    apiId: "api",
    domainName: "api.example.com",
    stage: "live",
    stageVariables: null,
    deploymentId: "deployment",
    requestId: "11111111-2222-3333-4444-555555555555",
    extendedRequestId: "extended",
    startedAtMs: 0,
    binaryMediaTypes: ["*/*"],
  });
  return event as APIGatewayProxyEvent;
}
