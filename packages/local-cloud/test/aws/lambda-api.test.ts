import { InvokeCommand, LambdaClient } from "@aws-sdk/client-lambda";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { InvokedFunctions } from "../../src/aws/lambda/lambda-api-service.ts";
import { TooManyRequestsError } from "../../src/lambda/concurrency.ts";
import { PayloadTooLargeError, payloadBytesMax, TenantError } from "../../src/lambda/lambda-service.ts";
import { type RunningEndpoint, runEndpoint } from "./running-endpoint.ts";
import { allow, ROLE_ARN, stackOf } from "./stack.ts";

const ARN = "arn:aws:lambda:us-east-1:000000000000:function:Draw";
const invoked: string[] = [];
const tenants: string[] = [];
const later: unknown[] = [];

/** Functions that return their event, or fail if the event says so. */
const functions: InvokedFunctions = {
  functionNames: ["Draw", "Isolated", "Other"],
  async invoke(name, event, tenantId) {
    functions.requireTenant(name, tenantId);
    invoked.push(name);
    if (event.includes("throttled")) throw new TooManyRequestsError();
    if (event.length > payloadBytesMax) throw new PayloadTooLargeError(payloadBytesMax);
    if (tenantId !== undefined) tenants.push(tenantId);
    return { payload: event, isFunctionError: event.includes("thrown"), requestId: "1" };
  },
  requireTenant(name, tenantId) {
    if ((name === "Isolated") === (tenantId === undefined)) throw new TenantError("About tenants");
  },
  invokeLater: (name, event, tenantId) => void later.push([name, event, tenantId]),
};

const isolatedArn = ARN.replace("Draw", "Isolated");

let running: RunningEndpoint;
beforeAll(async () => {
  running = await runEndpoint(stackOf([allow("lambda:InvokeFunction", [ARN, isolatedArn])]));
  running.endpoint.connectFunctions(functions);
});
afterAll(() => running.remove());

function invoke(FunctionName: string, event: unknown, more: object = {}) {
  const client = new LambdaClient(running.clientSettings(running.endpoint.credentialsFor(ROLE_ARN)));
  const Payload = typeof event === "string" ? event : JSON.stringify(event);
  return client.send(new InvokeCommand({ FunctionName, Payload, ...more }));
}

describe("Invoke (AWS Lambda API reference)", () => {
  test.each(["Draw", ARN])("calls the function %s with the event, and returns its response", async (name) => {
    const response = await invoke(name, { page: "ä" });

    expect(JSON.parse(response.Payload?.transformToString() ?? "")).toEqual({ page: "ä" });
    expect(response).toMatchObject({ StatusCode: 200, ExecutedVersion: "$LATEST" });
    expect(response.FunctionError).toBeUndefined();
  });

  test("reports a function error in a header", async () => {
    expect(await invoke("Draw", { is: "thrown" })).toMatchObject({
      StatusCode: 200,
      FunctionError: "Unhandled",
    });
  });

  test("of a function that the role's policy does not allow is refused, with a line in the log", async () => {
    invoked.length = 0;

    await expect(invoke("Other", {})).rejects.toMatchObject({
      name: "AccessDeniedException",
      $metadata: { httpStatusCode: 403 },
    });
    expect(invoked).toEqual([]);
    expect(running.logLines.join("\n")).toContain("lambda:InvokeFunction");
  });

  test.each([
    ["TooManyRequestsException", 429, { is: "throttled" }, {}],
    ["RequestTooLargeException", 413, { page: "x".repeat(payloadBytesMax) }, {}],
    ["InvalidRequestContentException", 400, "{", {}],
    ["InvalidParameterValueException", 400, {}, { TenantId: "owner" }],
    ["InvalidParameterValueException", 400, {}, { TenantId: "owner", InvocationType: "Event" }],
    ["RequestTooLargeException", 413, { page: "x".repeat(1_048_576) }, { InvocationType: "Event" }],
    ["NotImplemented", 501, {}, { InvocationType: "DryRun" }],
    ["NotImplemented", 501, {}, { Qualifier: "1" }],
  ])("is refused with %s", async (name, status, event, more) => {
    await expect(invoke("Draw", event, more)).rejects.toMatchObject({
      name,
      $metadata: { httpStatusCode: status },
    });
  });
});

test("a function with tenant isolation gets the tenant, and is not invoked without a valid one", async () => {
  await invoke("Isolated", {}, { TenantId: "owner-1" });

  expect(tenants).toEqual(["owner-1"]);
  for (const TenantId of [undefined, 'with"quotes', "x".repeat(257)]) {
    await expect(invoke("Isolated", {}, { TenantId })).rejects.toMatchObject({
      name: "InvalidParameterValueException",
      $metadata: { httpStatusCode: 400 },
    });
  }
  expect(tenants).toEqual(["owner-1"]);
});

test("an asynchronous invocation is accepted with 202, and executed later", async () => {
  invoked.length = 0;

  const response = await invoke("Draw", { a: 1 }, { InvocationType: "Event" });

  expect(response.StatusCode).toBe(202);
  expect(later).toEqual([["Draw", '{"a":1}', undefined]]);
  expect(invoked).toEqual([]);
});

test("the invocation of a missing function returns 404", async () => {
  const client = new LambdaClient(running.clientSettings());

  await expect(client.send(new InvokeCommand({ FunctionName: "Nothing" }))).rejects.toMatchObject({
    name: "ResourceNotFoundException",
    $metadata: { httpStatusCode: 404 },
  });
});
