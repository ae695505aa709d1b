import { limits } from "../core/limits.ts";
import type { Act, ActSubject } from "../table/audit.ts";
import { auditWrite } from "../table/audit-trail.ts";
import { keys } from "../table/keys.ts";
import { isAccountNotHeld, isDropNotHeld, isHeld } from "../table/legal-hold.ts";
import { isNotSuspended, isSuspended, suspendedAttribute } from "../table/suspension.ts";
import { getItem, type Item, RetryableError, retryConflicts } from "../table/table.ts";
import { type TransactionWrite, transact } from "../table/table-writes.ts";
import type { Drop } from "./drop.ts";
import { countPageBytes, hasPageQuota, quotaValues, toDrop } from "./items.ts";

/** An account that gives or gets. */
export interface Party {
  readonly userId: string;
  readonly namespace: string;
}

/** Transfer between two accounts, and its approval. */
export interface Transfer {
  readonly from: Party;
  readonly to: Party;
  readonly act: Act;
  /** The receiver may exceed a quota. */
  readonly isOverQuotaAllowed: boolean;
  /** Throws for a drop that may not be transferred as it is now. @default - any */
  readonly requireDrop?: (drop: Drop) => void;
}

/** Result of a transfer. Nothing has changed unless it is `transferred`. */
export type TransferOutcome =
  | { readonly kind: "transferred" }
  /** The giver no longer has the item. */
  | { readonly kind: "gone" }
  /** The receiver has no room. */
  | { readonly kind: "over-quota"; readonly receiver: Item; readonly pageBytes: number }
  /** The receiver has a file with the same id. */
  | { readonly kind: "taken" }
  /** The giver's account has a hold on it. */
  | { readonly kind: "held"; readonly giver: Item }
  /** An account is gone, is being deleted, or is a suspended receiver. */
  | { readonly kind: "closed"; readonly party: Party };

/**
 * Gives a drop to another account, in one transaction. Its versions, pages and addresses stay where they are.
 *
 * @throws ApiError `unavailable` if other writers are faster each time
 */
export async function transferDrop(slug: string, transfer: Transfer): Promise<TransferOutcome> {
  const { from, to } = transfer;
  return retryConflicts(async () => {
    const row = await getItem(keys.drop(from.userId, slug));
    if (row === undefined) return { kind: "gone" };
    transfer.requireDrop?.(toDrop(row, undefined));
    const views = (await getItem(keys.views(from.userId, slug)))?.viewCount as number | undefined;
    // Counted after the row is read: a version that is added or deleted raises its revision.
    const pageBytes = await countPageBytes(slug);
    const { ownerNamespace: _, ...moved } = row;
    const ownerNamespace = to.namespace === row.namespace ? {} : { ownerNamespace: to.namespace };
    // A row of the first revision is a publication: docs/adr/0072-events-and-webhooks.md.
    const revision = (row.revision as number) + 1;
    const seen = { condition: "revision = :seen", values: { ":seen": row.revision } };
    const things = {
      before: { remove: keys.drop(from.userId, slug), ...seen },
      after: {
        put: { ...moved, ...keys.drop(to.userId, slug), ...ownerNamespace, revision },
        condition: "attribute_not_exists(pk)",
      },
      pointer: {
        key: keys.pointer(slug),
        update: `SET ownerId = :to REMOVE ${suspendedAttribute} ADD transferCount :one`,
        condition: "ownerId = :from",
        values: { ":to": to.userId, ":from": from.userId, ":one": 1 },
      },
      views: viewWrites(slug, transfer, views),
    };
    return commitTransfer(transfer, things, { drops: 1, pageBytes, files: 0, fileBytes: 0 }, { slug });
  });
}

/** Changes of an account's counters. */
type Counts = Readonly<Record<"drops" | "pageBytes" | "files" | "fileBytes", number>>;

