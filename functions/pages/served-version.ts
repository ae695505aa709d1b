import { type Drop, isLocked, isOpenToAll } from "../drops/drop.ts";
import { served } from "../drops/served.ts";
import { ApiError } from "../platform/errors.ts";
import type { HttpRequest } from "../platform/request.ts";
import { isUntellingBrowser } from "../platform/request-origin.ts";
import { hasOwnOrigin, type SiteHost } from "../platform/site.ts";
import { hasGatePass } from "./gate.ts";

/**
 * What a serving URL leads to: a version of a drop, or the gate in front of it. `base-host`: a browser that does not
 * tell a window from a script may see a locked drop on the service's own host only, where no page has an origin.
 */
type ServedVersion =
  | { readonly kind: "gate" }
  | { readonly kind: "base-host" }
  | {
      readonly kind: "version";
      readonly drop: Drop;
      readonly version: number;
      readonly pageKey: string;
      readonly hasContext: boolean;
    };

/**
 * The version at a serving URL: the latest, or the one that `?v=` pins. Of a locked drop nothing is said without a
 * cookie, not even which versions there are.
 *
 * @throws ApiError `not_found` for an unknown slug or version, a deleted drop, and on another owner's host.
 */
export async function findServed(input: {
  readonly request: HttpRequest;
  readonly host: SiteHost;
  readonly slug: string;
  readonly pinned: number | undefined;
  /** As `hasGatePass` takes it. @default - none */
  readonly proof?: string | undefined;
  readonly nowMs: number;
}): Promise<ServedVersion> {
  const { request, host, slug, pinned } = input;
  const [drop, version] = await Promise.all([
    requireDrop(host, slug),
    pinned === undefined ? undefined : served.findVersion(slug, pinned),
  ]);
  if (isLocked(drop) && hasOwnOrigin(host) && isUntellingBrowser(request)) return { kind: "base-host" };
  if (!(await hasGatePass(request, drop, input))) return { kind: "gate" };
  if (pinned === undefined) return { kind: "version", drop, ...drop.latest };
  if (version === undefined) throw new ApiError("not_found", { message: "The drop has no such version." });
  const { pageKey, hasContext } = version;
  return { kind: "version", drop, version: pinned, pageKey, hasContext };
}

/**
 * The drop of a slug, on the hosts that serve it. Of a suspended account's there is nothing to be seen, and nothing of one
 * that is not open to all: nobody can say yet who they are.
 *
 * @throws ApiError `not_found`
 */
export async function requireDrop(host: SiteHost, slug: string): Promise<Drop> {
  const pointer = await served.findPointer(slug);
  const isServedHere =
    host.kind === "base" || (host.kind === "owner" && host.namespace === pointer?.namespace);
  const drop =
    pointer && isServedHere && !pointer.isSuspended
      ? await served.findDrop(pointer.ownerId, slug)
      : undefined;
  if (drop === undefined || !isOpenToAll(drop)) throw new ApiError("not_found");
  return drop;
}
