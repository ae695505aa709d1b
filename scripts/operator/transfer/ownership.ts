import { changeableFileAttributes } from "../../../functions/blobs/store.ts";
import { limits } from "../../../functions/core/limits.ts";
import { countPageBytes, hasPageQuota, quotaValues } from "../../../functions/drops/items.ts";
import type { Act, ActSubject } from "../../../functions/table/audit.ts";
import { auditWrite } from "../../../functions/table/audit-trail.ts";
import { keys } from "../../../functions/table/keys.ts";
import { isAccountNotHeld, isDropNotHeld, isHeld } from "../../../functions/table/legal-hold.ts";
import { isNotSuspended, isSuspended, suspendedAttribute } from "../../../functions/table/suspension.ts";
import { getItem, type Item, RetryableError, retryConflicts } from "../../../functions/table/table.ts";
import { type TransactionWrite, transact } from "../../../functions/table/table-writes.ts";
import { onHold } from "../hold.ts";
import type { User } from "../table-reads.ts";

/** An account that gives or gets. */
export type Party = Pick<User, "userId" | "namespace">;

/** Transfer between two accounts, and its approval. */
export interface Transfer {
  readonly from: Party;
  readonly to: Party;
  readonly act: Act;
  /** The receiver may exceed a quota. */
  readonly isOverQuotaAllowed: boolean;
}

/** `gone`: the giver no longer has the item. `over-quota`: there is no room. `taken`: the receiver has a file with the same id. */
export type TransferOutcome = "transferred" | "gone" | "over-quota" | "taken";

/** Gives a drop to another account, in one transaction. Its versions, pages and addresses stay where they are. */
export async function transferDrop(slug: string, transfer: Transfer): Promise<TransferOutcome> {
  const { from, to } = transfer;
  return retryConflicts(async () => {
    const row = await getItem(keys.drop(from.userId, slug));
    if (row === undefined) return "gone";
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
    return commit(transfer, things, { drops: 1, pageBytes, files: 0, fileBytes: 0 }, { slug });
  });
}

/** Gives a file to another account, in one transaction. Its object and its address stay where they are. */
export async function transferFile(id: string, transfer: Transfer): Promise<TransferOutcome> {
  const { from, to } = transfer;
  return retryConflicts(async () => {
    const row = await getItem(keys.blob(from.userId, id));
    if (row === undefined) return "gone";
    const things = {
      before: { remove: keys.blob(from.userId, id), ...unchanged(row) },
      after: { put: { ...row, ...keys.blob(to.userId, id) }, condition: "attribute_not_exists(pk)" },
      pointer: {
        key: keys.filePointer(row.namespace as string, id),
        update: "SET ownerId = :to ADD transferCount :one",
        condition: "attribute_not_exists(pk) OR ownerId = :from",
        values: { ":to": to.userId, ":from": from.userId, ":one": 1 },
      },
    };
    const counts = { drops: 0, pageBytes: 0, files: 1, fileBytes: row.sizeBytes as number };
    return commit(transfer, things, counts, { blobId: id });
  });
}

/** Changes of an account's counters. */
type Counts = Readonly<Record<"drops" | "pageBytes" | "files" | "fileBytes", number>>;

/** @param things removes the row as it was seen, and puts it for the other account */
async function commit(
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
  if (outcome.committed) return "transferred";
  const giver = outcome.failed.get("giver");
  if (giver !== undefined && isHeld(giver, subject.slug)) throw onHold(giver);
  if (outcome.failed.has("giver"))
    throw new Error(`The account ${from.namespace} is gone, or is being deleted.`);
  if (outcome.failed.has("getter")) {
    const getter = outcome.failed.get("getter");
    if (getter === undefined || getter.deletingAtMs !== undefined || isSuspended(getter))
      throw new Error(`The account ${to.namespace} is gone, suspended or being deleted.`);
    return "over-quota";
  }
  if (outcome.failed.get("after") !== undefined) return "taken";
  throw new RetryableError(`${subject.slug ?? subject.blobId} is being changed. Run the command again.`);
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

/** Condition that a file's row is unchanged. It has no revision, so all attributes that can change are compared. */
function unchanged(row: Item) {
  const conditions = changeableFileAttributes.map((name) =>
    row[name] === undefined ? `attribute_not_exists(${name})` : `${name} = :${name}`,
  );
  const seen = changeableFileAttributes.filter((name) => row[name] !== undefined);
  return {
    condition: ["attribute_exists(pk)", ...conditions].join(" AND "),
    ...(seen.length === 0 ? {} : { values: Object.fromEntries(seen.map((name) => [`:${name}`, row[name]])) }),
  };
}
