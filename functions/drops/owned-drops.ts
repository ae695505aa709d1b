import { ApiError } from "../http/errors.ts";
import { hashPasscode } from "../http/passcode.ts";
import { type EntityTagCondition, requireMatch } from "../http/response.ts";
import { requireAllowed } from "../identity/visibility.ts";
import type { Act } from "../table/audit.ts";
import { auditWrite } from "../table/audit-trail.ts";
import { keys, ranges } from "../table/keys.ts";
import { getItem, queryAll, RetryableError, retryConflicts } from "../table/table.ts";
import { type TransactionWrite, transact } from "../table/table-writes.ts";
import {
  type Drop,
  type DropChanges,
  hasChanges,
  isLocked,
  storedBytesOf,
  toLatest,
  type Version,
  withChanges,
  withGate,
} from "./drop.ts";
import { toVersion } from "./items.ts";
import { publicDrops } from "./public-drops.ts";
import { drops } from "./store.ts";

/** Counts a drop's open threads for its owner, with one small read. The item does not exist before the first thread. */
export async function countOpenFeedback(slug: string): Promise<number> {
  return ((await getItem(keys.feedback(slug)))?.openCount ?? 0) as number;
}

// What an owner does to a drop, by whichever way it is asked: the API's operations, and the owner's own pages.

/** A drop of an owner's, and what it has to be like. */
export interface OwnedDrop {
  readonly ownerId: string;
  readonly slug: string;
  /** @default - it may have changed in whatever way */
  readonly ifMatch: EntityTagCondition | undefined;
}

/**
 * Changes title, description, metadata, who may read it or when it expires; no new version.
 *
 * @throws ApiError `not_found`, `precondition_failed`, and `invalid_arg` for readers, a visibility or an expiry that cannot be
 */
export async function editOwnedDrop(
  { ownerId, slug, ifMatch }: OwnedDrop,
  changes: DropChanges,
  act: Act,
): Promise<Drop> {
  const found = await drops.require({ ownerId, slug }, act.atMs, changes);
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
  const found = await drops.require({ ownerId, slug }, act.atMs);
  requireMatch(ifMatch, found);
  const passcodeHash = passcode === "" ? null : await hashPasscode(passcode);
  const drop = await drops.change(found, act, (current) => {
    requireMatch(ifMatch, current);
    return { drop: withGate(current, passcodeHash, act.atMs) };
  });
  if (drop === undefined) throw new ApiError("not_found");
  return drop;
}

/**
 * Changes who may read it, and locks it with a passcode or unlocks it with the empty string, in one write. A locked drop is not indexed,
 * whatever the change says.
 *
 * @throws ApiError `not_found`, `precondition_failed`, and `invalid_arg` for readers or a visibility that cannot be
 */
export async function shareOwnedDrop(
  { ownerId, slug, ifMatch }: OwnedDrop,
  { passcode, ...changes }: DropChanges & { readonly passcode: string | undefined },
  act: Act,
): Promise<Drop> {
  const found = await drops.require({ ownerId, slug }, act.atMs, changes);
  const passcodeHash = passcode ? await hashPasscode(passcode) : null;
  const drop = await drops.change(found, act, (current) => {
    const isKept = passcode === undefined || (passcode === "" && !isLocked(current));
    const locked = isKept ? current : withGate(current, passcodeHash, act.atMs);
    const asked = isLocked(locked) ? { ...changes, indexed: false } : changes;
    const changed = { ...withChanges(locked, asked, act.atMs), revision: current.revision + 1 };
    requireAllowed(changed.visibility);
    requireMatch(ifMatch, current);
    return { drop: changed };
  });
  if (drop === undefined) throw new ApiError("not_found");
  return drop;
}

/**
 * Deletes it with all its versions, expired or not; the slug is never issued again.
 *
 * @throws ApiError `not_found`, `precondition_failed`
 */
