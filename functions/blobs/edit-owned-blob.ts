import { isDeepStrictEqual } from "node:util";
import { ApiError } from "../http/errors.ts";
import { changedVisibility, requireAllowed, type VisibilityChange } from "../identity/visibility.ts";
import type { Act } from "../table/audit.ts";
import { RetryableError, retryConflicts } from "../table/table.ts";
import { type Blob, isInVisibilityFolder } from "./blob.ts";
import { blobs } from "./store.ts";

/**
 * Changes the readers of a file; undefined fields stay unchanged. The stream handler moves the bytes later:
 * `functions/blobs/on-table-change.ts`.
 *
 * @throws ApiError `not_found`, `invalid_arg` as `changedVisibility` and `requireAllowed` do
 */
export async function editOwnedBlob(
  ownerId: string,
  id: string,
  change: VisibilityChange,
  act: Act,
): Promise<Blob> {
  if (change.visibility !== undefined) requireAllowed({ kind: change.visibility }, "file");
  return retryConflicts(async () => {
    const found = await blobs.find(ownerId, id);
    if (found === undefined) throw new ApiError("not_found");
    if (change.visibility === undefined && change.readers === undefined) return found;
    const visibility = changedVisibility(found.visibility, change, "file");
    requireAllowed(visibility, "file");
    // Writes nothing if nothing changed, such as after a lost response. If the move of its bytes is stuck, writes the row again
    // to restart it.
    if (isDeepStrictEqual(visibility, found.visibility) && !isStuck(found, act.atMs)) return found;
    if (!(await blobs.setVisibility(found, visibility, act))) throw new RetryableError();
    return { ...found, visibility };
  });
}

/** Longer than any move takes that has not failed for good, or was not to be made while the account was suspended. */
const moveMsMax = 60_000;

function isStuck(file: Blob, nowMs: number): boolean {
  return !isInVisibilityFolder(file) && nowMs - (file.changedAtMs ?? 0) > moveMsMax;
}
