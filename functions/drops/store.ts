import { ApiError, inBothWords } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import { folderHostId } from "../http/folder-host.ts";
import type { Metadata } from "../http/query.ts";
import { canChange, isExpiredRow } from "../policies/access.ts";
import type { Act } from "../table/audit.ts";
import { auditWrite, type StoredResponse, transactOnce } from "../table/audit-trail.ts";
import { keys, ranges } from "../table/keys.ts";
import { isDropNotHeld, refuseHeld } from "../table/legal-hold.ts";
import { accountSuspended, isNotSuspended, isSuspended } from "../table/suspension.ts";
import { getItem, type Item, queryAll, queryRaw, retryConflicts } from "../table/table.ts";
import { isUnchanged, removeUnchanged, type TransactionWrite, transact } from "../table/table-writes.ts";
import {
  type AppliedChange,
  type ChangedDrop,
  type Drop,
  type DropChanges,
  storedBytesOf,
  type Version,
  withSharingTime,
} from "./drop.ts";
import { setsExpiry } from "./drop-access.ts";
import {
  countPageBytes,
  type DropRow,
  hasPageQuota,
  lacksPageQuota,
  listedAttributes,
  manyWriters,
  metadataText,
  pageQuotaExceeded,
  quotaValues,
  toDrop,
  toDropItem,
  toDropRows,
  toDrops,
  toTaggedDrops,
  toVersionItem,
} from "./items.ts";
import { dropNotFound } from "./trash-store.ts";

interface InsertionOptions {
  /** @default - none */
  readonly kept?: StoredResponse | undefined;
  /** Requires that the account's drops have not changed since this revision. @default - no requirement */
  readonly seen?: { readonly set: DropSetRevision };
}

