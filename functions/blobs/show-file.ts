import { ApiError } from "../core/errors.ts";
import type { OperationInput } from "../http/operation.ts";
import { pageOperation } from "../http/page-operation.ts";
import type { HttpRequest } from "../http/request.ts";
import { type HttpResponse, seeOther } from "../http/response.ts";
import { patterns } from "../http/schemas.ts";
import { fetchDestination, isFromForeignPage, isPrefetched, isWindow } from "../http/site.ts";
import { notShared } from "../identity/not-shared-page.tsx";
import { readerSessions } from "../identity/readers.ts";
import { findReader } from "../people/find-reader.ts";
import { canRead } from "../policies/access.ts";
import type { Blob } from "./blob.ts";
import { findEmbeddedFile } from "./embedded-files.ts";
import { fileAddress, fileHead, filePath, findReadableFile } from "./public-files.ts";
import { showFileRoute } from "./rows.ts";

/**
 * GET /files/{namespace}/{id}: redirects signed-in readers to a restricted file. People without access get the same page whether or not the
 * file exists. A sandboxed page has no cookies, so it sends its key here after a signed URL has expired.
 */
export const showFile = pageOperation(showFileRoute, async (input) => {
  const { request, path, query, nowMs } = input;
  const { namespace, id } = path;
  if (!patterns.namespace.test(namespace) || !patterns.blobId.test(id)) throw new ApiError("not_found");
  const embedded =
    query.key === undefined
      ? undefined
      : await findEmbeddedFile({ namespace, id }, { key: query.key, to: fetchDestination(request), nowMs });
  if (embedded !== undefined) return readAt(embedded, `${filePath(embedded)}?key=${query.key}`, input);
  const session = isOfReader(request) ? await readerSessions.ofRequest(request, nowMs) : undefined;
  const file = await findReadableFile(namespace, id, nowMs);
  const reader = session && (await findReader(session, { ownerId: file?.ownerId }));
  if (file === undefined || !canRead(file, reader, nowMs)) throw notShared(request.path, session?.identity);
  const response = await readAt(file, filePath(file), input);
  // Prevents the page that opened this window from detecting a redirect.
  return { ...response, headers: { ...response.headers, "cross-origin-opener-policy": "same-origin" } };
});

/** Redirects to a file's bytes. HEAD gets the headers directly. */
async function readAt(
  file: Blob,
  checkedPath: string,
  { request, site, nowMs }: OperationInput<typeof showFileRoute>,
): Promise<HttpResponse> {
  return request.method === "HEAD"
    ? fileHead(file)
    : seeOther(await fileAddress(site, file, nowMs, checkedPath));
}

/** Recognizes a request by the reader, not by another host's page. Old browsers send `Accept: text/html` only for navigations. */
function isOfReader(request: HttpRequest): boolean {
  if (isPrefetched(request) || isFromForeignPage(request)) return false;
  const isOldBrowser = fetchDestination(request) === "untold" && isWindow(request);
  return !isOldBrowser || request.headers.accept?.join(", ").includes("text/html") === true;
}
