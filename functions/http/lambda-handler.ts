import middy from "@middy/core";
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from "aws-lambda";
import { apiKeyHeader, isKeepWarmEvent, type keepWarmEvent } from "../core/environment.ts";
import { ApiError } from "../core/errors.ts";
import { logRequest, type WriteIds } from "../core/log.ts";
import { withRequestSignal } from "../core/request-signal.ts";
import { type HttpRequest, toHttpRequest, wholeBody } from "./request.ts";
import { errorJson, type HttpResponse } from "./response.ts";

/** Properties of an API Gateway event that are read here, and properties that the MCP server sets when it invokes the function. */
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
  /** The tool call comes from the page that is embedded in the chat. As with `isToolCall`, clients cannot set this property. */
  readonly isAppCall?: boolean;
};

/** A Lambda function behind a REST API's proxy integration, which a schedule may keep warm. */
export type LambdaHandler = (
  event: RequestEvent | typeof keepWarmEvent,
  context: Context,
) => Promise<APIGatewayProxyResult>;

/** Response to a keep-warm event. The schedule does not wait for it. */
const keptWarm: APIGatewayProxyResult = { statusCode: 204, body: "" };

/**
 * Creates a Lambda handler that passes requests from API Gateway to an operation. Shortly before the function's timeout, the caller gets an
 * error in the API's format, because API Gateway's own response would not mention a retry. For keep-warm events, nothing is read, counted
 * or logged.
 *
 * Source: Amazon API Gateway, "Lambda proxy integrations in API Gateway".
 */
export function toLambdaHandler(
  operation: string,
  execute: (request: HttpRequest, ids: WriteIds) => Promise<HttpResponse>,
): LambdaHandler {
  // An execution environment handles one request at a time.
  let running: RunningRequest = { requestId: "", startedAtMs: 0, ids: {} };
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
  return async (event, context) => (isKeepWarmEvent(event) ? keptWarm : response(event, context));
}

interface RunningRequest {
  readonly requestId: string;
  readonly startedAtMs: number;
  /** Ids of the write that are known so far. A timeout is logged with these ids, because the write may have succeeded. */
  readonly ids: WriteIds;
}

/** Responds before the function's timeout. Logs the request, because the operation can no longer log it. */
function respondInTime(
  operation: string,
  { requestId, startedAtMs, ids }: RunningRequest,
): APIGatewayProxyResult {
  const error = new ApiError("unavailable", { retryAfterSeconds: 5 });
  const durationMs = Math.round(performance.now() - startedAtMs);
  logRequest({ operation, requestId, status: error.status, code: error.code, durationMs, ...ids });
  return toResult(errorJson(error), requestId);
}

function toRequest(event: RequestEvent): HttpRequest {
  // Removes the API key. API Gateway has checked the key, so the request passed through the edge.
  const headers = lowerCaseNames(event.multiValueHeaders ?? {});
  delete headers[apiKeyHeader];
  return toHttpRequest({
    method: event.httpMethod,
    path: event.path,
    headers,
    pathParameters: definedOnly(event.pathParameters ?? {}),
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
    // For most pages in bytes, Base64 is shorter than JSON text, because JSON expands quotes and control characters up to sixfold.
    body: isText ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("base64"),
    isBase64Encoded: !isText,
  };
}

function lowerCaseNames(headers: Readonly<Record<string, string[] | undefined>>): Record<string, string[]> {
  const result: Record<string, string[]> = Object.create(null);
  for (const [name, values = []] of Object.entries(headers)) {
    const key = name.toLowerCase();
    result[key] = [...(result[key] ?? []), ...values];
  }
  return result;
}

function definedOnly(parameters: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
