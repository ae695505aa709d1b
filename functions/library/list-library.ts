import { ApiError } from "../core/errors.ts";
import { isLocked } from "../drops/drop.ts";
import { rawAddress } from "../drops/presenter.ts";
import { ok } from "../http/response.ts";
import { dropUrl, type Site } from "../http/site.ts";
import { tokenOperation } from "../http/token-operation.ts";
import { findCallerReader } from "../people/teams.ts";
import { type LibraryDrop, listLibraryDrops, openCursor, sealCursor } from "./listing.ts";
import { listLibraryRoute } from "./rows.ts";
import type { LibraryDropResponse, LibraryResponse } from "./schemas.ts";

/** GET /api/library: lists others' drops that the caller may read, newest first. */
export const listLibrary = tokenOperation(listLibraryRoute, async ({ caller, query, site, nowMs }) => {
  const { cursor, q: search, metadata: tags, pageSize } = query;
  const owner = query.owner?.toLowerCase();
  const reader = await findCallerReader(caller);
  if (reader === undefined) throw new ApiError("unauthorized");
  const after = cursor === undefined ? undefined : await openCursor(cursor, reader.identity);
  const request = { search, owner, tags, pageSize, after };
  const { drops, next } = await listLibraryDrops(reader, request, nowMs);
  return ok({
    drops: drops.map((one) => presentLibraryDrop(site, one)),
    next_cursor: next === undefined ? null : await sealCursor(next, reader.identity),
  } satisfies LibraryResponse);
});

/** Converts a drop of the library to its wire format. */
function presentLibraryDrop(site: Site, { drop, owner, isOwn, isHidden }: LibraryDrop): LibraryDropResponse {
  const { slug, namespace, visibility } = drop;
  return {
    slug,
    title: isHidden ? null : drop.title,
    description: isHidden ? null : drop.description,
    url: dropUrl(site, namespace, slug),
    raw_url: rawAddress(site, drop),
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
