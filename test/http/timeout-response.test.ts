import { setImmediate } from "node:timers/promises";
import type { APIGatewayProxyEvent, Context } from "aws-lambda";
import { afterEach, expect, test, vi } from "vitest";
import { readRobotsTxtRoute } from "../../functions/discovery/rows.ts";
import { toLambdaHandler } from "../../functions/http/lambda-handler.ts";
import { operation } from "../../functions/http/operation.ts";

const event = {
  httpMethod: "GET",
  path: "/api/me",
  multiValueHeaders: {},
  requestContext: { requestId: "request-1", identity: { sourceIp: "192.0.2.1" } },
} as unknown as APIGatewayProxyEvent;

/** A context with this remaining time. */
function contextOf(remainingMs: number): Context {
  return { getRemainingTimeInMillis: () => remainingMs } as Context;
}

function captureLog(): string[] {
  const lines: string[] = [];
  vi.spyOn(process.stdout, "write").mockImplementation((text) => lines.push(String(text)) > 0);
  return lines;
}

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

test("a slow request gets a response and a log entry with its id before the function times out", async () => {
  const lines = captureLog();
  const handler = toLambdaHandler("get-me", () => new Promise(() => {}));

  const response = await handler(event, contextOf(520));

  expect(response.statusCode).toBe(503);
  expect(response.headers).toMatchObject({ "x-request-id": "request-1", "retry-after": "5" });
  expect(JSON.parse(response.body)).toMatchObject({
    error: { code: "unavailable", details: { retry_after_seconds: 5 } },
  });
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    {
      level: "error",
      operation: "get-me",
      requestId: "request-1",
      status: 503,
      code: "unavailable",
      durationMs: expect.any(Number),
    },
  ]);
});

test("a write that may have succeeded by its timeout is logged with its owner, token and slug", async () => {
  const lines = captureLog();
  const handler = toLambdaHandler("delete-drop", (_request, ids) => {
    Object.assign(ids, { ownerId: "usr_1", tokenId: "tok_1", slug: "Ab3dE6g" });
    return new Promise(() => {});
  });

  await handler(event, contextOf(505));
  await toLambdaHandler("get-me", () => new Promise(() => {}))(event, contextOf(505));

  const [deletion = "", other = ""] = lines;
  expect(JSON.parse(deletion)).toMatchObject({ ownerId: "usr_1", tokenId: "tok_1", slug: "Ab3dE6g" });
  expect(JSON.parse(other)).not.toHaveProperty("slug");
});

test("work that continues after the timeout logs nothing, even if it fails", async () => {
  const lines = captureLog();
  vi.stubEnv("BASE_URL", "http://localhost");
  const late = Promise.withResolvers<void>();
  const ended: Promise<unknown>[] = [];
  const handler = operation(readRobotsTxtRoute, () => {
    const response = late.promise.then(() => Promise.reject(new Error("much later")));
    ended.push(response.catch(() => {}));
    return response;
  });
  const headers = { "x-dropleaf-host": ["localhost"] };

  await handler({ ...event, path: "/robots.txt", multiValueHeaders: headers }, contextOf(520));
  late.resolve();
  await Promise.all(ended);
  await setImmediate();

  expect(lines.map((line) => JSON.parse(line).status)).toEqual([503]);
});

test("a log entry names the trace of its request only if it was recorded", async () => {
  const lines = captureLog();
  const root = "1-67891233-abcdef012345678912345678";
  for (const sampled of ["1", "0"]) {
    vi.stubEnv("_X_AMZN_TRACE_ID", `Root=${root};Parent=463ac35c9f6413ad;Sampled=${sampled}`);
    await toLambdaHandler("get-me", () => new Promise(() => {}))(event, contextOf(505));
  }

  expect(lines.map((line) => JSON.parse(line).traceId)).toEqual([root, undefined]);
});
