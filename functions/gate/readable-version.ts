import { hasReadTrail } from "../core/environment.ts";
import { ApiError } from "../core/errors.ts";
import { type Drop, isLocked } from "../drops/drop.ts";
import { publicDrops } from "../drops/public-drops.ts";
import { readTrail } from "../drops/read-trail.ts";
import type { VersionFolder } from "../folders/folder.ts";
import { folderHostId } from "../http/folder-host.ts";
import type { OperationInput } from "../http/operation.ts";
import { type HttpRequest, sentQueryOf } from "../http/request.ts";
import { type HttpResponse, seeOther } from "../http/response.ts";
import type { Route } from "../http/route.ts";
import { fetchDestination, isFromForeignPage, isWindow, requestedPath, type SiteHost } from "../http/site.ts";
import { offerAccessForm } from "../identity/access-form.tsx";
import { type Destination, destinationOf } from "../identity/destination.ts";
import { notShared } from "../identity/not-shared-page.tsx";
import { readerSessions } from "../identity/readers.ts";
import { findReader, type Reader } from "../people/find-reader.ts";
import { canRead, isOpenToAll, isOwner } from "../policies/access.ts";
import { hasGatePass } from "./gate.ts";

/** Outcome of a request to a URL that serves a drop. */
export type ReadableVersion =
  /** The drop is locked, and the request has no valid passcode cookie. */
  | { readonly kind: "gate" }
  /** Only the base host may respond, because the drop may be restricted. */
  | { readonly kind: "base-host" }
  | FoundVersion;

/** A version that the reader may access, with its drop and the reader. */
export interface FoundVersion extends ReadableDrop {
  readonly kind: "version";
  readonly version: number;
  readonly pageKey: string;
  readonly hasContext: boolean;
  /** Folder of the version. @default - the version is a single page */
  readonly folder?: VersionFolder | undefined;
}

/** A drop that the reader may access, with the reader. */
interface ReadableDrop {
  readonly drop: Drop;
  /** `sessionReference` of the reader's session. @default - no reader is signed in */
  readonly session: string | undefined;
  readonly reader: Reader | undefined;
}

/** Request to a URL that serves a drop. */
interface VersionRequest {
  readonly request: HttpRequest;
  readonly host: SiteHost;
  readonly slug: string;
  readonly pinned: number | undefined;
  /** Page to return to after sign-in. @default - the URL of the request */
  readonly to?: Destination;
  readonly nowMs: number;
}

/**
 * Finds the version that a URL serves: the latest, or the one pinned by `?v=`. Guarded drops are served only on the
 * base host, because no published page shares that host's origin; see docs/adr/0026-guarded-drops.md.
 *
 * @throws ApiError `not_found` for an unknown version, an unknown, expired or deleted slug, a suspended account, or a
 * drop that the reader may not read. The response is the same for all of these, except for an unknown version.
 */
export async function findVersionForReader({
  request,
  host,
  slug,
  pinned,
  to = destinationOf(request),
  nowMs,
}: VersionRequest): Promise<ReadableVersion> {
  const [found, version] = await Promise.all([
    host.kind === "base"
      ? findReadableDrop({ request, slug, to, nowMs })
      : findOpen({ request, host, slug, nowMs }),
    pinned === undefined ? undefined : publicDrops.findVersion(slug, pinned),
  ]);
  if ("kind" in found) return found;
  if (!(await hasGatePass(request, found.drop, nowMs))) return { kind: "gate" };
  if (pinned === undefined) return { kind: "version", ...found, ...found.drop.latest };
  if (version === undefined) throw noSuchVersion(pinned, found.drop, host);
  const { pageKey, hasContext, folder } = version;
  return { kind: "version", ...found, version: pinned, pageKey, hasContext, folder };
}

/** Error for a version that the drop does not have. The error links to the latest version, whose page lists all versions. */
function noSuchVersion(pinned: number, { slug, latest }: Drop, host: SiteHost): ApiError {
  // Invalid numbers were parsed as 0; see functions/http/query.ts.
  const which = pinned === 0 ? "no such version" : `no version ${pinned}`;
  return new ApiError("not_found", {
    message: `This page has ${which}. Its latest is version ${latest.version}.`,
    details: { latest_version: latest.version },
    way: { href: requestedPath(host, `/p/${slug}`), label: `Open version ${latest.version}` },
  });
}

