import { ApiError } from "../core/errors.ts";
import { findKeptDrop } from "../drops/trash-store.ts";
import type { Act } from "../table/audit.ts";
import { auditWrite } from "../table/audit-trail.ts";
import { keys } from "../table/keys.ts";
import { heldAttribute, heldSlugsAttribute, isHeld } from "../table/legal-hold.ts";
import { getItem, type Item, RetryableError, retryConflicts } from "../table/table.ts";
import { transact } from "../table/table-writes.ts";

/** Account or drop that is put on legal hold. */
export interface HoldTarget {
  readonly ownerId: string;
  /** Slug of the drop. @default - the whole account */
  readonly slug?: string;
}

/** Returns the slugs of an account's drops that have their own legal hold. */
export function heldSlugsOf(account: Item): string[] {
  return [...((account[heldSlugsAttribute] ?? []) as Iterable<string>)].sort();
}

/** Puts a drop or an account on hold, or ends its hold. Returns false if nothing needed to change. @throws ApiError `not_found` */
export async function setHold(target: HoldTarget, isWanted: boolean, act: Act): Promise<boolean> {
  const { ownerId, slug } = target;
  return retryConflicts(async () => {
    const kept = slug === undefined ? undefined : await findKeptDrop(slug);
    if (slug !== undefined && kept?.ownerId !== ownerId)
      throw new ApiError("not_found", { message: `The account ${ownerId} no longer has a drop ${slug}.` });
    const keyOf = kept?.isTrashed ? keys.trashedDrop : keys.drop;
    const outcome = await transact({
      account: { key: keys.account(ownerId), ...holdUpdate(slug, isWanted, act.atMs) },
      line: auditWrite(act, { ownerId, slug }),
      // This write fails if the drop is moved to or from the trash in the meantime.
      drop:
        slug === undefined ? undefined : { check: keyOf(ownerId, slug), condition: "attribute_exists(pk)" },
    });
    if (outcome.committed) return true;
    const account = outcome.failed.get("account");
    if (!outcome.failed.has("account")) throw new RetryableError();
    if (account === undefined || account.deletingAtMs !== undefined)
      throw new ApiError("not_found", {
        message: `The account ${ownerId} does not exist, or is being deleted.`,
      });
    return false;
  });
}

function holdUpdate(slug: string | undefined, isWanted: boolean, nowMs: number) {
  const isThere = "attribute_exists(pk) AND attribute_not_exists(deletingAtMs)";
  if (slug !== undefined)
    return {
      update: `${isWanted ? "ADD" : "DELETE"} ${heldSlugsAttribute} :slugs`,
      condition: `${isThere} AND ${isWanted ? "NOT " : ""}contains(${heldSlugsAttribute}, :slug)`,
      values: { ":slugs": new Set([slug]), ":slug": slug },
    };
  const isOther = `${isWanted ? "attribute_not_exists" : "attribute_exists"}(${heldAttribute})`;
  return {
    update: isWanted ? `SET ${heldAttribute} = :now` : `REMOVE ${heldAttribute}`,
    condition: `${isThere} AND ${isOther}`,
    ...(isWanted ? { values: { ":now": nowMs } } : {}),
  };
}

/** Returns the account's item if the account or drop is on hold, for an early refusal. The deleting transaction checks the hold again. */
export async function findHolder(ownerId: string | undefined, slug?: string): Promise<Item | undefined> {
  const account = ownerId === undefined ? undefined : await getItem(keys.account(ownerId));
  return account !== undefined && isHeld(account, slug) ? account : undefined;
}