export async function deleteOwnedDrop({ ownerId, slug, ifMatch }: OwnedDrop, act: Act): Promise<void> {
  return retryConflicts(async () => {
    const drop = ifMatch === undefined ? undefined : await drops.find(ownerId, slug);
    if (drop !== undefined) requireMatch(ifMatch, drop);
    const outcome = await drops.remove(ownerId, slug, act, drop?.revision);
    switch (outcome) {
      case "removed":
        return;
      case "missing":
        throw new ApiError("not_found");
      case "raced":
        throw new RetryableError();
    }
  });
}

/**
 * Deletes a version of an owner's drop, never the last one; the latest falls back to the highest that remains.
 *
 * @throws ApiError `not_found`, `last_version_cannot_be_deleted`
 */
export async function deleteOwnedVersion(
  { ownerId, slug, version }: { readonly ownerId: string; readonly slug: string; readonly version: number },
  act: Act,
): Promise<void> {
  return retryConflicts(async () => {
    const drop = await drops.require({ ownerId, slug }, act.atMs);
    const outcome = await versionRemoval.remove(drop, version, act);
    switch (outcome) {
      case "removed":
        return;
      case "missing":
        throw new ApiError("not_found");
      case "last":
        throw new ApiError("last_version_cannot_be_deleted");
      case "raced":
        throw new RetryableError();
    }
  });
}

/** Outcome of deleting a version. */
type RemoveVersionOutcome = "removed" | "missing" | "last" | "raced";

/** Removes versions. Their keys have the slug and no owner, so the caller must have found the drop first. */
const versionRemoval = {
  /**
   * Deletes a version of the drop as it was found, in one transaction with the account's bytes, the drop's count and its
   * latest version, which falls back to the highest that remains. `raced` when the drop has changed since it was found.
   */
  async remove(drop: Drop, version: number, act: Act): Promise<RemoveVersionOutcome> {
    const highest = await queryAll(ranges.versions(drop.slug), { descending: true, limit: 2 });
    const newest = highest.map(toVersion);
    const remaining = newest.find((candidate) => candidate.version !== version);
    if (drop.versionCount <= 1) return drop.latest.version === version ? "last" : "missing";
    if (remaining === undefined) return "raced";
    const removed =
      newest.find((candidate) => candidate.version === version) ??
      (await publicDrops.findVersion(drop.slug, version));
    if (removed === undefined) return "missing";
    const isLatest = drop.latest.version === version;
    const outcome = await transact([
      { remove: keys.version(drop.slug, version), condition: "attribute_exists(pk)" },
      dropUpdate(drop, isLatest ? remaining : undefined, act.atMs),
      {
        key: keys.account(drop.ownerId),
        update: "ADD pageBytes :minusBytes, countsRevision :one",
        condition: "attribute_exists(pk)",
        values: { ":minusBytes": -storedBytesOf(removed), ":one": 1 },
      },
      auditWrite(act, { ownerId: drop.ownerId, slug: drop.slug, version }),
    ]);
    if (outcome.committed) return "removed";
    return outcome.failed.has(1) ? "raced" : "missing";
  },
};

/** The drop loses one version; the revision says that nothing has happened to it since it was found. */
function dropUpdate(drop: Drop, fallback: Version | undefined, nowMs: number): TransactionWrite {
  const latest = fallback && toLatest(fallback);
  const latestSet = latest
    ? ", latestVersion = :version, latestPageKey = :pageKey, latestHasContext = :hasContext"
    : "";
  const latestValues = latest
    ? { ":version": latest.version, ":pageKey": latest.pageKey, ":hasContext": latest.hasContext }
    : {};
  return {
    key: keys.drop(drop.ownerId, drop.slug),
    update: `SET updatedAtMs = :now${latestSet} ADD versionCount :minusOne, revision :one`,
    condition: "revision = :seen",
    values: { ":now": nowMs, ":minusOne": -1, ":one": 1, ":seen": drop.revision, ...latestValues },
  };
}
