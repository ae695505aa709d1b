import type { Act } from "../platform/audit.ts";
import { type EntityTagCondition, requireMatch } from "../platform/conditions.ts";
import { ApiError } from "../platform/errors.ts";
import { hashPasscode } from "../platform/passcode.ts";
import { requireAllowed } from "../platform/visibility.ts";
import { type Drop, type DropChanges, hasChanges, withChanges, withGate } from "./drop.ts";
import { drops } from "./store.ts";

// What an owner does to a drop, by whichever way it is asked: the API's operations, and the owner's own pages.

/** A drop of an owner's, and what it has to be like. */
export interface OwnedDrop {
  readonly ownerId: string;
  readonly slug: string;
  /** @default - it may have changed in whatever way */
  readonly ifMatch: EntityTagCondition | undefined;
}

/**
 * Changes title, description, metadata or who may read it; no new version.
 *
 * @throws ApiError `not_found`, `precondition_failed`, and `invalid_arg` for readers or a visibility that cannot be
 */
export async function editOwnedDrop(
  { ownerId, slug, ifMatch }: OwnedDrop,
  changes: DropChanges,
  act: Act,
): Promise<Drop> {
  const found = await drops.find(ownerId, slug);
  if (found === undefined) throw new ApiError("not_found");
  if (!hasChanges(changes)) {
    requireMatch(ifMatch, found);
    return found;
  }
  const drop = await drops.change(found, act, (current) => {
    const changed = withChanges(current, changes, act.atMs);
    requireAllowed(changed.visibility);
    // RFC 9110, section 13.2.1: a precondition counts where the request would succeed without it.
    requireMatch(ifMatch, current);
    return { drop: changed };
  });
  if (drop === undefined) throw new ApiError("not_found");
  return drop;
}

/**
 * Locks it with a passcode, or unlocks it with the empty string.
 *
 * @throws ApiError `not_found`, `precondition_failed`
 */
export async function lockOwnedDrop(
  { ownerId, slug, ifMatch }: OwnedDrop,
  passcode: string,
  act: Act,
): Promise<Drop> {
  const found = await drops.find(ownerId, slug);
  if (found === undefined) throw new ApiError("not_found");
  requireMatch(ifMatch, found);
  const passcodeHash = passcode === "" ? null : await hashPasscode(passcode);
  const drop = await drops.change(found, act, (current) => {
    requireMatch(ifMatch, current);
    return { drop: withGate(current, passcodeHash, act.atMs) };
  });
  if (drop === undefined) throw new ApiError("not_found");
  return drop;
}

/** Races with other writers of the drop that one deletion stands. */
const attemptsMax = 30;

/**
 * Deletes it with all its versions; the slug is never issued again.
 *
 * @throws ApiError `not_found`, `precondition_failed`
 */
export async function deleteOwnedDrop({ ownerId, slug, ifMatch }: OwnedDrop, act: Act): Promise<void> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const drop = ifMatch === undefined ? undefined : await drops.find(ownerId, slug);
    if (drop !== undefined) requireMatch(ifMatch, drop);
    const outcome = await drops.remove(ownerId, slug, act, drop?.revision);
    switch (outcome) {
      case "removed":
        return;
      case "missing":
        throw new ApiError("not_found");
      case "raced":
        continue;
    }
  }
  throw new ApiError("unavailable", { retryAfterSeconds: 1 });
}
