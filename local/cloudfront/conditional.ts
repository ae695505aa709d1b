import {
  type HeaderFields,
  type HttpResponse,
  headerValue,
  withHeader,
  withoutHeaders,
} from "../http-message.ts";

interface Whole {
  readonly statusCode: number;
  readonly headers: HeaderFields;
  readonly body: Buffer;
}

/**
 * Answers a GET or HEAD from a whole object: 304 where the viewer already has it (RFC 9110 section 13), one range of it
 * (section 14), or all of it.
 */
export function answerFromObject(requestHeaders: HeaderFields, object: Whole): HttpResponse {
  if (object.statusCode !== 200) return object;
  if (isUnchanged(requestHeaders, object.headers)) {
    const headers = withoutHeaders(object.headers, ["content-length", "content-type", "content-encoding"]);
    return { statusCode: 304, headers, body: Buffer.alloc(0) };
  }
  const range = headerValue(requestHeaders, "range");
  if (range === undefined || !isRangeApplicable(requestHeaders, object.headers)) return object;
  return answerRange(range, object);
}

function isUnchanged(requestHeaders: HeaderFields, headers: HeaderFields): boolean {
  const noneMatch = headerValue(requestHeaders, "if-none-match");
  if (noneMatch !== undefined) {
    const etag = headerValue(headers, "etag");
    const tags = noneMatch.split(",").map((tag) => tag.trim());
    return etag !== undefined && tags.some((tag) => tag === "*" || weak(tag) === weak(etag));
  }
  const since = Date.parse(headerValue(requestHeaders, "if-modified-since") ?? "");
  const modified = Date.parse(headerValue(headers, "last-modified") ?? "");
  return modified <= since;
}

function weak(etag: string): string {
  return etag.replace(/^W\//, "");
}

function isRangeApplicable(requestHeaders: HeaderFields, headers: HeaderFields): boolean {
  const ifRange = headerValue(requestHeaders, "if-range");
  if (ifRange === undefined) return true;
  return ifRange === headerValue(headers, "etag") || ifRange === headerValue(headers, "last-modified");
}

/** One range only; anything else, several ranges included, is answered with the whole. */
function answerRange(range: string, object: Whole): HttpResponse {
  const match = /^bytes=(\d*)-(\d*)$/.exec(range.trim());
  if (match === null || (match[1] === "" && match[2] === "")) return object;
  const size = object.body.length;
  const [, from = "", to = ""] = match;
  const start = from === "" ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === "" || to === "" ? size - 1 : Math.min(Number(to), size - 1);
  if (start >= size || start > end) {
    const headers = withHeader(
      withoutHeaders(object.headers, ["content-length"]),
      "Content-Range",
      `bytes */${size}`,
    );
    return { statusCode: 416, headers, body: Buffer.alloc(0) };
  }
  const body = object.body.subarray(start, end + 1);
  const headers = withHeader(object.headers, "Content-Range", `bytes ${start}-${end}/${size}`);
  return { statusCode: 206, headers: withHeader(headers, "Content-Length", String(body.length)), body };
}
