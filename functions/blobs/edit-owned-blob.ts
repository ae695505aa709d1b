import { isDeepStrictEqual } from "node:util";
import { ApiError } from "../core/errors.ts";
import {
  changedExpiry,
  changedVisibility,
  type ExpiryChange,
  requireAllowed,
  setsExpiry,
  type VisibilityChange,
} from "../drops/drop-access.ts";
import type { Act } from "../table/audit.ts";
import { RetryableError, retryConflicts } from "../table/table.ts";
import { type Blob, isInVisibilityFolder } from "./blob.ts";
import { blobs } from "./store.ts";

/**
 * Changes the readers and the expiry of a file. Its object is moved later, by `functions/blobs/on-table-change.ts`.
 *
 * @throws ApiError `not_found`, and `invalid_arg` as in `changedVisibility`, `requireAllowed` and `changedExpiry`
 */
export async function editOwnedBlob(
  ownerId: string,
  id: string,
  change: VisibilityChange & ExpiryChange,
  act: Act,
): Promise<Blob> {
  if (change.visibility !== undefined) requireAllowed({ kind: change.visibility }, "file");
  return retryConflicts(async () => {
    const found = await blobs.find(ownerId, id, act.atMs);
    if (found === undefined) throw new ApiError("not_found");
    const changesReaders = change.visibility !== undefined || change.readers !== undefined;
    if (!changesReaders && !setsExpiry(change)) return found;
    const visibility = changesReaders
      ? changedVisibility(found.visibility, change, "file")
      : found.visibility;
    if (changesReaders) requireAllowed(visibility, "file");
    const next: Blob = { ...found, visibility, expiresAtMs: changedExpiry(found, change, act.atMs) };
    // Writes nothing if nothing changes, such as when a request is repeated. Writing the row again restarts a move that is stuck.
    if (isDeepStrictEqual(next, found) && !isStuck(found, act.atMs)) return found;
    if (!(await blobs.setAccess(found, next, act))) throw new RetryableError();
    return next;
  });
}

/** Time after which a move counts as stuck. Such a move has failed permanently, or was skipped while the account was suspended. */
const moveMsMax = 60_000;

function isStuck(file: Blob, nowMs: number): boolean {
  return !isInVisibilityFolder(file) && nowMs - (file.changedAtMs ?? 0) > moveMsMax;
}
