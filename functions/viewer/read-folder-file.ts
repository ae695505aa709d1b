import { isGuarded } from "../drops/drop.ts";
import { entryPath } from "../folders/folder.ts";
import { gateCardUrl, gatePage, reloadPage } from "../gate/gate.ts";
import {
  findVersionForReader,
  type ReadableVersion,
  recordRead,
  redirectToBaseHost,
} from "../gate/readable-version.ts";
import { ApiError } from "../http/errors.ts";
import type { OperationInput } from "../http/operation.ts";
import { joinQuery, pageOperation, presentPageError } from "../http/page-operation.ts";
import { sentQueryOf } from "../http/request.ts";
import { type HttpResponse, redirect } from "../http/response.ts";
import {
  fetchDestination,
  fetchSite,
  hasOwnOrigin,
  isWindowOnBaseHost,
  rawUrl,
  requestedPath,
} from "../http/site.ts";
import { destinationOf } from "../identity/destination.ts";
import { type FolderAddress, folderPath, parseFolderAddress } from "./folder-address.ts";
import { findFile, readableByPages, readManifest, respondWithFile } from "./folder-file-response.ts";
import {
  type FolderKey,
  findVersionByKey,
  openFolderKey,
  renewFolderKey,
  sealFolderKey,
} from "./folder-keys.ts";
import { readFolderFileRoute } from "./rows.ts";

type Input = OperationInput<typeof readFolderFileRoute>;
type FoundVersion = Extract<ReadableVersion, { readonly kind: "version" }>;

/**
 * GET /p/{slug}/raw/{path+}: a file of a folder. Files of a guarded drop are read by an address with a key, to which a window or the
 * viewer's frame is redirected: pages in a sandbox have no cookies.
 */
export const readFolderFile = pageOperation(readFolderFileRoute, async (input) => {
  const address = parseFolderAddress(input.request.path);
  if (address === undefined) throw new ApiError("not_found");
  return address.key === undefined ? readPlainly(input, address) : readByKey(input, address, address.key);
});

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
  // No page that is open to everybody fills a window at the address where people sign in.
  if (isWindowOnBaseHost(request))
    return redirect(rawUrl(site, drop.namespace, slug) + request.path.slice(`/p/${slug}/raw`.length) + query);
  return respond(input, found, { address, isFramed, isPinned: version !== undefined });
}

/** A window has cookies, and is given nothing for a key alone: its address may have come from another reader. */
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
    return respond(input, found, { address, isFramed, isPinned: true });
  const version = key?.isPinned ? key.version : undefined;
  return redirect(folderPath(slug, { version, rest: address.rest }) + joinQuery(sentQueryOf(request)));
}

/** Only the viewer's script asks from this origin, with the reader's cookies: pages of a folder have no origin here. */
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
  return { status: 200, headers, body: "The key is renewed." };
}

/** Tells whether the reader in front of a window has what its key opens: as for a key of their own, which is still the latest version. */
async function isOwn(
  { request, host, nowMs }: Input,
  { drop, version, session }: FoundVersion,
  isPinned: boolean,
): Promise<boolean> {
  const pinned = isPinned ? version : undefined;
  const own = await findVersionForReader({ request, host, slug: drop.slug, pinned, nowMs }).catch(
    (error: unknown) => {
      if (error instanceof ApiError && error.code === "not_found") return undefined;
      throw error;
    },
  );
  if (own?.kind !== "version" || own.version !== version || !isGuarded(own.drop)) return false;
  return session === undefined || session === own.session;
}

/** A file's own response; `address` is that of the request. */
async function respond(
  input: Input,
  found: FoundVersion,
  {
    address,
    isFramed,
    isPinned,
  }: { readonly address: FolderAddress; readonly isFramed: boolean; readonly isPinned: boolean },
): Promise<HttpResponse> {
  const { request, host, site, nowMs } = input;
  const { drop, folder, pageKey } = found;
  const manifest = await readManifest(pageKey);
  const file =
    manifest === undefined || address.path === undefined
      ? undefined
      : findFile(manifest, address.path, folder?.spa === true);
  if (address.path === undefined && address.rest === "") return withSlash(input);
  if (file === "folder") return withSlash(input);
  // Scripts of the folder may know that a file is missing.
  if (file === undefined) {
    const refusal = presentPageError(new ApiError("not_found"), readFolderFileRoute, request);
    return { ...refusal, headers: { ...refusal.headers, ...readableByPages } };
  }
  const caching = { drop, isPinned, isGuarded: address.key !== undefined, nowMs };
  const options = { ...caching, hasOwnOrigin: hasOwnOrigin(host), isFramed };
  return respondWithFile(file, { request, site, found, options });
}

/** Relative links of a folder's page need the slash at the end of its address. */
function withSlash({ request, host }: Input): HttpResponse {
  const address = `${requestedPath(host, request.path)}/${joinQuery(sentQueryOf(request))}`;
  const response = redirect(address);
  return { ...response, status: 308, headers: { ...response.headers, ...readableByPages } };
}

/** The address of a page that came alone, for that of a folder's entry. */
function redirectToPage(
  { request, host, path }: Input,
  { version, path: file }: FolderAddress,
): HttpResponse {
  if (file !== entryPath) throw new ApiError("not_found");
  const pin = version === undefined ? undefined : `v=${version}`;
  const address = requestedPath(host, `/p/${path.slug}/raw`) + joinQuery(pin, sentQueryOf(request));
  return { ...redirect(address), status: 308 };
}
