import { InvokeCommand, LambdaClient, TooManyRequestsException } from "@aws-sdk/client-lambda";
import type { APIGatewayProxyResult } from "aws-lambda";
import pRetry from "p-retry";
import { edgeHeaders, environmentNames, readEnvironment } from "../core/environment.ts";
import { ApiError } from "../core/errors.ts";
import { abortWithRequest } from "../core/request-signal.ts";
import type { RequestEvent } from "../http/lambda-handler.ts";
import type { HttpRequest } from "../http/request.ts";
import type { HttpResponse } from "../http/response.ts";
import { PrewarmedAgent, prewarm, Sha256, timeouts, withoutUnusedMiddleware } from "../table/aws-client.ts";
import type { ToolOperationId } from "./tool-rows.ts";

const agent = new PrewarmedAgent();

const lambda = abortWithRequest(
  withoutUnusedMiddleware(
    new LambdaClient({
      sha256: Sha256,
      // Does not retry, because a failed call may have taken effect.
      maxAttempts: 1,
      // The longest timeout of an invoked function is 28 seconds.
      requestHandler: { ...timeouts(28_000), httpsAgent: agent },
    }),
  ),
);

prewarm(lambda, agent, () => new InvokeCommand({ FunctionName: "start" }));

/**
 * Retries throttled calls, first after 50 to 100 ms, for about three seconds in total. By then, other short calls have ended and freed
 * concurrency.
 */
const throttlePolicy = { retries: 5, minTimeout: 50, randomize: true } as const;

/**
 * Sends a request to an operation by invoking its function, as API Gateway does. The function itself checks the caller, limits and input;
 * see "Invoke", AWS Lambda API reference.
 *
 * @throws ApiError `unavailable` at Lambda's concurrency limit, `invalid_arg` if the event would exceed Lambda's 6 MB
 * @throws Error if the function ended without a response
 */
export async function invokeOperation(
  operation: ToolOperationId,
  request: HttpRequest,
): Promise<HttpResponse> {
  const event = JSON.stringify(await toEvent(request));
  if (event.length > eventCharactersMax) throw new ApiError("invalid_arg", { message: tooLarge });
  const command = new InvokeCommand({
    FunctionName: `${readEnvironment(environmentNames.operationFunctionPrefix)}${operation}`,
    Payload: event,
  });
  const { Payload, FunctionError } = await send(command);
  const text = Payload?.transformToString() ?? "";
  if (FunctionError !== undefined) throw new Error(`The function of ${operation} ended without a response.`);
  const { statusCode, body, isBase64Encoded } = JSON.parse(text) as APIGatewayProxyResult;
  return { status: statusCode, headers: {}, body: isBase64Encoded ? Buffer.from(body, "base64") : body };
}

/** Maximum length of an invocation's event in characters, nearly all of them base64. See "Lambda quotas", AWS Lambda developer guide. */
const eventCharactersMax = 6_000_000;
const tooLarge = "The arguments are too large. Send less in one call.";

let lastUsedAtMs = Date.now();

/**
 * Maximum idle time of a connection, in milliseconds. After a longer time, the connection may have been closed while the function was
 * frozen.
 */
const idleMsMax = 5_000;

async function send(command: InvokeCommand) {
  if (Date.now() - lastUsedAtMs > idleMsMax) agent.destroy();
  try {
    return await pRetry(() => lambda.send(command), {
      ...throttlePolicy,
      shouldRetry: ({ error }) => error instanceof TooManyRequestsException,
    });
  } catch (cause) {
    if (!(cause instanceof TooManyRequestsException)) throw cause;
    throw new ApiError("unavailable", { retryAfterSeconds: 5, cause });
  } finally {
    lastUsedAtMs = Date.now();
  }
}

/** Converts a request to an event. Sets the caller's network and host, which API Gateway and the edge set for other requests. */
async function toEvent({ method, path, ...request }: HttpRequest): Promise<RequestEvent> {
  const { host, serviceHost, rawQuery, requestId, network, pathParameters } = request;
  return {
    httpMethod: method,
    path,
    pathParameters: { ...pathParameters },
    multiValueHeaders: {
      ...Object.fromEntries(Object.entries(request.headers).map(([name, values]) => [name, [...values]])),
      [edgeHeaders.host]: [host],
      [edgeHeaders.query]: [rawQuery],
      ...(serviceHost === undefined ? {} : { [edgeHeaders.serviceHost]: [serviceHost] }),
    },
    // Base64 contains no quotes, which would have to be escaped in this JSON string and would double in size.
    body: Buffer.from(await request.readBody()).toString("base64"),
    isBase64Encoded: true,
    requestContext: { requestId, identity: { sourceIp: network } },
    isToolCall: true,
    isAppCall: request.isAppCall === true,
  };
}
