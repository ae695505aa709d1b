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

/** Account that gives or receives a drop in a transfer. */
export interface Party {
  readonly userId: string;
  readonly namespace: string;
}

/** A transfer between two accounts. */
export interface Transfer {
  readonly from: Party;
  readonly to: Party;
  readonly act: Act;
  readonly isOverQuotaAllowed: boolean;
  /** Throws if the drop may not be transferred in its current state. @default - any drop may be transferred */
  readonly requireDrop?: (drop: Drop) => void;
}

/** Result of a transfer. Every result other than `transferred` means that nothing has changed. */
export type TransferOutcome =
  | { readonly kind: "transferred" }
  /** The giving account no longer owns the item. */
  | { readonly kind: "gone" }
  /** The receiving account would exceed a quota. */
  | { readonly kind: "over-quota"; readonly receiver: Item; readonly pageBytes: number }
  /** The receiving account already has a file with the same id. */
  | { readonly kind: "taken" }
  /** The item or the giving account is on legal hold. */
  | { readonly kind: "held"; readonly giver: Item }
  /** The giving or the receiving account was deleted or is being deleted, or the receiving account is suspended. */
  | { readonly kind: "closed"; readonly party: Party };

/** Transfers a drop to another account. Its versions and addresses stay. @throws ApiError `unavailable` if each attempt meets another write */
export async function transferDrop(slug: string, transfer: Transfer): Promise<TransferOutcome> {
  const { from, to } = transfer;
  return retryConflicts(async () => {
    const row = await getItem(keys.drop(from.userId, slug));
    if (row === undefined) return { kind: "gone" };
    transfer.requireDrop?.(toDrop(row, undefined));
    const views = (await getItem(keys.views(from.userId, slug)))?.viewCount as number | undefined;
    // Counts the bytes after reading the row. If a version is added or deleted later, the row's revision changes and the write fails.
    const pageBytes = await countPageBytes(slug);
    const { ownerNamespace: _, ...moved } = row;
    const ownerNamespace = to.namespace === row.namespace ? {} : { ownerNamespace: to.namespace };
    // Increases the revision, because stream listeners report a row with the first revision as a new publication; see
    // docs/adr/0072-events-and-webhooks.md.
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

type Counts = Readonly<Record<"drops" | "pageBytes" | "files" | "fileBytes", number>>;

/** Commits the transfer of a drop or a file, with both accounts' counters and the audit entry. @throws RetryableError after a concurrent change */
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

/** Adds the item to the receiver's counters, within its quotas. Concurrent upserts must detect a new drop, so `dropSetRevision` increases. */
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

/** Moves the view count that was read. `viewCounts.add` moves the views that are counted later. */
function viewWrites(slug: string, { from, to }: Transfer, views: number | undefined): TransactionWrite[] {
  const key = keys.views(from.userId, slug);
  if (views === undefined) return [{ check: key, condition: "attribute_not_exists(pk)" }];
  const values = { ":seen": views };
  return [
    { remove: key, condition: "viewCount = :seen", values },
    { key: keys.views(to.userId, slug), update: "ADD viewCount :seen", values },
  ];
}
