import { type HttpRequest, type HttpResponse, headerBytes, headerValue } from "../http-message.ts";
import type { Behavior } from "./distribution.ts";
import { edgeFailure } from "./origin-fetch.ts";

/** CloudFront developer guide, "Quotas": general quotas. */
const requestBytesMax = 20_480;
const urlBytesMax = 8_192;

/** Refuses requests that CloudFront does not accept. Developer guide, "Request and response behavior for custom origins". */
export function refuseRequest(request: HttpRequest, behavior: Behavior): HttpResponse | undefined {
  const urlBytes = request.path.length + (request.query === undefined ? 0 : request.query.length + 1);
  if (urlBytes > urlBytesMax || urlBytes + headerBytes(request.headers) > requestBytesMax) {
    return edgeFailure(413, "Bad request: the URL or the headers are too long.");
  }
  if (!behavior.allowedMethods.has(request.method)) {
    const message =
      "This distribution is not configured to allow the HTTP request method that was used for this request.";
    return edgeFailure(403, message);
  }
  if (request.method === "GET" && hasBody(request)) {
    return edgeFailure(403, "Bad request: a GET request with a body.");
  }
  return undefined;
}

function hasBody({ headers }: HttpRequest): boolean {
  const length = headerValue(headers, "content-length") ?? "0";
  return length !== "0" || headerValue(headers, "transfer-encoding") !== undefined;
}
