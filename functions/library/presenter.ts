import { isLocked } from "../drops/drop.ts";
import { dropUrl, rawUrl, type Site } from "../platform/site.ts";
import type { ShelvedDrop } from "./listing.ts";
import type { LibraryDropResponse } from "./schemas.ts";

/** A drop of the library on the wire. */
export function presentShelved(
  site: Site,
  { drop, owner, isOwn, isHidden }: ShelvedDrop,
): LibraryDropResponse {
  const { slug, namespace, visibility } = drop;
  return {
    slug,
    title: isHidden ? null : drop.title,
    description: isHidden ? null : drop.description,
    url: dropUrl(site, namespace, slug),
    raw_url: rawUrl(site, namespace, slug),
    locked: isLocked(drop),
    latest_version: drop.latest.version,
    metadata: isHidden ? {} : Object.fromEntries(drop.metadata),
    created_at: drop.createdAtMs,
    updated_at: drop.updatedAtMs,
    visibility: visibility.kind,
    owner,
    own: isOwn,
  };
}
