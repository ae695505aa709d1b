import { InvokeCommand, LambdaClient } from "@aws-sdk/client-lambda";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { InvokedFunctions } from "../../../local/aws/lambda/lambda-api-service.ts";
import { TooManyRequestsError } from "../../../local/lambda/concurrency.ts";
import { PayloadTooLargeError, payloadBytesMax } from "../../../local/lambda/lambda-service.ts";
import { type RunningEndpoint, runEndpoint } from "./running-endpoint.ts";
import { allow, ROLE_ARN, stackOf } from "./stack.ts";

const ARN = "arn:aws:lambda:us-east-1:000000000000:function:Draw";
const invoked: string[] = [];

/** Answers as its event says. */
const functions: InvokedFunctions = {
  functionNames: ["Draw", "Other"],
  async invoke(name, event) {
    invoked.push(name);
    if (event.includes("throttled")) throw new TooManyRequestsError();
    if (event.length > payloadBytesMax) throw new PayloadTooLargeError("Request must be smaller");
    return { payload: event, isFunctionError: event.includes("thrown"), requestId: "1" };
  },
};

let running: RunningEndpoint;
beforeAll(async () => {
  running = await runEndpoint(stackOf([allow("lambda:InvokeFunction", ARN)]));
  running.endpoint.connectFunctions(functions);
});
afterAll(() => running.remove());

function invoke(FunctionName: string, event: unknown, more: object = {}) {
  const client = new LambdaClient(running.clientSettings(running.endpoint.credentialsFor(ROLE_ARN)));
  const Payload = typeof event === "string" ? event : JSON.stringify(event);
  return client.send(new InvokeCommand({ FunctionName, Payload, ...more }));
}

describe("Invoke (AWS Lambda API reference)", () => {
  test.each(["Draw", ARN])("calls the function %s with the event, and gives its response", async (name) => {
    const response = await invoke(name, { page: "ä" });

    expect(JSON.parse(response.Payload?.transformToString() ?? "")).toEqual({ page: "ä" });
    expect(response).toMatchObject({ StatusCode: 200, ExecutedVersion: "$LATEST" });
    expect(response.FunctionError).toBeUndefined();
  });

  test("says in a header that the function itself has failed", async () => {
    expect(await invoke("Draw", { is: "thrown" })).toMatchObject({
      StatusCode: 200,
      FunctionError: "Unhandled",
    });
  });

  test("is refused by a role's policy for any other function, which is not called, and the log says so", async () => {
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
    ["NotImplemented", 501, {}, { InvocationType: "Event" }],
    ["NotImplemented", 501, {}, { Qualifier: "1" }],
  ])("is refused with %s", async (name, status, event, more) => {
    await expect(invoke("Draw", event, more)).rejects.toMatchObject({
      name,
      $metadata: { httpStatusCode: status },
    });
  });
});

test("a function that there is not is not found", async () => {
  const client = new LambdaClient(running.clientSettings());

  await expect(client.send(new InvokeCommand({ FunctionName: "Nothing" }))).rejects.toMatchObject({
    name: "ResourceNotFoundException",
    $metadata: { httpStatusCode: 404 },
  });
});
