import { setTimeout as sleep } from "node:timers/promises";
import { ApiError } from "../contract/api-error.ts";
import { limits } from "../contract/limits.ts";
import type { Drop, DropChanges, Version } from "../domain/drop.ts";
import { metadataText, toDrop, toDropItem, toDrops, toVersionItem } from "./drop-items.ts";
import { keys, ranges } from "./keys.ts";
import { type Item, queryAll } from "./table.ts";
import { type TransactionWrite, transact } from "./transaction.ts";
import { updateItem } from "./update.ts";

/** Races with other writers of the same drop that one write stands before it gives up; a loser waits in between. */
const attemptsMax = 60;
const waitMsMax = 100;

/** Drops, by owner and slug: another owner's drop is not found. */
export const drops = {
  /**
   * Adds a drop with its first version and counts it, in one transaction. False where the slug was ever issued.
   *
   * @throws ApiError `quota_exceeded` when the account has 500 drops.
   */
  async insert(drop: Drop, version: Version): Promise<boolean> {
    const { ownerId, namespace, slug } = drop;
    const condition = "attribute_not_exists(pk)";
    const outcome = await transact([
      { put: { ...keys.pointer(slug), ownerId, namespace }, condition },
      { put: toDropItem(drop), condition },
      { put: toVersionItem(version) },
      {
        key: keys.account(ownerId),
        update: "ADD dropCount :one, countsRevision :one",
        condition: "dropCount < :max AND attribute_not_exists(deletingAtMs)",
        values: { ":one": 1, ":max": limits.dropsPerAccountMax },
      },
    ]);
    if (outcome.committed) return true;
    if (!outcome.failed.has(3)) return false;
    throw new ApiError("quota_exceeded", {
      message: `The account has ${limits.dropsPerAccountMax} drops, the most there can be. Delete one first.`,
      details: { drops_max: limits.dropsPerAccountMax },
      retryAfterSeconds: limits.quotaRetryAfterSeconds,
    });
  },

  /** The drop with its view count. */
  async find(ownerId: string, slug: string): Promise<Drop | undefined> {
    return toDrops(await queryAll(ranges.drop(ownerId, slug)))[0];
  },

  /** Every drop of an account, in no order that means anything. */
  async list(ownerId: string): Promise<Drop[]> {
    return toDrops(await queryAll(ranges.drops(ownerId)));
  },

  /** Stores the given fields; undefined where the drop is not there. */
  async edit(ownerId: string, slug: string, changes: DropChanges, nowMs: number): Promise<Drop | undefined> {
    const sets = Object.entries({
      title: changes.title,
      description: changes.description,
      metadata: changes.metadata && metadataText(changes.metadata),
      updatedAtMs: nowMs,
    }).filter(([, value]) => value !== undefined);
    return updateDrop(ownerId, slug, {
      update: `SET ${sets.map(([name]) => `${name} = :${name}`).join(", ")} ADD revision :one`,
      values: { ":one": 1, ...Object.fromEntries(sets.map(([name, value]) => [`:${name}`, value])) },
    });
  },

  /** Locks the drop with a passcode's hash, or opens it with null; either ends the cookies given before. */
  async setGate(
    ownerId: string,
    slug: string,
    passcodeHash: string | null,
    nowMs: number,
  ): Promise<Drop | undefined> {
    const count = "ADD gateEpoch :one, revision :one";
    const values = { ":now": nowMs, ":one": 1 };
    return passcodeHash === null
      ? updateDrop(ownerId, slug, { update: `SET updatedAtMs = :now REMOVE passcodeHash ${count}`, values })
      : updateDrop(ownerId, slug, {
          update: `SET updatedAtMs = :now, passcodeHash = :hash ${count}`,
          values: { ...values, ":hash": passcodeHash },
        });
  },

  /** Deletes the drop and counts it off, in one transaction; false where it is not there. Its slug stays taken. */
  async remove(ownerId: string, slug: string): Promise<boolean> {
    const outcome = await transact([
      { remove: keys.drop(ownerId, slug), condition: "attribute_exists(pk)" },
      { remove: keys.views(ownerId, slug) },
      {
        key: keys.account(ownerId),
        update: "ADD dropCount :minusOne, countsRevision :one",
        condition: "attribute_exists(pk)",
        values: { ":minusOne": -1, ":one": 1 },
      },
    ]);
    return outcome.committed;
  },

  /**
   * Stores the version that `next` makes of the drop as it is, and the drop after it, in one transaction. `next` runs
   * again when another writer was faster; it throws to refuse. Undefined where the drop is not there.
   */
  async addVersion(
    found: Drop,
    next: (drop: Drop) => { readonly drop: Drop; readonly version: Version },
  ): Promise<Drop | undefined> {
    let current: Drop | undefined = found;
    for (let attempt = 0; current !== undefined && attempt < attemptsMax; attempt += 1) {
      if (attempt > 0) await sleep(Math.random() * Math.min(waitMsMax, 5 * 2 ** attempt));
      const { drop, version } = next(current);
      const outcome = await transact(versionWrites(current, drop, version));
      if (outcome.committed) return drop;
      const item: Item | undefined = outcome.failed.get(0);
      current = item && { ...toDrop(item, undefined), viewCount: found.viewCount };
    }
    if (current === undefined) return undefined;
    throw new ApiError("unavailable", {
      message: "Many writers are changing this drop at once. Try again.",
      retryAfterSeconds: 1,
    });
  },
};

/** One update of a drop that must be there, with its view count read beside it. */
async function updateDrop(
  ownerId: string,
  slug: string,
  change: { readonly update: string; readonly values: Record<string, unknown> },
): Promise<Drop | undefined> {
  const [outcome, items] = await Promise.all([
    updateItem({ key: keys.drop(ownerId, slug), condition: "attribute_exists(pk)", ...change }),
    queryAll(ranges.drop(ownerId, slug)),
  ]);
  if (!outcome.updated) return undefined;
  return toDrop(
    outcome.item,
    items.find((item) => item.slug === undefined),
  );
}

function versionWrites(before: Drop, after: Drop, version: Version): TransactionWrite[] {
  return [
    {
      key: keys.drop(after.ownerId, after.slug),
      update:
        "SET title = :title, description = :description, metadata = :metadata, latestVersion = :version, " +
        "latestPageKey = :pageKey, latestHasContext = :hasContext, nextVersion = :next, updatedAtMs = :now, " +
        "revision = :revision ADD versionCount :one",
      // Any write in between raises the revision: nothing that it stored is undone here.
      condition: "revision = :seen",
      values: {
        ":title": after.title,
        ":description": after.description,
        ":metadata": metadataText(after.metadata),
        ":version": version.version,
        ":pageKey": version.pageKey,
        ":hasContext": version.hasContext,
        ":next": after.nextVersion,
        ":now": after.updatedAtMs,
        ":revision": after.revision,
        ":one": 1,
        ":seen": before.revision,
      },
    },
    { put: toVersionItem(version) },
  ];
}
