import { resolve } from "node:path";
import type { APIGatewayProxyResult, Context } from "aws-lambda";
import { afterEach, expect, test, vi } from "vitest";
import { keepWarmEvent } from "../../functions/core/environment.ts";
import { toLambdaHandler } from "../../functions/http/lambda-handler.ts";
import { handlerSource } from "../../lib/bundle/function-source.ts";
import { keptWarmOperations } from "../../lib/lambda/keep-warm.ts";
import { givenProxyEvent } from "../support/given-proxy-event.ts";

type Handler = (event: object, context: Context) => Promise<APIGatewayProxyResult>;

const context = { getRemainingTimeInMillis: () => 28_000 } as Context;

afterEach(() => {
  vi.restoreAllMocks();
});

test.each(keptWarmOperations)(
  "%s responds to the keep-warm event immediately, without a call to AWS or a log entry",
  async (id) => {
    const { file, exportName } = handlerSource(id);
    const module = await import(resolve(import.meta.dirname, "../..", file));
    const handler = module[exportName] as Handler;
    const written = vi.spyOn(process.stdout, "write");
    const asked = vi.spyOn(globalThis, "fetch");

    // The stack's environment is missing, so code for requests would fail with an error.
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

test.each(disguises)(
  "a request that imitates the keep-warm event with %s is handled as a request",
  async (_, disguise) => {
    const request = givenProxyEvent(disguise);
    const handler = toLambdaHandler("get-me", async () => ({ status: 200, headers: {}, body: "answered" }));

    expect(Object.keys(request)).toEqual(expect.arrayContaining(["httpMethod", "requestContext"]));
    expect(await handler(request, context)).toMatchObject({ statusCode: 200, body: "answered" });
  },
);

test("an event that is not exactly the keep-warm event is handled as a request", async () => {
  const execute = vi.fn(async () => ({ status: 200, headers: {}, body: "answered" }));
  const handler = toLambdaHandler("get-me", execute) as unknown as Handler;
  const request = givenProxyEvent({});

  await handler({ ...request, ...keepWarmEvent }, context);
  await expect(handler({ keepWarm: "true" }, context)).rejects.toThrow();
  await expect(handler({}, context)).rejects.toThrow();

  expect(execute).toHaveBeenCalledOnce();
});
