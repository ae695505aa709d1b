import { setTimeout as sleep } from "node:timers/promises";
import { createTokenBucket } from "../api-gateway/throttling.ts";
import { type HttpRequest, type HttpResponse, headerValue } from "../http-message.ts";
import type { ServerProgram } from "./server-program.ts";

/** A response, and whether the server had received the whole body before it started the response. */
export interface WebFunctionResponse {
  readonly response: HttpResponse;
  readonly isAfterBody: boolean;
}

/**
 * Applies Lambda's rules for requests to a Web Function's server; see "Lambda Web Functions", AWS Lambda developer guide.
 *
 * - A request with `Expect` is refused with 417; see "Troubleshooting Lambda Web Functions".
 * - The connection to the server is half-duplex. A response that begins before the whole body has arrived is never passed on, and the
 *   request times out.
 * - A request is throttled immediately if all environments are full or the endpoint's rate limit is exceeded; see "Scaling behavior".
 *   The status and the burst are not documented. Here the status is 429, and the burst equals the rate limit for one second.
 * - A request that times out gets 504, with the error type in a header; see "Request timeout".
 */
export function createWebFunctionEndpoint(
  program: ServerProgram,
  send: (request: HttpRequest) => Promise<WebFunctionResponse>,
  log: (line: string) => void,
): (request: HttpRequest) => Promise<HttpResponse> {
  const { requestsPerSecondMax: rate } = program;
  const takeToken = rate === undefined ? () => true : createTokenBucket(rate, rate);
  let runningCount = 0;

  async function forward(request: HttpRequest): Promise<HttpResponse> {
    const timesOutAtMs = performance.now() + program.timeoutSeconds * 1000;
    const { response, isAfterBody } = await send(request);
    if (isAfterBody) return response;
    log(
      `[${program.name}] responded before it had read the whole request: Lambda does not pass the response on, and the request times out`,
    );
    await sleep(Math.max(0, timesOutAtMs - performance.now()), undefined, { ref: false });
    return refusal(504, "Gateway Timeout", "Runtime.RequestTimeout");
  }

  return async (request) => {
    if (headerValue(request.headers, "expect") !== undefined) return refusal(417, "Expectation Failed");
    if (runningCount >= program.requestsMax || !takeToken()) return refusal(429, "Too Many Requests");
    runningCount += 1;
    try {
      return await forward(request);
    } finally {
      runningCount -= 1;
    }
  };
}

function refusal(statusCode: number, text: string, errorType?: string): HttpResponse {
  return {
    statusCode,
    headers: [
      ["Content-Type", "text/plain"],
      ...(errorType === undefined ? [] : [["lambda-web-error-type", errorType] as const]),
    ],
    body: Buffer.from(`${text}\n`),
  };
}
