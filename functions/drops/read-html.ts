import { isAtHand } from "../platform/conditions.ts";
import { ApiError } from "../platform/errors.ts";
import { singleHeader } from "../platform/request.ts";
import { errorJson, type HttpResponse } from "../platform/response.ts";
import { type TokenOperationInput, tokenOperation } from "../platform/token-operation.ts";
import { pages } from "./page-objects.ts";
import { served } from "./served.ts";
import { readHtmlRoute } from "./version-rows.ts";

/** GET /api/drops/{slug}/html: a page for its owner, byte for byte as it was published, behind a passcode or not. */
export const readHtml = tokenOperation(readHtmlRoute, async (input) => {
  const pageKey = await findPageKey(input);
  const { request } = input;
  const etag = entityTagOf(pageKey);
  const headers = { etag, "accept-ranges": "bytes", "cache-control": "private, no-cache" };
  if (isAtHand(request, etag)) return { status: 304, headers, body: "" };
  // RFC 9110, section 13.1.5: a range of what the sender has no more would be a part of something else.
  const ifRange = singleHeader(request, "if-range");
  const range = ifRange === undefined || ifRange === etag ? singleHeader(request, "range") : undefined;
  const found = await pages.getRange(pageKey, range);
  if (found === undefined) throw new ApiError("not_found");
  if (found === "unsatisfiable") return rangeRefusal(range ?? "");
  const { bytes, contentRange } = found;
  return {
    status: contentRange === undefined ? 200 : 206,
    headers: {
      ...headers,
      ...pageHeaders,
      ...(contentRange === undefined ? {} : { "content-range": contentRange }),
    },
    body: bytes,
  };
});

/** A page at the service's own address runs nothing there, is framed by nobody, and no page of another site reads it. */
const pageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
  "cross-origin-resource-policy": "same-origin",
} as const;

async function findPageKey({
  caller,
  path: { slug },
  query,
}: TokenOperationInput<typeof readHtmlRoute>): Promise<string> {
  const [drop, version] = await Promise.all([
    served.findDrop(caller.userId, slug),
    query.version === undefined ? undefined : served.findVersion(slug, query.version),
  ]);
  if (drop === undefined) throw new ApiError("not_found");
  if (query.version === undefined) return drop.latest.pageKey;
  if (version !== undefined) return version.pageKey;
  throw new ApiError("not_found", {
    message: `The drop has no version ${query.version}; its latest is ${drop.latest.version}.`,
  });
}

/** A key is used once, so that its object's name names its bytes: `<slug>/<objectId>.html`. */
function entityTagOf(pageKey: string): string {
  return `"${pageKey.slice(pageKey.indexOf("/") + 1, -".html".length)}"`;
}

function rangeRefusal(range: string): HttpResponse {
  const message = `The page has no bytes at ${JSON.stringify(range.slice(0, 100))}: ask for less, such as bytes=0-65535.`;
  return {
    ...errorJson(new ApiError("invalid_arg", { message, details: { header: "range" } })),
    status: 416,
  };
}
