import { ApiError } from "../core/errors.ts";
import { sentBytesMax } from "../folders/folder.ts";
import { type HttpRequest, singleHeader } from "../http/request.ts";
import { errorJson, type HttpResponse, isConditionSupported } from "../http/response.ts";
import { pages } from "./page-objects.ts";

/** Responds with an object of a version: whole, a range, or 304 for a matching ETag. @throws ApiError `not_found` if it was deleted */
export async function respondWithStored(
  request: HttpRequest,
  { key, contentType }: { readonly key: string; readonly contentType: string },
): Promise<HttpResponse> {
  const etag = entityTagOf(key);
  const headers = { etag, "accept-ranges": "bytes", "cache-control": "private, no-cache" };
  if (isConditionSupported(request, etag)) return { status: 304, headers, body: "" };
  // If the object has changed, the range is ignored (RFC 9110, section 13.1.5).
  const ifRange = singleHeader(request, "if-range");
  const range = ifRange === undefined || ifRange === etag ? singleHeader(request, "range") : undefined;
  const asked = await pages.getRange(key, range);
  const isLarge = typeof asked === "object" && asked.bytes.byteLength > sentBytesMax;
  const found = isLarge ? await pages.getRange(key, requirePart(range, asked.bytes.byteLength)) : asked;
  if (found === undefined) throw new ApiError("not_found");
  if (found === "unsatisfiable") return rangeRefusal(range ?? "");
  const { bytes, contentRange } = found;
  return {
    status: contentRange === undefined ? 200 : 206,
    headers: {
      ...headers,
      ...harmlessHeaders,
      "content-type": contentType,
      ...(contentRange === undefined ? {} : { "content-range": contentRange }),
    },
    body: bytes,
  };
}

/** Shortens the requested range to the length that fits into a response. @throws ApiError `invalid_arg` without a range */
function requirePart(range: string | undefined, sizeBytes: number): string {
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(range ?? "") ?? [];
  if (first !== undefined) {
    const end = Number(first) + sentBytesMax - 1;
    return `bytes=${first}-${last ? Math.min(Number(last), end) : end}`;
  }
  throw new ApiError("invalid_arg", {
    message: `The page has ${sizeBytes} bytes, but a response has at most ${sentBytesMax}. Request parts, beginning with Range: bytes=0-${sentBytesMax - 1}.`,
    details: { header: "range", bytes: sizeBytes, bytes_max: sentBytesMax },
  });
}

/** Headers for a page on the service's own host. The page runs no scripts, cannot be framed, and cannot be read by other sites. */
const harmlessHeaders = {
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
  "cross-origin-resource-policy": "same-origin",
} as const;

/** Derives the entity tag from the object's key, `<slug>/<objectId>.html`. Each key is used only once. */
function entityTagOf(key: string): string {
  return `"${key.slice(key.indexOf("/") + 1, key.lastIndexOf("."))}"`;
}

function rangeRefusal(range: string): HttpResponse {
  const message = `The page has no bytes in the range ${JSON.stringify(range.slice(0, 100))}. Request an earlier range, such as bytes=0-65535.`;
  return {
    ...errorJson(new ApiError("invalid_arg", { message, details: { header: "range" } })),
    status: 416,
  };
}
