import { ApiError, inBothWords } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import type { Act } from "../table/audit.ts";
import { auditWrite } from "../table/audit-trail.ts";
import { keys, ranges } from "../table/keys.ts";
import { isDropNotHeld, refuseHeld } from "../table/legal-hold.ts";
import { findByOwnershipPointer } from "../table/ownership-pointer.ts";
import { accountSuspended, isNotSuspended, isSuspended } from "../table/suspension.ts";
import { getItem, type Item, queryAll, retryConflicts } from "../table/table.ts";
import { getAtOnce, removeUnchanged, transact } from "../table/table-writes.ts";
import type { Drop, TrashedDrop, TrashReason } from "./drop.ts";
import { countPageBytes, manyWriters, toDrop, trashDays } from "./items.ts";
import { publicDrops } from "./public-drops.ts";

const dayMs = 86_400_000;

/** Stores deleted drops until they are purged. Their rows have separate keys, so that reads of drops do not find them. */
export const trash = {
  /**
   * Moves a drop to the trash and subtracts it from the account's count, but not its bytes, in one transaction. With `seenRevision`, moves
   * only a drop at this revision. A drop on legal hold is moved only when it expires.
   *
   * @throws ApiError `forbidden` if the drop is on legal hold
   */
  async put(
    ownerId: string,
    slug: string,
    act: Act,
    { reason, seenRevision }: { readonly reason: TrashReason; readonly seenRevision?: number | undefined },
  ): Promise<"removed" | "missing" | "raced"> {
    return retryConflicts(async () => {
      const row = await getItem(keys.drop(ownerId, slug));
      if (row === undefined) return "missing";
      if (seenRevision !== undefined && row.revision !== seenRevision) return "raced";
      // Counts the bytes after reading the row. If a version is added or deleted later, the row's revision changes and the write fails.
      const trashedBytes = await countPageBytes(slug);
      const stay = { reason, trashedAtMs: act.atMs, purgeAtMs: act.atMs + trashDays() * dayMs, trashedBytes };
      const revision = (row.revision as number) + 1;
      const counted = { ":minusOne": -1, ":bytes": trashedBytes, ":one": 1 };
      const outcome = await transact({
        drop: removeUnchanged(keys.drop(ownerId, slug), row.revision),
        trashed: { put: { ...row, ...keys.trashedDrop(ownerId, slug), revision, ...stay } },
        account: {
          key: keys.account(ownerId),
          update: "ADD dropCount :minusOne, trashBytes :bytes, countsRevision :one",
          ...(reason === "expired"
            ? { condition: "attribute_exists(pk)", values: counted }
            : {
                condition: `attribute_exists(pk) AND ${isDropNotHeld}`,
                values: { ...counted, ":slug": slug },
              }),
        },
        line: auditWrite(act, { ownerId, slug }),
      });
      if (outcome.committed) return "removed";
      if (reason === "deleted") refuseHeld(outcome.failed.get("account"), slug);
      // The account was deleted, and its drops are deleted with it.
      if (outcome.failed.has("account")) return "missing";
      throw manyWriters();
    });
  },

  async find(ownerId: string, slug: string): Promise<TrashedDrop | undefined> {
    return (await findRows(ownerId, slug)).map(toTrashedDrop)[0];
  },

  /** Lists the drops in an account's trash, last deleted first. */
  async list(ownerId: string): Promise<TrashedDrop[]> {
    const rows = await queryAll(ranges.trashedDrops(ownerId), { attributes: listedAttributes });
    return rows.map(toTrashedDrop).sort((one, other) => other.deletedAtMs - one.deletedAtMs);
  },

  /**
   * Restores a drop from the trash with the expiry from `expiryOf`, in one transaction. Returns undefined if the drop is not in the trash.
   *
   * @throws ApiError `not_found` if the latest version is gone, `quota_exceeded`, or `forbidden` if the account was suspended
   */
  async restore(
    ownerId: string,
    slug: string,
    act: Act,
    expiryOf: (drop: Drop) => number | undefined,
  ): Promise<Drop | undefined> {
    return retryConflicts(async () => {
      const [row] = await findRows(ownerId, slug);
      if (row === undefined) return undefined;
      const { reason: _, trashedAtMs: __, purgeAtMs: ___, trashedBytes, ...kept } = row;
      const expiresAtMs = expiryOf(toDrop(row, undefined));
      const restored = {
        ...kept,
        ...keys.drop(ownerId, slug),
        revision: (row.revision as number) + 1,
        expiresAtMs,
        sharedAtMs: act.atMs,
      };
      const outcome = await transact({
        trashed: removeUnchanged(keys.trashedDrop(ownerId, slug), row.revision),
        drop: { put: restored, condition: "attribute_not_exists(pk)" },
        account: {
          key: keys.account(ownerId),
          // The restored drop can be found by its tags again. Concurrent upserts must detect this.
          update: "ADD dropCount :one, trashBytes :minusBytes, countsRevision :one, dropSetRevision :one",
          condition: `dropCount < :max AND attribute_not_exists(deletingAtMs) AND ${isNotSuspended}`,
          values: {
            ":one": 1,
            ":minusBytes": -(trashedBytes as number),
            ":max": limits.dropsPerAccountMax,
          },
        },
        version: {
          check: keys.version(slug, row.latestVersion as number),
          condition: "attribute_exists(pk)",
        },
        line: auditWrite(act, { ownerId, slug }),
      });
      if (outcome.committed) return toDrop(restored, await getItem(keys.views(ownerId, slug)));
      if (outcome.failed.has("trashed") || outcome.failed.has("drop")) throw manyWriters();
      if (outcome.failed.has("version")) throw versionGone(row.latestVersion as number);
      if (isSuspended(outcome.failed.get("account"))) throw accountSuspended();
      throw new ApiError("quota_exceeded", {
        message: `The account has reached the limit of ${limits.dropsPerAccountMax} drops, and the drop stays in the trash. Delete one first.`,
        details: { drops_max: limits.dropsPerAccountMax },
      });
    });
  },

  /**
   * Purges a drop in the trash and subtracts its bytes, in one transaction. With `purgeAtMs`, purges only a drop with this purge time.
   * Stream listeners remove the drop's other data. Returns false if no drop was purged. @throws ApiError `forbidden` on legal hold
   */
  async purge(ownerId: string, slug: string, act: Act, purgeAtMs?: number): Promise<boolean> {
    return retryConflicts(async () => {
      const [row] = await findRows(ownerId, slug);
      if (row === undefined || (purgeAtMs !== undefined && row.purgeAtMs !== purgeAtMs)) return false;
      const outcome = await transact({
        trashed: removeUnchanged(keys.trashedDrop(ownerId, slug), row.revision),
        views: { remove: keys.views(ownerId, slug) },
        account: {
          key: keys.account(ownerId),
          update: "ADD pageBytes :minusBytes, trashBytes :minusBytes, countsRevision :one",
          condition: `attribute_exists(pk) AND ${isDropNotHeld}`,
          values: { ":minusBytes": -(row.trashedBytes as number), ":one": 1, ":slug": slug },
        },
        line: auditWrite(act, { ownerId, slug }),
      });
      if (outcome.committed) return true;
      refuseHeld(outcome.failed.get("account"), slug);
      throw manyWriters();
    });
  },
};