/** Stores drops by owner and slug. Another owner's drop is not found. */
export const drops = {
  /**
   * Adds a drop with its first version and updates the account's counts, in one transaction. Returns false if the slug was issued before.
   *
   * @throws ApiError `quota_exceeded`, or `forbidden` if the account was suspended; ResponseStoredError
   */
  async insert(drop: Drop, version: Version, act: Act, kept?: StoredResponse): Promise<boolean> {
    return (await drops.tryInsert(drop, version, act, { kept })) === "inserted";
  },

  /** Adds a drop like `insert`. Returns `set-changed` if the account's drops have changed since the revision `seen`. */
  async tryInsert(
    drop: Drop,
    version: Version,
    act: Act,
    { kept, seen }: InsertionOptions,
  ): Promise<"inserted" | "slug-taken" | "set-changed"> {
    const writes = insertionWrites(drop, version, seen);
    const subject = { ownerId: drop.ownerId, slug: drop.slug, version: version.version };
    const outcome = await transactOnce(writes, { act, subject, kept });
    if (outcome.committed) return "inserted";
    const account = outcome.failed.get("account");
    if (isSuspended(account)) throw accountSuspended();
    if (seen !== undefined && account !== undefined && account.dropSetRevision !== seen.set)
      return "set-changed";
    if (!outcome.failed.has("account")) return "slug-taken";
    if (lacksPageQuota(account, storedBytesOf(version)))
      throw pageQuotaExceeded(storedBytesOf(version), account);
    throw new ApiError("quota_exceeded", {
      message: `The account has reached the limit of ${limits.dropsPerAccountMax} drops. Delete one first.`,
      details: { drops_max: limits.dropsPerAccountMax },
    });
  },

  /** Finds a drop with its view count. Expired drops are found only by changes that set a new expiry. @throws ApiError `not_found` */
  async require(
    { ownerId, slug }: Pick<Drop, "ownerId" | "slug">,
    nowMs: number,
    changes: DropChanges = {},
  ): Promise<Drop> {
    const drop = await drops.find(ownerId, slug);
    if (drop === undefined) throw await dropNotFound(ownerId, slug);
    if (canChange(drop, ownerId, nowMs) || setsExpiry(changes)) return drop;
    throw new ApiError("not_found", {
      message: inBothWords(
        (call) =>
          `The drop expired at ${new Date(drop.expiresAtMs ?? nowMs).toISOString()}. To bring it back, use ${call(`PATCH /api/drops/${slug}`, "edit_drop")} with "expires_in_days", or with "expires_at": null. ${call("DELETE", "delete_drop")} removes it.`,
      ),
      details: { expires_at: drop.expiresAtMs },
    });
  },

  /** Finds a drop with its view count, expired or not. */
  async find(ownerId: string, slug: string): Promise<Drop | undefined> {
    return toDrops(await queryAll(ranges.drop(ownerId, slug)))[0];
  },

  async list(ownerId: string): Promise<Drop[]> {
    return toDrops(await queryAll(ranges.drops(ownerId)));
  },

  /** Lists the rows of an account's drops, except expired drops, with the attributes in `listedAttributes`. */
  async listRows(ownerId: string, nowMs: number): Promise<DropRow[]> {
    const rows = await queryRaw(ranges.drops(ownerId), { attributes: listedAttributes });
    return toDropRows(rows).filter(({ drop }) => !isExpiredRow(drop, nowMs));
  },

  /** Lists the drops that have all of the given tags and have not expired. */
  async listTagged(ownerId: string, tags: Metadata, nowMs: number): Promise<Drop[]> {
    return toTaggedDrops(await queryRaw(ranges.drops(ownerId)), tags, nowMs);
  },

  /** Reads the revision for `tryInsert`. Call this before you list the drops that the insertion depends on. */
  async findSetRevision(ownerId: string): Promise<DropSetRevision> {
    return (await getItem(keys.account(ownerId)))?.dropSetRevision as DropSetRevision;
  },

  /**
   * Deletes a drop and subtracts it and its page bytes from the account's counts, in one transaction. With `seenRevision`, deletes only a
   * drop at this revision.
   *
   * @throws ApiError `forbidden` if the drop is on legal hold
   */
  async remove(
    ownerId: string,
    slug: string,
    act: Act,
    seenRevision?: number,
  ): Promise<"removed" | "missing" | "raced"> {
    return retryConflicts(async () => {
      const revision = seenRevision ?? (await getItem(keys.drop(ownerId, slug)))?.revision;
      if (revision === undefined) return "missing";
      // Counts the bytes after reading the revision. If a version is added or deleted later, the revision changes and the write fails.
      const pageBytes = await countPageBytes(slug);
      const outcome = await transact({
        drop: removeUnchanged(keys.drop(ownerId, slug), revision as number),
        views: { remove: keys.views(ownerId, slug) },
        account: {
          key: keys.account(ownerId),
          update: "ADD dropCount :minusOne, pageBytes :minusBytes, countsRevision :one",
          condition: `attribute_exists(pk) AND ${isDropNotHeld}`,
          values: { ":minusOne": -1, ":minusBytes": -pageBytes, ":one": 1, ":slug": slug },
        },
        line: auditWrite(act, { ownerId, slug }),
      });
      if (outcome.committed) return "removed";
      refuseHeld(outcome.failed.get("account"), slug);
      if (outcome.failed.get("drop") === undefined) return "missing";
      if (seenRevision !== undefined) return "raced";
      throw manyWriters();
    });
  },

  /**
   * Stores the drop that `next` returns, and the response that `keep` returns, in one transaction. `next` runs again after a write
   * conflict, and throws to refuse the change. Returns undefined if the drop is missing, `next` returns undefined, or a further write
   * fails.
   *
   * @throws ApiError `quota_exceeded`, or `forbidden` if a version is added and the account was suspended; ResponseStoredError
   */
  async change(
    found: Drop,
    act: Act,
    next: (drop: Drop) => ChangedDrop | undefined,
    keep: (applied: AppliedChange) => StoredResponse | undefined = () => undefined,
  ): Promise<AppliedChange | undefined> {
    let current: Drop | undefined = found;
    return retryConflicts(async () => {
      if (current === undefined) return undefined;
      const proposed = next(current);
      if (proposed === undefined) return undefined;
      const changed = { ...proposed, drop: withSharingTime(current, proposed.drop, act.atMs) };
      const { ownerId, slug } = changed.drop;
      const subject = { ownerId, slug, version: changed.version?.version };
      const applied = { drop: changed.drop, before: current };
      const kept = keep(applied);
      const outcome = await transactOnce(changeWrites(current, changed), { act, subject, kept });
      if (outcome.committed) return applied;
      const { version } = changed;
      const isRaced = outcome.failed.has("drop");
      if (outcome.failed.has("shared") && !isRaced)
        throw new ApiError("unavailable", {
          message: "A version with the same files was deleted at the same time. Send the request again.",
          retryAfterSeconds: 1,
        });
      if (outcome.failed.has("also") && !isRaced) return undefined;
      const account = outcome.failed.get("account");
      if (version && isSuspended(account)) throw accountSuspended();
      if (version && !isRaced && lacksPageQuota(account, storedBytesOf(version)))
        throw pageQuotaExceeded(storedBytesOf(version), account);
      const item: Item | undefined = outcome.failed.get("drop");
      current = item && { ...toDrop(item, undefined), viewCount: found.viewCount };
      throw manyWriters();
    });
  },
};