/**
 * Commits the transfer of a drop or a file, with the counters of both accounts and the line of the audit trail.
 *
 * @param things removes the row as it was seen, and puts it for the other account
 * @throws RetryableError if the item is being changed
 */
export async function commitTransfer(
  transfer: Transfer,
  things: Record<"before" | "after" | "pointer", TransactionWrite> & { views?: TransactionWrite[] },
  counts: Counts,
  subject: Pick<ActSubject, "slug" | "blobId">,
): Promise<TransferOutcome> {
  const { from, to, act } = transfer;
  const outcome = await transact({
    ...things,
    giver: {
      key: keys.account(from.userId),
      update: addCounts,
      condition: `${isThere} AND ${subject.slug === undefined ? isAccountNotHeld : isDropNotHeld}`,
      values: {
        ...countValues(counts, -1),
        ...(subject.slug === undefined ? {} : { ":slug": subject.slug }),
      },
    },
    getter: getterWrite(transfer, counts),
    line: auditWrite(act, { ...subject, ownerId: from.userId, newOwnerId: to.userId }),
  });
  if (outcome.committed) return { kind: "transferred" };
  const giver = outcome.failed.get("giver");
  if (giver !== undefined && isHeld(giver, subject.slug)) return { kind: "held", giver };
  if (outcome.failed.has("giver")) return { kind: "closed", party: from };
  if (outcome.failed.has("getter")) {
    const receiver = outcome.failed.get("getter");
    if (receiver === undefined || receiver.deletingAtMs !== undefined || isSuspended(receiver))
      return { kind: "closed", party: to };
    return { kind: "over-quota", receiver, pageBytes: counts.pageBytes };
  }
  if (outcome.failed.get("after") !== undefined) return { kind: "taken" };
  throw new RetryableError(`${subject.slug ?? subject.blobId} is being changed.`);
}

const isThere = "attribute_exists(pk) AND attribute_not_exists(deletingAtMs)";

const addCounts =
  "ADD dropCount :drops, pageBytes :pageBytes, blobCount :files, blobBytes :fileBytes, countsRevision :one";

function countValues({ drops, pageBytes, files, fileBytes }: Counts, sign: 1 | -1) {
  return {
    ":drops": sign * drops,
    ":pageBytes": sign * pageBytes,
    ":files": sign * files,
    ":fileBytes": sign * fileBytes,
    ":one": 1,
  };
}

/** Counts the item to the receiver, within its quotas. A drop raises `dropSetRevision`, since it may match an upsert that found none. */
function getterWrite({ to, isOverQuotaAllowed }: Transfer, counts: Counts): TransactionWrite {
  const isDrop = counts.drops > 0;
  const quota = isDrop
    ? `dropCount < :most AND ${hasPageQuota}`
    : "blobCount < :most AND blobBytes <= :quota";
  const quotaOf = isDrop
    ? { ":most": limits.dropsPerAccountMax, ...quotaValues(counts.pageBytes) }
    : { ":most": limits.blobsPerAccountMax, ":quota": limits.blobBytesPerAccountMax - counts.fileBytes };
  return {
    key: keys.account(to.userId),
    update: `${addCounts}, dropSetRevision :drops`,
    condition: `${isThere} AND ${isNotSuspended}${isOverQuotaAllowed ? "" : ` AND ${quota}`}`,
    values: { ...countValues(counts, 1), ...(isOverQuotaAllowed ? {} : quotaOf) },
  };
}

/** Moves the count of views as it was read. Later views find the new owner (`viewCounts.add`). */
function viewWrites(slug: string, { from, to }: Transfer, views: number | undefined): TransactionWrite[] {
  const key = keys.views(from.userId, slug);
  if (views === undefined) return [{ check: key, condition: "attribute_not_exists(pk)" }];
  const values = { ":seen": views };
  return [
    { remove: key, condition: "viewCount = :seen", values },
    { key: keys.views(to.userId, slug), update: "ADD viewCount :seen", values },
  ];
}
