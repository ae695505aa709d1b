import { ApiError } from "../core/errors.ts";
import { findTitle } from "../drops/html-body.ts";
import { pages } from "../drops/page-objects.ts";
import { contentTypeOf, isHtml } from "../folders/content-type.ts";
import { findFile } from "../folders/find-file.ts";
import type { ManifestFile } from "../folders/folder.ts";
import { decodePage } from "../folders/page-charset.ts";
import type { FoundVersion } from "../gate/readable-version.ts";
import type { OperationInput } from "../http/operation.ts";
import { joinQuery, prefersPage } from "../http/page-operation.ts";
import { sentQueryOf } from "../http/request.ts";
import { errorJson, type HttpResponse, redirect, seeOther } from "../http/response.ts";
import { requestedPath } from "../http/site.ts";
import { refuseUnknownCall } from "../refusals/nearest-operations.ts";
import { findPagePath, pageNotFound } from "../refusals/other-spellings.ts";
import { folderPath, parseFolderAddress } from "./folder-address.ts";
import type { viewDropRoute } from "./rows.ts";
import { readManifest } from "./stored-file.ts";

type Input = OperationInput<typeof viewDropRoute>;

/** A folder page shown in the viewer. */
export interface FolderPage {
  /** Path in the folder as written in the URL, such as `guide/`. */
  readonly rest: string;
  /** Text of the page's `title` element. @default - the page has none */
  readonly title: string | undefined;
  /** 404 if the page is the folder's own error page for missing paths. */
  readonly status: 200 | 404;
}

/**
 * Finds the page that a viewer URL names. Returns a response for other URLs: a folder without its trailing slash, a
 * file that is not a page, or a path such as `/v2` below a drop.
 *
 * @throws ApiError `not_found` for browsers, if the folder has no such path, or the drop is not a folder
 */
export async function findFolderPage(
  input: Input,
  found: FoundVersion,
  rest: string,
): Promise<FolderPage | { readonly response: HttpResponse }> {
  const { request, host, path, query } = input;
  const { slug } = path;
  const manifest = found.folder && (await readManifest(found.pageKey));
  const address = parseFolderAddress(folderPath(slug, { rest }));
  const isPlain = address?.key === undefined && address?.version === undefined;
  const file =
    manifest && isPlain && address?.path !== undefined
      ? findFile(manifest, address.path, found.folder?.spa === true)
      : undefined;
  if (file === "folder") {
    const withSlash = requestedPath(host, `${request.path}/`) + joinQuery(sentQueryOf(request));
    return { response: { ...redirect(withSlash), status: 308 } };
  }
  if (file === undefined) return { response: respondToUnknown(input) };
  if (file.status === 404) {
    const meant = findPagePath(request.path, request.rawQuery);
    if (meant !== undefined) return { response: seeOther(requestedPath(host, meant)) };
  } else if (!isHtml(contentTypeOf(file.path))) {
    return { response: seeOther(requestedPath(host, folderPath(slug, { version: query.v, rest }))) };
  }
  return { rest, title: await readTitle(file.file), status: file.status };
}

/**
 * Responds to a URL without a page. Redirects if only the spelling is wrong, and explains the error to other programs
 * than browsers.
 *
 * @throws ApiError `not_found` for browsers
 */
export function respondToUnknown({ request, host, site }: Input): HttpResponse {
  const meant = findPagePath(request.path, request.rawQuery);
  if (meant !== undefined) return seeOther(requestedPath(host, meant));
  if (prefersPage(request)) throw pageNotFound(requestedPath(host, request.path));
  return errorJson(refuseUnknownCall(request, request.path, [], site));
}

/** Responds to a request for an unreadable or missing drop. Programs get the same response as for an unknown URL. */
export function respondToUnreadable(error: unknown, input: Input): HttpResponse {
  const isUnreadable =
    error instanceof ApiError &&
    error.code === "not_found" &&
    error.toBody().error.details?.latest_version === undefined;
  if (!isUnreadable || prefersPage(input.request)) throw error;
  return respondToUnknown(input);
}

/** Number of bytes at the start of a page that are searched for its title. */
const titleBytesMax = 65_536;
/** Maximum number of titles in a function's cache. */
const titlesMax = 1_000;
const titles = new Map<string, string | undefined>();

/** Reads a page's title through a cache. Cached titles stay valid, because the contents at an offset in an archive never change. */
async function readTitle(file: ManifestFile): Promise<string | undefined> {
  const place = `${file.packKey} ${file.offset}`;
  if (titles.has(place)) return titles.get(place);
  const bytes = await pages.getPart({ ...file, sizeBytes: Math.min(file.sizeBytes, titleBytesMax) });
  // Truncates a partial page before its last tag, so that it does not end in the middle of a character.
  const end = file.sizeBytes > titleBytesMax ? bytes?.lastIndexOf("<") : undefined;
  const title = bytes && findTitle(decodePage(bytes.subarray(0, end)));
  if (titles.size >= titlesMax) titles.clear();
  titles.set(place, title);
  return title;
}
