import { Readable } from "node:stream";
import middy from "@middy/core";
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from "aws-lambda";
import { ApiError } from "../contract/api-error.ts";
import { edgeHeaders } from "../contract/environment.ts";
import type { HttpAnswer } from "./answer.ts";
import { errorJson } from "./error-answer.ts";
import type { HttpRequest } from "./request.ts";

/** A Lambda function behind a REST API's proxy integration. */
export type LambdaHandler = middy.MiddyfiedHandler<APIGatewayProxyEvent, APIGatewayProxyResult>;

/**
 * Carries requests from API Gateway to an operation. Shortly before the function's timeout the caller gets an answer
 * in the contract's shape, since the one that API Gateway would make says nothing of a retry.
 *
 * Source: Amazon API Gateway, "Lambda proxy integrations in API Gateway".
 */
export function toLambdaHandler(execute: (request: HttpRequest) => Promise<HttpAnswer>): LambdaHandler {
  return middy<APIGatewayProxyEvent, APIGatewayProxyResult>({
    timeoutEarlyInMillis: 500,
    timeoutEarlyResponse: () =>
      toResult(errorJson(new ApiError("unavailable", { retryAfterSeconds: 5 })), ""),
  }).handler(async (event) => {
    const request = toRequest(event);
    return toResult(await execute(request), request.requestId);
  });
}

function toRequest(event: APIGatewayProxyEvent): HttpRequest {
  const body = Buffer.from(event.body ?? "", event.isBase64Encoded ? "base64" : "utf8");
  const headers = lowerCaseNames(event.multiValueHeaders ?? {});
  return {
    method: event.httpMethod,
    path: event.path,
    host: headers[edgeHeaders.host]?.[0] ?? "",
    headers,
    rawQuery: headers[edgeHeaders.query]?.[0] ?? "",
    pathParameters: definedOnly(event.pathParameters ?? {}),
    address: headers[edgeHeaders.address]?.[0] ?? event.requestContext.identity.sourceIp,
    requestId: event.requestContext.requestId,
    readBody: async () => body,
    bodyBytes: body,
    bodyStream: () => Readable.from([body]),
    contentLength: body.byteLength,
  };
}

function toResult(answer: HttpAnswer, requestId: string): APIGatewayProxyResult {
  const { status, headers, cookies = [], body } = answer;
  const isText = typeof body === "string";
  return {
    statusCode: status,
    headers: { ...headers, "x-request-id": requestId },
    ...(cookies.length > 0 ? { multiValueHeaders: { "set-cookie": [...cookies] } } : {}),
    // Base64 is the shorter form of most pages: as JSON text, quotes and control characters grow up to six times.
    body: isText ? body : Buffer.from(body).toString("base64"),
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