/** Finds the owner of a drop that exists or is in the trash. Reads both rows in one transaction, because a drop may move between them. */
export async function findKeptDrop(
  slug: string,
): Promise<{ readonly ownerId: string; readonly isTrashed: boolean } | undefined> {
  const again = () => publicDrops.findPointer(slug);
  const kept = await findByOwnershipPointer(await again(), {
    again,
    at: async ({ ownerId }) => {
      const [drop, trashed] = await getAtOnce([keys.drop(ownerId, slug), keys.trashedDrop(ownerId, slug)]);
      return drop || trashed ? { ownerId, isTrashed: drop === undefined } : undefined;
    },
  });
  return kept?.found;
}

/** Creates the error for a missing drop. If the drop is in the trash, the message says how to restore it. */
export async function dropNotFound(ownerId: string, slug: string): Promise<ApiError> {
  const found = await trash.find(ownerId, slug);
  if (found === undefined) return new ApiError("not_found");
  const until = new Date(found.purgeAtMs).toISOString();
  const undelete = `POST /api/drops/${slug}/undelete`;
  const purge = ` To delete it for good, use DELETE /api/trash/${slug}.`;
  return new ApiError("not_found", {
    message: inBothWords(
      (call) =>
        `The drop is in the trash until ${until}. To bring it back, use ${call(undelete, "undelete_drop")}.${call(purge, "")}`,
    ),
    details: { purged_at: found.purgeAtMs },
  });
}

function versionGone(version: number): ApiError {
  return new ApiError("not_found", {
    message: `The drop cannot be brought back: its version ${version} no longer exists. The drop stays in the trash. Ask the operator to restore it from a backup, or delete it for good.`,
  });
}

const listedAttributes = ["slug", "title", "reason", "trashedAtMs", "purgeAtMs", "trashedBytes"] as const;

function findRows(ownerId: string, slug: string): Promise<Item[]> {
  return queryAll(ranges.trashedDrop(ownerId, slug));
}

function toTrashedDrop(item: Item): TrashedDrop {
  return {
    slug: item.slug as string,
    title: item.title as string,
    reason: item.reason as TrashReason,
    deletedAtMs: item.trashedAtMs as number,
    purgeAtMs: item.purgeAtMs as number,
    pageBytes: item.trashedBytes as number,
  };
}
