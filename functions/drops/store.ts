import { ApiError, inBothWords } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import { folderHostId } from "../http/folder-host.ts";
import { type StoredResponse, transactOnce } from "../http/idempotency.ts";
import type { Metadata } from "../http/metadata.ts";
import { canChange, isExpiredRow } from "../policies/access.ts";
import type { Act } from "../table/audit.ts";
import { auditWrite } from "../table/audit-trail.ts";
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

/** Optional parts of the transaction that inserts a drop. */
interface InsertionOptions {
  /** The response to keep. @default - none */
  readonly kept?: StoredResponse | undefined;
  /** Requires that the account's drops have not changed since this revision. @default - no requirement */
  readonly seen?: { readonly set: DropSetRevision };
}

/** Drops, by owner and slug: another owner's drop is not found. */
export const drops = {
  /**
   * Adds a drop with its first version and counts it, in one transaction. False where the slug was ever issued.
   *
   * @throws ApiError `quota_exceeded` when the account has 500 drops, or no room for the page, `forbidden` when it was
   * suspended; ResponseStoredError
   */
  async insert(drop: Drop, version: Version, act: Act, kept?: StoredResponse): Promise<boolean> {
    return (await drops.tryInsert(drop, version, act, { kept })) === "inserted";
  },

  /** The same, and `set-changed` where another drop may match by now what this one is to be the only match of. */
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

  /**
   * The drop with its view count. An expired one is found only for a change that sets its expiry, which brings it back.
   *
   * @throws ApiError `not_found`, which says how a drop in the trash comes back
   */
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

  /** The drop with its view count, expired or not. */
  async find(ownerId: string, slug: string): Promise<Drop | undefined> {
    return toDrops(await queryAll(ranges.drop(ownerId, slug)))[0];
  },

  /** Every drop of an account, in no order that means anything. */
  async list(ownerId: string): Promise<Drop[]> {
    return toDrops(await queryAll(ranges.drops(ownerId)));
  },

  /** The rows of an account's drops, without expired ones, with the attributes that a list shows, sorts or filters by. */
  async listRows(ownerId: string, nowMs: number): Promise<DropRow[]> {
    const rows = await queryRaw(ranges.drops(ownerId), { attributes: listedAttributes });
    return toDropRows(rows).filter(({ drop }) => !isExpiredRow(drop, nowMs));
  },

  /** Lists the drops that have all of the tags and have not expired. */
  async listTagged(ownerId: string, tags: Metadata, nowMs: number): Promise<Drop[]> {
    return toTaggedDrops(await queryRaw(ranges.drops(ownerId)), tags, nowMs);
  },

  /** Reads the revision that binds an insertion. Read it before the list that it depends on. */
  async setRevision(ownerId: string): Promise<DropSetRevision> {
    return (await getItem(keys.account(ownerId)))?.dropSetRevision as DropSetRevision;
  },

  /**
   * Deletes the drop and counts it off with the bytes of its pages, in one transaction: whatever it is, or only with the
   * revision that was seen. Its slug stays taken.
   *
   * @throws ApiError `forbidden` if it is on legal hold
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
      // After the revision: who adds or deletes a version raises it.
      const seen = { revision: revision as number, pageBytes: await countPageBytes(slug) };
      const line = auditWrite(act, { ownerId, slug });
      const outcome = await transact({ ...removalWrites(ownerId, slug, seen), line });
      if (outcome.committed) return "removed";
      refuseHeld(outcome.failed.get("account"), slug);
      if (outcome.failed.get("drop") === undefined) return "missing";
      if (seenRevision !== undefined) return "raced";
      throw manyWriters();
    });
  },

  /**
   * Stores what `next` makes of the drop as it is, and the response where one is to be kept, in one transaction. `next` runs
   * again when another writer was faster; it throws to refuse. Undefined where the drop is not there, or `next` makes nothing
   * of it.
   *
   * @throws ApiError `quota_exceeded` if the account has no room for the page, `forbidden` if it was suspended and a version is
   * added; ResponseStoredError
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
      const changed = next(current);
      if (changed === undefined) return undefined;
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

/**
 * Number of times that a drop of the account came to match filters by publication, new metadata or a new expiry. The account's item
 * counts it as `dropSetRevision`; older accounts have none.
 */
type DropSetRevision = number | undefined;

/** A new drop with its first version: the slug's pointer, the drop, the version, the account's counters. */
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

/** The host of a drop's folders, by which it is found. The same item whenever it is written. */
function hostWrite({ slug, folder }: Version): TransactionWrite | undefined {
  return folder?.hasHost ? { put: { ...keys.folderHost(folderHostId(slug)), slug } } : undefined;
}

/** A change of a drop as it was found, and what the change has made beside it. Any write in between makes it fail. */
function changeWrites(before: Drop, { drop: after, version, sharesWith }: ChangedDrop) {
  // An expired drop that comes back matches its tags again.
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
  if (version === undefined) return { drop, account: isTagged ? tagging : undefined };
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

/** A drop that is deleted with the revision that was seen, counted off with the bytes of its pages at that revision. */
function removalWrites(
  ownerId: string,
  slug: string,
  seen: { readonly revision: number; readonly pageBytes: number },
) {
  return {
    drop: removeUnchanged(keys.drop(ownerId, slug), seen.revision),
    views: { remove: keys.views(ownerId, slug) },
    account: {
      key: keys.account(ownerId),
      update: "ADD dropCount :minusOne, pageBytes :minusBytes, countsRevision :one",
      condition: `attribute_exists(pk) AND ${isDropNotHeld}`,
      values: { ":minusOne": -1, ":minusBytes": -seen.pageBytes, ":one": 1, ":slug": slug },
    },
  };
}

/** Every attribute that the drop has: nobody has written another since it was found, as its revision says. */
function dropWrite(before: Drop, after: Drop): TransactionWrite {
  const { pk: _pk, sk: _sk, ...attributes } = toDropItem(after);
  const names = Object.keys(attributes);
  const gone = [
    "passcodeHash",
    "visibility",
    "readers",
    "indexed",
    "feedback",
    "expiresAtMs",
    "latestFolder",
  ].filter((name) => attributes[name] === undefined);
  const removed = gone.length === 0 ? "" : ` REMOVE ${gone.map((name) => `#${name}`).join(", ")}`;
  return {
    key: keys.drop(after.ownerId, after.slug),
    update: `SET ${names.map((name) => `#${name} = :${name}`).join(", ")}${removed}`,
    condition: "#revision = :seen",
    // `indexed` is a word of DynamoDB's own ("Reserved words in DynamoDB").
    names: Object.fromEntries([...names, ...gone].map((name) => [`#${name}`, name])),
    values: {
      ...Object.fromEntries(names.map((name) => [`:${name}`, attributes[name]])),
      ":seen": before.revision,
    },
  };
}

/** @throws ApiError `version_limit_reached` where the drop has 200 versions */
export function requireVersionQuota(drop: Drop): void {
  if (drop.versionCount < limits.versionsPerDropMax) return;
  throw new ApiError("version_limit_reached", { details: { versions_max: limits.versionsPerDropMax } });
}
