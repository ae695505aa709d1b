import { ApiError } from "../contract/api-error.ts";
import type { SiteHost } from "../domain/addresses.ts";
import { type Drop, isLocked } from "../domain/drop.ts";
import { served } from "../store/served.ts";

/** The version of a drop that a reader asks for. */
export interface ServedVersion {
  readonly drop: Drop;
  readonly version: number;
  readonly pageKey: string;
  readonly hasContext: boolean;
}

/**
 * The version at a serving URL: the latest, or the one that `?v=` pins.
 *
 * @throws ApiError `not_found` for an unknown slug or version, a deleted drop, and on another owner's host.
 */
export async function requireServed(
  host: SiteHost,
  slug: string,
  pinned: number | undefined,
): Promise<ServedVersion> {
  const [pointer, version] = await Promise.all([
    served.findPointer(slug),
    pinned === undefined ? undefined : served.findVersion(slug, pinned),
  ]);
  if (pointer === undefined || !isServedOn(host, pointer.namespace)) throw new ApiError("not_found");
  const drop = await served.findDrop(pointer.ownerId, slug);
  if (drop === undefined || isLocked(drop)) throw new ApiError("not_found");
  if (pinned === undefined) return { drop, ...drop.latest };
  if (version === undefined) throw new ApiError("version_not_found");
  return { drop, version: pinned, pageKey: version.pageKey, hasContext: version.hasContext };
}

function isServedOn(host: SiteHost, namespace: string): boolean {
  return host.kind === "base" || (host.kind === "owner" && host.namespace === namespace);
}