/** Counts the changes of an account's drops after which a search by tags may find different drops. Missing in older accounts. */
type DropSetRevision = number | undefined;

/** Writes that add a drop: the slug's pointer, the drop, its first version, the account's counters. */
function insertionWrites(drop: Drop, version: Version, seen?: { readonly set: DropSetRevision }) {
  const { ownerId, namespace, slug } = drop;
  const isFree = "attribute_not_exists(pk)";
  return {
    pointer: { put: { ...keys.pointer(slug), ownerId, namespace }, condition: isFree },
    drop: { put: toDropItem(drop), condition: isFree },
    version: { put: toVersionItem(version) },
    account: {
      key: keys.account(ownerId),
      update: "ADD dropCount :one, pageBytes :bytes, countsRevision :one, dropSetRevision :one",
      condition: `dropCount < :max AND ${hasPageQuota} AND attribute_not_exists(deletingAtMs) AND ${isNotSuspended}${seen ? ` AND ${isUnchanged("dropSetRevision", seen.set)}` : ""}`,
      values: {
        ":one": 1,
        ":bytes": storedBytesOf(version),
        ":max": limits.dropsPerAccountMax,
        ":seen": seen?.set,
        ...quotaValues(storedBytesOf(version)),
      },
    },
    host: hostWrite(version),
  };
}

/** Maps a folder's host to its slug. All versions of a drop write the same item. */
function hostWrite({ slug, folder }: Version): TransactionWrite | undefined {
  return folder?.hasHost ? { put: { ...keys.folderHost(folderHostId(slug)), slug } } : undefined;
}

/** Writes that store a change and its new version. They fail if the drop has changed since it was read. */
function changeWrites(before: Drop, { drop: after, version, sharesWith, also }: ChangedDrop) {
  // An expired drop that gets a new expiry can be found by its tags again.
  const isTagged =
    metadataText(before.metadata) !== metadataText(after.metadata) ||
    before.expiresAtMs !== after.expiresAtMs;
  const key = keys.account(after.ownerId);
  const tagging = {
    key,
    update: "ADD dropSetRevision :one",
    condition: "attribute_exists(pk)",
    values: { ":one": 1 },
  };
  const drop = dropWrite(before, after);
  if (version === undefined) return { drop, account: isTagged ? tagging : undefined, also };
  return {
    drop,
    account: {
      key,
      update: `ADD pageBytes :bytes, countsRevision :one${isTagged ? ", dropSetRevision :one" : ""}`,
      condition: `attribute_exists(pk) AND ${hasPageQuota} AND ${isNotSuspended}`,
      values: { ":one": 1, ":bytes": storedBytesOf(version), ...quotaValues(storedBytesOf(version)) },
    },
    version: { put: toVersionItem(version) },
    shared:
      sharesWith === undefined
        ? undefined
        : { check: keys.version(after.slug, sharesWith), condition: "attribute_exists(pk)" },
    host: before.latest.folder?.hasHost ? undefined : hostWrite(version),
  };
}

/** Replaces every attribute of the drop. The condition on the revision ensures that the drop has not changed since it was read. */
function dropWrite(before: Drop, after: Drop): TransactionWrite {
  const { pk: _pk, sk: _sk, ...attributes } = toDropItem(after);
  const names = Object.keys(attributes);
  const gone = [
    "passcodeHash",
    "visibility",
    "readers",
    "indexed",
    "feedback",
    "answers",
    "answersResults",
    "expiresAtMs",
    "latestFolder",
  ].filter((name) => attributes[name] === undefined);
  const removed = gone.length === 0 ? "" : ` REMOVE ${gone.map((name) => `#${name}`).join(", ")}`;
  return {
    key: keys.drop(after.ownerId, after.slug),
    update: `SET ${names.map((name) => `#${name} = :${name}`).join(", ")}${removed}`,
    condition: "#revision = :seen",
    // `indexed` is a reserved word; see "Reserved words in DynamoDB", DynamoDB developer guide.
    names: Object.fromEntries([...names, ...gone].map((name) => [`#${name}`, name])),
    values: {
      ...Object.fromEntries(names.map((name) => [`:${name}`, attributes[name]])),
      ":seen": before.revision,
    },
  };
}

/** @throws ApiError `version_limit_reached` if the drop has 200 versions */
export function requireVersionQuota(drop: Drop): void {
  if (drop.versionCount < limits.versionsPerDropMax) return;
  throw new ApiError("version_limit_reached", { details: { versions_max: limits.versionsPerDropMax } });
}
