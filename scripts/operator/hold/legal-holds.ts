import { findKeptDrop } from "../../../functions/drops/trash-store.ts";
import { patterns } from "../../../functions/http/schemas.ts";
import type { Site } from "../../../functions/http/site.ts";
import type { Act } from "../../../functions/table/audit.ts";
import { auditWrite } from "../../../functions/table/audit-trail.ts";
import { keys } from "../../../functions/table/keys.ts";
import { heldAttribute, heldSlugsAttribute, isHeld } from "../../../functions/table/legal-hold.ts";
import { getItem, type Item, RetryableError, retryConflicts } from "../../../functions/table/table.ts";
import { transact } from "../../../functions/table/table-writes.ts";
import { UsageError } from "../command.ts";
import { findItems } from "../table-reads.ts";
import { findTarget } from "../takedown/takedown-target.ts";
import { findUser } from "../users.ts";

/** An account, or a drop of it, that is or will be on hold. */
export interface HoldTarget {
  readonly ownerId: string;
  /** @default - the whole account */
  readonly slug?: string;
}

/**
 * Finds a drop by its slug or address, in the trash too, or an account by its user id or namespace.
 *
 * @throws UsageError for the address of a file, Error if nothing is found
 */
export async function findHoldTarget(site: Site, name: string): Promise<HoldTarget> {
  const isAddress = name.includes("/");
  const target = isAddress || patterns.slug.test(name) ? await findTarget(site, name) : undefined;
  if (target?.kind === "file")
    throw new UsageError(`A file is on hold with its account. Use ${target.namespace}.`);
  const kept = target && (await findKeptDrop(target.slug));
  if (kept !== undefined) return { ownerId: kept.ownerId, slug: target?.slug };
  if (isAddress) throw new Error(`There is no drop at ${name}.`);
  return { ownerId: (await findUser(name)).userId };
}

/**
 * Puts it on hold or ends its hold, with a line in the audit trail. Returns false if nothing had to be changed.
 *
 * @throws Error if the account is gone or is being deleted, ApiError `unavailable` if the drop keeps moving
 */
export async function setHold(target: HoldTarget, isWanted: boolean, act: Act): Promise<boolean> {
  const { ownerId, slug } = target;
  return retryConflicts(async () => {
    const outcome = await transact({
      account: { key: keys.account(ownerId), ...holdUpdate(slug, isWanted, act.atMs) },
      line: auditWrite(act, { ownerId, slug }),
      drop: slug === undefined ? undefined : await whereKept(slug, ownerId),
    });
    if (outcome.committed) return true;
    const account = outcome.failed.get("account");
    if (!outcome.failed.has("account")) throw new RetryableError();
    if (account === undefined || account.deletingAtMs !== undefined)
      throw new Error(`The account ${ownerId} is gone, or is being deleted.`);
    return false;
  });
}

/** Requires that the drop stays where it is: in the trash or not. */
async function whereKept(slug: string, ownerId: string) {
  const kept = await findKeptDrop(slug);
  if (kept?.ownerId !== ownerId) throw new Error(`There is no drop ${slug} of ${ownerId} any more.`);
  return {
    check: kept.isTrashed ? keys.trashedDrop(ownerId, slug) : keys.drop(ownerId, slug),
    condition: "attribute_exists(pk)",
  };
}

function holdUpdate(slug: string | undefined, isWanted: boolean, nowMs: number) {
  const isThere = "attribute_exists(pk) AND attribute_not_exists(deletingAtMs)";
  if (slug === undefined)
    return isWanted
      ? {
          update: `SET ${heldAttribute} = :now`,
          condition: `${isThere} AND attribute_not_exists(${heldAttribute})`,
          values: { ":now": nowMs },
        }
      : { update: `REMOVE ${heldAttribute}`, condition: `${isThere} AND attribute_exists(${heldAttribute})` };
  return {
    update: `${isWanted ? "ADD" : "DELETE"} ${heldSlugsAttribute} :slugs`,
    condition: `${isThere} AND ${isWanted ? "NOT " : ""}contains(${heldSlugsAttribute}, :slug)`,
    values: { ":slugs": new Set([slug]), ":slug": slug },
  };
}

/** Lists the items of all accounts with something on hold. Reads the whole table. */
export function findHolders(): Promise<Item[]> {
  return findItems(
    `sk = :account AND (attribute_exists(${heldAttribute}) OR attribute_exists(${heldSlugsAttribute}))`,
    { ":account": keys.account("").sk },
  );
}

/**
 * Refuses to delete what is on hold, before anything is done. The transaction that deletes it decides.
 *
 * @throws Error which names the hold
 */
export async function requireNotHeld(ownerId: string | undefined, slug?: string): Promise<void> {
  const account = ownerId === undefined ? undefined : await getItem(keys.account(ownerId));
  if (account !== undefined && isHeld(account, slug)) throw onHold(account);
}

/** The refusal of an operator's command, with the commands that come first. */
export function onHold(account: Item): Error {
  const slugs = [...((account[heldSlugsAttribute] ?? []) as Iterable<string>)];
  const held = account[heldAttribute] === undefined ? slugs : [account.namespace as string];
  return new Error(
    `On legal hold: ${held.join(", ")}. Nothing was deleted. To make it unreadable, run suspend ${account.namespace}. To end the hold, run hold remove ${held[0]}.`,
  );
}
