import type { IncomingHttpHeaders } from "node:http";
import fresh from "fresh";
import { parseByteRange } from "../byte-range.ts";
import {
  type HeaderFields,
  type HttpResponse,
  headerValue,
  withHeader,
  withoutHeaders,
} from "../http-message.ts";
import type { CacheEntry } from "./edge-cache.ts";

type WholeObject = Pick<CacheEntry, "statusCode" | "headers" | "body">;

/**
 * Responds to a GET or HEAD with 304 if the viewer already has the object (RFC 9110, section 13), or else with one range of the object
 * (section 14) or the whole object.
 */
export function responseFromObject(requestHeaders: HeaderFields, object: WholeObject): HttpResponse {
  if (object.statusCode !== 200) return object;
  if (isUnchanged(requestHeaders, object.headers)) {
    const headers = withoutHeaders(object.headers, ["content-length", "content-type", "content-encoding"]);
    return { statusCode: 304, headers, body: Buffer.alloc(0) };
  }
  const range = headerValue(requestHeaders, "range");
  if (range === undefined || !isRangeApplicable(requestHeaders, object.headers)) return object;
  return respondWithRange(range, object);
}

/**
 * Returns true if the viewer's copy is current. Passes only four headers to `fresh`, which otherwise returns false for a request with
 * `Cache-Control: no-cache`.
 */
function isUnchanged(requestHeaders: HeaderFields, headers: HeaderFields): boolean {
  return fresh(
    valuesOf(requestHeaders, ["if-none-match", "if-modified-since"]),
    valuesOf(headers, ["etag", "last-modified"]),
  );
}

function valuesOf(headers: HeaderFields, names: readonly string[]): IncomingHttpHeaders {
  return Object.fromEntries(names.map((name) => [name, headerValue(headers, name)]));
}

function isRangeApplicable(requestHeaders: HeaderFields, headers: HeaderFields): boolean {
  const ifRange = headerValue(requestHeaders, "if-range");
  if (ifRange === undefined) return true;
  return ifRange === headerValue(headers, "etag") || ifRange === headerValue(headers, "last-modified");
}

/** Responds with one range of the object, or with the whole object if the header has another form, such as several ranges. */
function respondWithRange(header: string, object: WholeObject): HttpResponse {
  const size = object.body.length;
  const range = parseByteRange(header, size);
  if (range === undefined) return object;
  if (range === "unsatisfiable") {
    const headers = withoutHeaders(object.headers, ["content-length"]);
    const body = Buffer.alloc(0);
    return { statusCode: 416, headers: withHeader(headers, "Content-Range", `bytes */${size}`), body };
  }
  const { start, end } = range;
  const body = object.body.subarray(start, end + 1);
  const headers = withHeader(object.headers, "Content-Range", `bytes ${start}-${end}/${size}`);
  return { statusCode: 206, headers: withHeader(headers, "Content-Length", String(body.length)), body };
}