/**
 * Finds a drop on the base host for a reader who may read it. Reads session, membership and access rights at each
 * request, so that a revocation takes effect immediately.
 *
 * @param to path to return to after sign-in
 * @throws ApiError `not_found` with a page that offers sign-in, the same for a missing drop and a drop without access
 */
export async function findReadableDrop({
  request,
  slug,
  to,
  nowMs,
}: Pick<Required<VersionRequest>, "request" | "slug" | "to" | "nowMs">): Promise<ReadableDrop> {
  const { drop, session, reader } = await findDropAndReader({ request, slug, nowMs });
  if (drop === undefined || !canRead(drop, reader, nowMs))
    throw notShared(to, session?.identity, session && (await offerAccessForm(session, slug)));
  return { drop, session: session?.reference, reader };
}

/**
 * Finds the drop of a slug, and the signed-in reader of a request. `drop` is undefined for a missing or expired drop,
 * and for a suspended account. All these cases read the same number of items.
 */
export async function findDropAndReader({
  request,
  slug,
  nowMs,
}: Pick<VersionRequest, "request" | "slug" | "nowMs">) {
  const [pointer, session] = await Promise.all([
    publicDrops.findPointer(slug),
    isFromForeignPage(request) ? undefined : readerSessions.ofRequest(request, nowMs),
  ]);
  const [drop, reader] = await Promise.all([
    publicDrops.findShownDrop(pointer, slug, nowMs),
    session && findReader(session, { ownerId: pointer?.ownerId }),
  ]);
  return { drop, session, reader };
}

/** Records that a reader has opened a drop that requires sign-in. Does not record HEAD requests, or reads by the owner or the owning team. */
export async function recordRead(
  { drop, reader }: ReadableDrop,
  { request, nowMs }: Pick<OperationInput<Route>, "request" | "nowMs">,
): Promise<void> {
  if (!hasReadTrail() || isOpenToAll(drop) || reader === undefined || isOwner(reader, drop.ownerId)) return;
  if (request.method === "GET") await readTrail.record(drop, reader, nowMs);
}

/** Finds a drop on its owner's or its folder's host, if anyone may read it. Readers cannot sign in on these hosts. */
async function findOpen({
  request,
  host,
  slug,
  nowMs,
}: Omit<VersionRequest, "pinned" | "to">): Promise<ReadableDrop | { readonly kind: "gate" | "base-host" }> {
  const drop = await findDropOfOwner(host, slug, nowMs);
  const isForAll = drop !== undefined && canRead(drop, undefined, nowMs);
  if (isForAll && !isLocked(drop)) return { drop, session: undefined, reader: undefined };
  // A redirect to another host would break requests of frames and scripts.
  if (isForAll) return { kind: ["frame", "part"].includes(fetchDestination(request)) ? "gate" : "base-host" };
  // Also redirects requests for missing slugs, so that the response does not reveal if a restricted drop exists.
  if (isWindow(request)) return { kind: "base-host" };
  throw new ApiError("not_found");
}

/**
 * Finds a drop on its owner's or its folder's host, even if it is restricted. Returns undefined for a missing drop, and
 * on other hosts.
 */
export async function findDropOfOwner(
  host: SiteHost,
  slug: string,
  nowMs: number,
): Promise<Drop | undefined> {
  const pointer = await publicDrops.findPointer(slug);
  const isItsHost =
    host.kind === "folder"
      ? host.id === folderHostId(slug)
      : host.kind === "owner" && host.namespace === pointer?.namespace;
  return publicDrops.findShownDrop(isItsHost ? pointer : undefined, slug, nowMs);
}

/** Redirects to the same path and query on the base host. */
export function redirectToBaseHost({
  request,
  site,
}: Pick<OperationInput<Route>, "request" | "site">): HttpResponse {
  const query = sentQueryOf(request);
  return seeOther(`${site.baseUrl}${request.path}${query && `?${query}`}`);
}
