import { ApiError, undefinedIfNotFound } from "../core/errors.ts";
import { isGuarded } from "../drops/drop.ts";
import { folderHostUrl } from "../drops/presenter.ts";
import { publicDrops } from "../drops/public-drops.ts";
import { entryOf } from "../folders/entry.ts";
import { findFile } from "../folders/find-file.ts";
import { entryPath } from "../folders/folder.ts";
import { gateCardUrl, gatePage, reloadPage } from "../gate/gate.ts";
import {
  type FoundVersion,
  findVersionForReader,
  recordRead,
  redirectToBaseHost,
} from "../gate/readable-version.ts";
import { presentPageError } from "../html/page.ts";
import type { FolderHost } from "../http/folder-host.ts";
import type { OperationInput } from "../http/operation.ts";
import { joinQuery, pageOperation } from "../http/page-operation.ts";
import { type HttpRequest, sentQueryOf } from "../http/request.ts";
import { type HttpResponse, redirect } from "../http/response.ts";
import {
  blobUrl,
  fetchDestination,
  fetchSite,
  hasOwnOrigin,
  isFromForeignPage,
  isWindowOnBaseHost,
  rawUrl,
  requestedPath,
  type Site,
  type SiteHost,
} from "../http/site.ts";
import { destinationOf } from "../identity/destination.ts";
import { type FolderAddress, folderPath, parseFolderAddress, parseHostAddress } from "./folder-address.ts";
import { respondWithFile } from "./folder-file-response.ts";
import {
  type FolderKey,
  findVersionByKey,
  openFolderKey,
  renewFolderKey,
  sealFolderKey,
} from "./folder-keys.ts";
import { formUrlOf } from "./raw-response.ts";
import { readFolderFileRoute } from "./rows.ts";
import { readableByPages, readManifest } from "./stored-file.ts";

type Input = OperationInput<typeof readFolderFileRoute>;

/**
 * GET /p/{slug}/raw/{path+}, and every path of a folder's host: responds with a file of a folder. Pages in a sandbox
 * have no cookies, so files of a guarded drop have URLs with a key. Requests from a window or the viewer's frame are
 * redirected to such a URL.
 */
export const readFolderFile = pageOperation(readFolderFileRoute, async (input) => {
  if (input.host.kind === "folder") return readOnFolderHost(input, input.host);
  const address = parseFolderAddress(input.request.path);
  if (address === undefined) throw new ApiError("not_found");
  return address.key === undefined ? readPlainly(input, address) : readByKey(input, address, address.key);
});

/** Reads a file on its folder's host. Responds 404 for a guarded drop on this host, as for an unknown slug. */
async function readOnFolderHost(input: Input, host: FolderHost & SiteHost): Promise<HttpResponse> {
  const { request, site, nowMs } = input;
  const { version } = host;
  const address = parseHostAddress(request.path, host);
  const slug = await publicDrops.findSlugOfHost(host.id);
  if (address === undefined || slug === undefined) throw new ApiError("not_found");
  const versionRequest = { request, host, slug, pinned: version, nowMs };
  const found = await findVersionForReader(versionRequest).catch(undefinedIfNotFound);
  if (found?.kind !== "version") throw new ApiError("not_found");
  if (found.folder === undefined) {
    if (address.path !== entryPath) throw new ApiError("not_found");
    const pin = version === undefined ? undefined : `v=${version}`;
    return redirect(rawUrl(site, found.drop.namespace, slug) + joinQuery(pin, sentQueryOf(request)));
  }
  return respond(input, found, address);
}

