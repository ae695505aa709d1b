import middy from "@middy/core";
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from "aws-lambda";
import { apiKeyHeader, isKeepWarmEvent, type keepWarmEvent } from "../core/environment.ts";
import { ApiError } from "../core/errors.ts";
import { logRequest, type WriteIds } from "../core/log.ts";
import { withRequestSignal } from "../core/request-signal.ts";
import { type HttpRequest, toHttpRequest, wholeBody } from "./request.ts";
import { errorJson, type HttpResponse } from "./response.ts";

/**
 * An API Gateway event, with the properties that are read here, and with properties that the MCP server sets when it invokes the function.
 */
export type RequestEvent = Pick<
  APIGatewayProxyEvent,
  "body" | "httpMethod" | "isBase64Encoded" | "multiValueHeaders" | "path" | "pathParameters"
> & {
  readonly requestContext: {
    readonly identity: Pick<APIGatewayProxyEvent["requestContext"]["identity"], "sourceIp">;
    readonly requestId: string;
  };
  /**
   * The MCP server made the request for a tool call. Clients cannot set this property, because API Gateway puts their data into other
   * properties.
   *
   * @default false
   */
  readonly isToolCall?: boolean;
  /** The tool call was made by the page that is embedded in the chat. As with `isToolCall`, clients cannot set this property. */
  readonly isAppCall?: boolean;
};

/** A Lambda function that receives requests from API Gateway, and keep-warm events from a schedule. */
export type LambdaHandler = (
  event: RequestEvent | typeof keepWarmEvent,
  context: Context,
) => Promise<APIGatewayProxyResult>;

/**
 * Creates a Lambda handler that passes requests from API Gateway to an operation. Shortly before the function's timeout, the caller gets an
 * error that suggests a retry, which API Gateway's own error would not do. Keep-warm events have no effect.
 *
 * Source: Amazon API Gateway, "Lambda proxy integrations in API Gateway".
 */
export function toLambdaHandler(
  operation: string,
  execute: (request: HttpRequest, ids: WriteIds) => Promise<HttpResponse>,
): LambdaHandler {
  // One variable is enough, because an execution environment handles one request at a time. The ids of the write are logged with a
  // timeout, because the write may have succeeded.
  let running = { requestId: "", startedAtMs: 0, ids: {} };
  const response = middy<RequestEvent, APIGatewayProxyResult>({
    requestStart: (request) => {
      const { requestContext } = request.event as RequestEvent;
      running = { requestId: requestContext.requestId, startedAtMs: performance.now(), ids: {} };
    },
    timeoutEarlyInMillis: 500,
    timeoutEarlyResponse: () => respondInTime(operation, running),
  }).handler(async (event, _context, { signal }) => {
    const request = toRequest(event);
    return toResult(await withRequestSignal(signal, () => execute(request, running.ids)), request.requestId);
  });
  return async (event, context) =>
    isKeepWarmEvent(event) ? { statusCode: 204, body: "" } : response(event, context);
}

/** Returns an error shortly before the function's timeout, and logs the request, because the operation can no longer do so. */
function respondInTime(
  operation: string,
  { requestId, startedAtMs, ids }: { requestId: string; startedAtMs: number; ids: WriteIds },
): APIGatewayProxyResult {
  const error = new ApiError("unavailable", { retryAfterSeconds: 5 });
  const durationMs = Math.round(performance.now() - startedAtMs);
  logRequest({ operation, requestId, status: error.status, code: error.code, durationMs, ...ids });
  return toResult(errorJson(error), requestId);
}

function toRequest(event: RequestEvent): HttpRequest {
  // Removes the edge's API key, which API Gateway has already checked.
  const headers = lowerCaseNames(event.multiValueHeaders ?? {});
  delete headers[apiKeyHeader];
  return toHttpRequest({
    method: event.httpMethod,
    path: event.path,
    headers,
    pathParameters: (event.pathParameters ?? {}) as Record<string, string>,
    peerAddress: event.requestContext.identity.sourceIp,
    requestId: event.requestContext.requestId,
    isToolCall: event.isToolCall === true,
    isAppCall: event.isAppCall === true,
    body: wholeBody(Buffer.from(event.body ?? "", event.isBase64Encoded ? "base64" : "utf8")),
  });
}

function toResult(response: HttpResponse, requestId: string): APIGatewayProxyResult {
  const { status, headers, cookies = [], body } = response;
  const isText = typeof body === "string";
  return {
    statusCode: status,
    headers: { ...headers, "x-request-id": requestId },
    ...(cookies.length > 0 ? { multiValueHeaders: { "set-cookie": [...cookies] } } : {}),
    // Bytes are returned in Base64, because JSON text would expand quotes and control characters up to sixfold.
    body: isText ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("base64"),
    isBase64Encoded: !isText,
  };
}

function lowerCaseNames(headers: Readonly<Record<string, string[] | undefined>>) {
  const result: Record<string, string[]> = Object.create(null);
  for (const [name, values = []] of Object.entries(headers)) {
    const key = name.toLowerCase();
    result[key] = [...(result[key] ?? []), ...values];
  }
  return result;
}
