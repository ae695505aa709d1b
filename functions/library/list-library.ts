import { ApiError } from "../platform/errors.ts";
import { ok } from "../platform/response.ts";
import { tokenOperation } from "../platform/token-operation.ts";
import { findAccountReader } from "../readers/find-reader.ts";
import { openCursor, sealCursor } from "./cursor.ts";
import { readShelf } from "./listing.ts";
import { presentShelved } from "./presenter.ts";
import { listLibraryRoute } from "./rows.ts";
import type { LibraryResponse } from "./schemas.ts";

/** GET /api/library: what the caller may read of what others have published, newest first. */
export const listLibrary = tokenOperation(listLibraryRoute, async ({ caller, query, site }) => {
  const { cursor, ...asked } = query;
  const reader = await findAccountReader(caller.userId);
  if (reader === undefined) throw new ApiError("unauthorized");
  const after = cursor === undefined ? undefined : await openCursor(cursor, reader.identity);
  const { drops, next } = await readShelf(reader, { ...asked, after });
  return ok({
    drops: drops.map((one) => presentShelved(site, one)),
    next_cursor: next === undefined ? null : await sealCursor(next, reader.identity),
  } satisfies LibraryResponse);
});
