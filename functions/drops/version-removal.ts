import type { Act } from "../platform/audit.ts";
import { auditWrite } from "../platform/audit-trail.ts";
import { ApiError } from "../platform/errors.ts";
import { keys, ranges } from "../platform/keys.ts";
import { queryAll } from "../platform/table.ts";
import { type TransactionWrite, transact } from "../platform/table-writes.ts";
import { type Drop, storedBytesOf, toLatest, type Version } from "./drop.ts";
import { toVersion } from "./items.ts";
import { served } from "./served.ts";
import { drops } from "./store.ts";

/** Races with other writers of the drop that one deletion stands. */
const removalAttemptsMax = 30;

/**
 * Deletes a version of an owner's drop, never the last one; the latest falls back to the highest that remains.
 *
 * @throws ApiError `not_found`, `last_version_cannot_be_deleted`
 */
export async function deleteOwnedVersion(
  { ownerId, slug, version }: { readonly ownerId: string; readonly slug: string; readonly version: number },
  act: Act,
): Promise<void> {
  for (let attempt = 0; attempt < removalAttemptsMax; attempt += 1) {
    const drop = await drops.find(ownerId, slug);
    if (drop === undefined) throw new ApiError("not_found");
    const outcome = await versionRemoval.remove(drop, version, act);
    switch (outcome) {
      case "removed":
        return;
      case "missing":
        throw new ApiError("not_found");
      case "last":
        throw new ApiError("last_version_cannot_be_deleted");
      case "raced":
        continue;
    }
  }
  throw new ApiError("unavailable", { retryAfterSeconds: 1 });
}

/** What deleting a version came to. */
type RemoveVersionOutcome = "removed" | "missing" | "last" | "raced";

/** Removal of versions. They lie beside the slug, not the owner: who asks must have found the drop first. */
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
      (await served.findVersion(drop.slug, version));
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
