import { withFileAddresses } from "../blobs/embedded-files.ts";
import { isGuarded } from "../drops/drop.ts";
import { findHtmlHeadOffset } from "../drops/page-content.ts";
import type { FoundFile } from "../folders/find-file.ts";
import { sentBytesMax } from "../folders/folder.ts";
import { pageCharset } from "../folders/page-charset.ts";
import { rewritePage } from "../folders/rewrite-addresses.ts";
import { encoded } from "../http/page-operation.ts";
import type { HttpRequest } from "../http/request.ts";
import type { HttpResponse } from "../http/response.ts";
import { fetchDestination, isWindow } from "../http/site.ts";
import { isOpenToAll } from "../policies/access.ts";
import loader from "./large-page.client.ts?text";
import { addDefaultStyle, findAnswering, frameScript } from "./raw-response.ts";
import { addressOf, type FileReading, isApartIn, readBytes, redirectToObject } from "./stored-file.ts";

/**
 * Responds with a page of a folder. Makes its URLs relative and adds the default style. Adds the frame scripts if the
 * page is for the viewer's frame.
 */
export async function respondWithPage(
  { path, file, status }: FoundFile,
  reading: FileReading,
  headers: Readonly<Record<string, string>>,
): Promise<HttpResponse> {
  const { request, site, found, options, place } = reading;
  const { drop, session } = found;
  const { bytes: stored, charset } = toStyleable(await readBytes(file));
  const bytes = rewritePage(stored, place, isApartIn(reading), options.isFramed);
  const contentType = `text/html${charset === undefined ? "" : `; charset=${charset}`}`;
  const styleOffset = findHtmlHeadOffset(bytes);
  const answering = findAnswering([bytes], { drop, version: found.version, path, site });
  const script =
    (options.isFramed ? frameScript + importMapFor(bytes, place.folderUrl) : "") + answering.script;
  const styled = answering.direct(addDefaultStyle([bytes], styleOffset, script));
  const reader = { site, session: isOpenToAll(drop) ? undefined : session, nowMs: options.nowMs };
  const body = isGuarded(drop) ? await withFileAddresses(styled, drop, reader) : styled;
  const response = { status, headers: { ...headers, "content-type": contentType }, body };
  if (body.byteLength <= sentBytesMax) return response;
  const sent = encoded(response, request);
  if (sent !== undefined && sent.body.byteLength <= sentBytesMax) return sent;
  if (file.sizeBytes <= sentBytesMax || !isDocument(request))
    return redirectToObject({ path, file, contentType }, reading);
  const address = await addressOf({ path, file, contentType }, reading);
  const inserted = addDefaultStyle([], 0, script).toString();
  return largePage({ address, charset: charset ?? "windows-1252", styleOffset, inserted }, response);
}

/** Responds with a small page whose script fetches the large page and replaces itself with it. The URL expires after a few seconds. */
function largePage(
  page: Readonly<Record<"address" | "charset" | "inserted", string>> & { readonly styleOffset: number },
  { headers, ...response }: HttpResponse,
): HttpResponse {
  const data = JSON.stringify(page).replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  return {
    ...response,
    headers: { ...headers, "content-type": "text/html; charset=utf-8", "cache-control": "no-store" },
    body: `<!doctype html><html lang="en"><title>Loading</title><body data-page="${data}"><p>Loading the page. It is large, and needs scripts.</p><script>${loader}</script></body></html>`,
  };
}

/**
 * Import map that resolves module URLs at the host's root within the folder, as `own-folder.client.ts` does for other
 * URLs. Adds nothing to a page with its own import map, because some browsers use only the first map.
 */
function importMapFor(page: Buffer, folderUrl: string): string {
  const top = new URL("/", folderUrl).href;
  if (folderUrl === top || page.includes("importmap")) return "";
  const imports = { [top]: folderUrl, [folderUrl]: folderUrl };
  return `<script type="importmap">${JSON.stringify({ imports })}</script>`;
}

/** Converts a page in UTF-16 to UTF-8, so that ASCII can be inserted. Returns the page and its charset. */
function toStyleable(page: Buffer): { readonly bytes: Buffer; readonly charset: string | undefined } {
  const charset = pageCharset(page);
  if (!charset?.startsWith("utf-16")) return { bytes: page, charset };
  return { bytes: Buffer.from(new TextDecoder(charset).decode(page)), charset: "utf-8" };
}

/** Recognizes requests from a window or frame, which can run scripts. */
function isDocument(request: HttpRequest): boolean {
  const destination = fetchDestination(request);
  return destination === "frame" || (destination !== "part" && isWindow(request));
}