async function readPlainly(input: Input, address: FolderAddress): Promise<HttpResponse> {
  const { request, host, path, site, nowMs } = input;
  const { slug } = path;
  const { version, isFramed, rest } = address;
  const destination = fetchDestination(request);
  const found = await findVersionForReader({ request, host, slug, pinned: version, nowMs });
  if (found.kind === "base-host") return redirectToBaseHost(input);
  if (found.kind === "gate") {
    if (destination === "part") throw new ApiError("not_found");
    if (destination === "frame") return reloadPage();
    const gate = { slug, to: destinationOf(request) };
    return gatePage(gate, { status: 200, cardUrl: gateCardUrl(site, slug) });
  }
  const query = joinQuery(sentQueryOf(request));
  const { drop, folder } = found;
  if (folder === undefined) return redirectToPage(input, address);
  if (isGuarded(drop)) {
    if (destination === "part") throw new ApiError("not_found");
    const key = await sealFolderKey(found, { isFramed, isPinned: version !== undefined }, nowMs);
    await recordRead(found, input);
    return redirect(folderPath(slug, { key, rest }) + query);
  }
  const own = folderHostUrl(site, drop, found, { version, isFramed });
  if (own !== undefined) return withReadableLocation(redirect(own + rest + query));
  // Unrestricted pages never open in a window on the base host, where people sign in.
  if (isWindowOnBaseHost(request))
    return redirect(rawUrl(site, drop.namespace, slug) + request.path.slice(`/p/${slug}/raw`.length) + query);
  return respond(input, found, address);
}

/** Reads a file by the key in its URL. A window also needs cookies that give access, because another reader may have shared the URL. */
async function readByKey(input: Input, address: FolderAddress, sealed: string): Promise<HttpResponse> {
  const { request, host, path, nowMs } = input;
  const { slug } = path;
  if (host.kind !== "base") throw new ApiError("not_found");
  const key = await openFolderKey(slug, sealed);
  const destination = fetchDestination(request);
  if (key !== undefined && destination === "part" && fetchSite(request) === "own")
    return renewKey(input, key, sealed);
  const found = key && (await findVersionByKey(slug, sealed, key, nowMs));
  const isEmbedded = destination === "part" || destination === "frame";
  if (isEmbedded && found === undefined) {
    if (destination === "frame") return reloadPage();
    throw new ApiError("not_found");
  }
  const isFramed = key?.isFramed === true;
  if (
    found !== undefined &&
    (isEmbedded || (!isFramed && (await isOwn(input, found, key?.isPinned === true))))
  )
    return respond(input, found, { ...address, version: found.version, isFramed });
  const version = key?.isPinned ? key.version : undefined;
  return redirect(folderPath(slug, { version, rest: address.rest }) + joinQuery(sentQueryOf(request)));
}

/**
 * Extends the validity of a folder key. Only the viewer's script can send this request with the reader's cookies, because the folder's pages
 * are sandboxed.
 */
async function renewKey(
  { request, host, path, nowMs }: Input,
  key: FolderKey,
  sealed: string,
): Promise<HttpResponse> {
  const pinned = key.version;
  const own = await findVersionForReader({ request, host, slug: path.slug, pinned, nowMs });
  if (own.kind !== "version" || !(await renewFolderKey(sealed, key, own, nowMs)))
    throw new ApiError("not_found");
  const headers = { "content-type": "text/plain; charset=utf-8", "cache-control": "private, no-store" };
  return { status: 200, headers, body: "The key was renewed." };
}

/**
 * Checks that the reader in the window has access to the version in the key. A key without a pinned version gives
 * access only to the latest version.
 */
async function isOwn(
  { request, host, nowMs }: Input,
  { drop, version, session }: FoundVersion,
  isPinned: boolean,
): Promise<boolean> {
  const pinned = isPinned ? version : undefined;
  const versionRequest = { request, host, slug: drop.slug, pinned, nowMs };
  const own = await findVersionForReader(versionRequest).catch(undefinedIfNotFound);
  if (own?.kind !== "version" || own.version !== version || !isGuarded(own.drop)) return false;
  return session === undefined || session === own.session;
}

