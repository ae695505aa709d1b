import { ApiError } from "../core/errors.ts";
import type { Act } from "../table/audit.ts";
import { auditWrite } from "../table/audit-trail.ts";
import { keys, ranges } from "../table/keys.ts";
import { isDropNotHeld, isHeld, onLegalHold } from "../table/legal-hold.ts";
import { queryAll, RetryableError, retryConflicts } from "../table/table.ts";
import { type TransactionWrite, transact } from "../table/table-writes.ts";
import { type Drop, storedBytesOf, toLatest, type Version } from "./drop.ts";
import { manyWriters, toVersion } from "./items.ts";
import { publicDrops } from "./public-drops.ts";
import { drops } from "./store.ts";

/**
 * Deletes a version of an owner's drop, but never the only version. The highest remaining version becomes the latest.
 *
 * @throws ApiError `not_found`, `last_version_cannot_be_deleted`, `forbidden` if the drop is on legal hold
 */
export async function deleteOwnedVersion(
  { ownerId, slug, version }: { readonly ownerId: string; readonly slug: string; readonly version: number },
  act: Act,
): Promise<void> {
  return retryConflicts(async () => {
    const drop = await drops.require({ ownerId, slug }, act.atMs);
    const outcome = await removeVersion(drop, version, act);
    switch (outcome) {
      case "removed":
        return;
      case "missing":
        throw new ApiError("not_found");
      case "last":
        throw new ApiError("last_version_cannot_be_deleted");
      case "held":
        throw onLegalHold();
      case "raced":
        throw new RetryableError();
    }
  });
}

type RemovalOutcome = "removed" | "missing" | "last" | "held" | "raced";

/** Deletes a version. Returns `raced` if the drop was changed or transferred since it was read. */
async function removeVersion(drop: Drop, version: number, act: Act): Promise<RemovalOutcome> {
  const highest = await queryAll(ranges.versions(drop.slug), { descending: true, limit: 2 });
  const newest = highest.map(toVersion);
  const remaining = newest.find((candidate) => candidate.version !== version);
  if (drop.versionCount <= 1) return drop.latest.version === version ? "last" : "missing";
  if (remaining === undefined) return "raced";
  const removed =
    newest.find((candidate) => candidate.version === version) ??
    (await publicDrops.findVersion(drop.slug, version));
  if (removed === undefined) return "missing";
  const latest = drop.latest.version === version ? toLatest(remaining) : undefined;
  return commitRemoval(drop, [removed], act, {
    update: `SET updatedAtMs = :now${latest ? latestUpdate(latest) : ""}`,
    values: {
      ":now": act.atMs,
      ...(latest && {
        ":version": latest.version,
        ":pageKey": latest.pageKey,
        ":hasContext": latest.hasContext,
        ...(latest.folder && { ":folder": latest.folder }),
      }),
    },
    added: "",
  });
}

/** Part of an update expression that makes another version the latest. */
export function latestUpdate({ folder }: Pick<Drop["latest"], "folder">): string {
  const set = ", latestVersion = :version, latestPageKey = :pageKey, latestHasContext = :hasContext";
  return folder === undefined ? `${set} REMOVE latestFolder` : `${set}, latestFolder = :folder`;
}

/** Maximum number of versions that one transaction removes. Each version takes two of the 100 writes of a transaction. */
const removedAtOnceMax = 40;

/** Selects the versions that retention removes, oldest first: all except the newest `keep`. The given versions must be sorted latest first. */
export function chooseSurplus(versions: readonly Version[], keep: number): Version[] {
  return versions.slice(keep).reverse();
}

/**
 * Deletes and returns all but the newest versions of a drop, unless it is on legal hold. The drop's entity tag and time of last change
 * stay, because the owner has changed nothing.
 */
export async function removeSurplus(slug: string, keep: number, act: Act): Promise<Version[]> {
  const removed: Version[] = [];
  for (;;) {
    const some = await retryConflicts(() => removeSome(slug, keep, act));
    if (some.length === 0) return removed;
    removed.push(...some);
  }
}

async function removeSome(slug: string, keep: number, act: Act): Promise<Version[]> {
  // Reads the drop before its versions. If a version is added or deleted in the meantime, the drop's revision changes and the write fails.
  const drop = await publicDrops.findBySlug(slug);
  if (drop === undefined || drop.versionCount <= keep) return [];
  const surplus = chooseSurplus(await publicDrops.listVersions(slug), keep).slice(0, removedAtOnceMax);
  if (surplus.length === 0) return [];
  const outcome = await commitRemoval(drop, surplus, act, {
    update: "",
    values: {},
    added: ", quietRevisions :one",
  });
  if (outcome === "held") return [];
  if (outcome !== "removed") throw manyWriters();
  return surplus;
}

/** Changes to the drop's row, besides its version count and revision. */
interface DropUpdate {
  readonly update: string;
  readonly values: Readonly<Record<string, unknown>>;
  readonly added: string;
}

/** Deletes versions and updates the drop's version count, the account's page bytes and the audit trail, in one transaction. */
async function commitRemoval(
  drop: Drop,
  versions: readonly Version[],
  act: Act,
  { update, values, added }: DropUpdate,
): Promise<"removed" | "missing" | "held" | "raced"> {
  const { ownerId, slug } = drop;
  const bytes = versions.reduce((sum, version) => sum + storedBytesOf(version), 0);
  const removals = versions.flatMap(({ version }): TransactionWrite[] => [
    { remove: keys.version(slug, version), condition: "attribute_exists(pk)" },
    auditWrite(act, { ownerId, slug, version }),
  ]);
  const outcome = await transact({
    drop: {
      key: keys.drop(ownerId, slug),
      update: `${update} ADD versionCount :minus, revision :one${added}`,
      condition: "revision = :seen",
      values: { ":minus": -versions.length, ":one": 1, ":seen": drop.revision, ...values },
    },
    account: {
      key: keys.account(ownerId),
      update: "ADD pageBytes :minusBytes, countsRevision :one",
      condition: `attribute_exists(pk) AND ${isDropNotHeld}`,
      values: { ":minusBytes": -bytes, ":one": 1, ":slug": slug },
    },
    removals,
  });
  if (outcome.committed) return "removed";
  if (isHeld(outcome.failed.get("account"), slug)) return "held";
  return outcome.failed.has("drop") ? "raced" : "missing";
}
