import { type HttpRequest, type HttpResponse, headerValue } from "./http-message.ts";
import { functionLabel } from "./lambda/lambda-function.ts";

/** Data of a request's log line. */
export interface LoggedRequest {
  readonly request: HttpRequest;
  readonly response: HttpResponse;
  /** Value of `X-Cache`, such as `Hit` or `Miss`. */
  readonly outcome: string;
  readonly durationMs: number;
}

/** Maximum length of a path segment in the log. A longer segment may be a secret, such as a token that was sent instead of an id. */
const segmentCharactersMax = 32;

/**
 * Formats the log line of a request: method, host and path, status, duration, function, cache. Query strings are replaced by `?…` and long
 * path segments are cut, because they may contain secrets.
 */
export function requestLine({ request, response, outcome, durationMs }: LoggedRequest): string {
  const host = headerValue(request.headers, "host") ?? "-";
  const query = request.query === undefined ? "" : "?…";
  const parts = [
    request.method,
    `${host}${request.path.split("/").map(shorten).join("/")}${query}`,
    response.statusCode,
    `${durationMs.toFixed(0)} ms`,
    response.servedBy === undefined ? undefined : functionLabel(response.servedBy),
    outcome.toLowerCase(),
  ];
  // A path may contain control characters, which must not start new lines.
  return parts
    .filter((part) => part !== undefined)
    .join(" ")
    .replace(/\p{Cc}/gu, "?");
}

function shorten(segment: string): string {
  return segment.length > segmentCharactersMax ? `${segment.slice(0, 8)}…` : segment;
}
