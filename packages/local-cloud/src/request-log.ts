import { type HttpRequest, type HttpResponse, headerValue } from "./http-message.ts";
import { functionLabel } from "./lambda/lambda-function.ts";

/** Data of a line of the request log. */
export interface LoggedRequest {
  readonly request: HttpRequest;
  readonly response: HttpResponse;
  /** Such as `Hit` or `Miss`. */
  readonly outcome: string;
  readonly durationMs: number;
}

/** Longer segments of a path may be secrets, such as a token in place of its id. */
const segmentCharactersMax = 32;

/**
 * One line for a request: method, host and path, status, duration, function, cache. Query strings are replaced by `?…`, since
 * they may contain secrets, and long segments of the path are cut.
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