/** Responds with a file of the folder, a redirect, or 404. */
async function respond(
  { request, host, site, nowMs }: Input,
  found: FoundVersion,
  address: FolderAddress,
): Promise<HttpResponse> {
  const { drop, folder, pageKey } = found;
  const { version, isFramed, rest } = address;
  // Path in the reader's address bar, and path on the base host whose handler checks the reader's access.
  const [shownPath, checkedPath] =
    host.kind === "folder"
      ? [`/${rest}`, folderPath(drop.slug, { version, isFramed, rest })]
      : [requestedPath(host, request.path), request.path];
  const topPath = shownPath.slice(0, shownPath.length - rest.length);
  const manifest = await readManifest(pageKey);
  const file =
    manifest === undefined || address.path === undefined
      ? undefined
      : findFile(manifest, address.path, folder?.spa === true);
  const isUnfinished = address.path === undefined && rest === "";
  if (isUnfinished || file === "folder") return withSlash(shownPath, request);
  const isOwn = file?.path === address.path;
  const others = !isOwn && host.kind === "folder" ? otherAddress(rest, site, drop) : undefined;
  if (others !== undefined) return withReadableLocation(redirect(others));
  const entry = manifest === undefined ? entryPath : entryOf(manifest);
  // The entry page's relative links resolve against its own folder.
  if (address.path === entryPath && entry !== entryPath) return toEntry(topPath, entry, request);
  // CORS headers allow the folder's scripts to see that a file is missing.
  if (file === undefined) {
    const refusal = presentPageError(new ApiError("not_found"), readFolderFileRoute, request);
    return { ...refusal, headers: { ...refusal.headers, ...readableByPages } };
  }
  // If the URL has a key and the request is from the viewer's own site, only the viewer may frame the response. The
  // folder's own pages have no origin, and may frame all other responses.
  const isInFrames = isFramed && (address.key === undefined || isFromForeignPage(request));
  // URL of the folder as the reader's browser sees it.
  const folderUrl = `${new URL(site.baseUrl).protocol}//${request.host.toLowerCase()}${topPath}`;
  const options = {
    drop,
    isPinned: version !== undefined,
    isGuarded: address.key !== undefined,
    nowMs,
    hasOwnOrigin: hasOwnOrigin(host),
    isFramed,
    isInFrames,
    folderUrl,
    formUrl: formUrlOf(drop, site),
  };
  const place = { files: manifest?.files ?? {}, folderUrl, requested: rest };
  return respondWithFile(file, { request, site, found, checkedPath, options, place });
}

/** Returns the URL of an owner's file or the service's icon that a folder page has requested on the folder's host. */
function otherAddress(rest: string, site: Site, { namespace }: FoundVersion["drop"]): string | undefined {
  if (rest === "favicon.ico") return `${site.baseUrl}/${rest}`;
  const [, id] = /^b\/([A-Za-z0-9]{7})$/.exec(rest) ?? [];
  return id && blobUrl(site, namespace, id);
}

/** Redirects from the folder's root URL to its entry page. */
function toEntry(top: string, entry: string, request: HttpRequest): HttpResponse {
  const path = top + entry.split("/").map(encodeURIComponent).join("/");
  return withReadableLocation(redirect(path + joinQuery(sentQueryOf(request))));
}

/** Redirects to the URL with a trailing slash. Without the slash, relative links on a folder's page would break. */
function withSlash(path: string, request: HttpRequest): HttpResponse {
  const response = redirect(`${path}/${joinQuery(sentQueryOf(request))}`);
  return { ...withReadableLocation(response), status: 308 };
}

/** Adds CORS headers, so that scripts in a sandbox can follow the redirect. */
function withReadableLocation(response: HttpResponse): HttpResponse {
  return { ...response, headers: { ...response.headers, ...readableByPages } };
}

/** Redirects from the URL of a folder's entry page to the URL of a single-page drop. */
function redirectToPage(
  { request, host, path }: Input,
  { version, path: file }: FolderAddress,
): HttpResponse {
  if (file !== entryPath) throw new ApiError("not_found");
  const pin = version === undefined ? undefined : `v=${version}`;
  const address = requestedPath(host, `/p/${path.slug}/raw`) + joinQuery(pin, sentQueryOf(request));
  return { ...redirect(address), status: 308 };
}
