import { findKeptDrop } from "../../functions/drops/trash-store.ts";
import { patterns } from "../../functions/http/schemas.ts";
import type { Site } from "../../functions/http/site.ts";
import type { Act } from "../../functions/table/audit.ts";
import { auditWrite } from "../../functions/table/audit-trail.ts";
import { keys } from "../../functions/table/keys.ts";
import { heldAttribute, heldSlugsAttribute, isHeld } from "../../functions/table/legal-hold.ts";
import { getItem, type Item, RetryableError, retryConflicts } from "../../functions/table/table.ts";
import { transact } from "../../functions/table/table-writes.ts";
import { formatUtc, UsageError, yesOption } from "./command.ts";
import { deleteSurplus } from "./retention.ts";
import { defineServiceCommand } from "./service.ts";
import { findAccounts, findUser, nameOfUser, toUser } from "./table-reads.ts";
import { findTarget } from "./target.ts";

export const addHoldCommand = defineServiceCommand({
  usage: "hold add <slug or account>",
  summary: "puts a drop or an account on legal hold: nothing of it is deleted until hold remove",
  details: `
Its owner's deletions are refused (\`legal_hold\`): of the drop, of versions and feedback, in the trash, and of files, which are on hold with
their account. So are delete-account, takedown and transfer. Retention keeps all versions. A drop that expires stays in the trash. The
owner can still edit it, publish new versions and bring it back from the trash, and learns of the hold only by a refusal.`,
  async run({ word, service, act, print }) {
    const target = await findHoldTarget(service, word);
    const isChanged = await setHold(target, true, await act("add-hold"));
    print(`${nameOf(target)} is ${isChanged ? "on hold" : "on hold already"}.`);
  },
});

export const removeHoldCommand = defineServiceCommand({
  usage: "hold remove <slug or account>",
  summary: "ends a legal hold",
  details: `
Deletes what the hold has kept: versions beyond keepVersions at once, and drops whose time in the trash is over at the next run of
do-due-work. If it fails on the way, run it again. A drop of an account on hold stays on hold with it.`,
  options: { yes: yesOption },
  async run({ word, service, act, confirm, print }) {
    const target = await findHoldTarget(service, word);
    const name = nameOf(target);
    await confirm(
      word,
      `${name} will no longer be on hold by itself. What was to be deleted meanwhile will be deleted.`,
    );
    const removal = await act("remove-hold");
    const isChanged = await setHold(target, false, removal);
    print(`${name} is ${isChanged ? "no longer" : "not"} on hold by itself.`);
    if (service.keepVersions === undefined) return;
    // Retention has postponed these.
    const { ownerId: userId, slug } = target;
    const retention = { ...removal, action: "retention" };
    const count = await deleteSurplus(Number(service.keepVersions), retention, { userId, slug });
    print(`Versions deleted: ${count}.`);
  },
});

export const listHoldsCommand = defineServiceCommand({
  usage: "hold list [<slug or account>]",
  summary: "lists legal holds",
  details: `
Without an argument it lists all, and reads the whole table. \`audit --action add-hold\` says who put them on hold, and when.`,
  async run({ words: [name], service, printAll }) {
    const target = name === undefined ? undefined : await findHoldTarget(service, name);
    const account = target && (await getItem(keys.account(target.ownerId)));
    const isHolder = ` AND (attribute_exists(${heldAttribute}) OR attribute_exists(${heldSlugsAttribute}))`;
    const holders =
      target === undefined ? await findAccounts(isHolder) : account === undefined ? [] : [account];
    const rows = holders.flatMap((item) => toRows(item, target?.slug));
    printAll(rows, `Holds: ${rows.length}.`);
  },
});

function heldSlugsOf(account: Item): string[] {
  return [...((account[heldSlugsAttribute] ?? []) as Iterable<string>)].sort();
}

/** The holds of an account: its own, and those of one drop or of all. */
function toRows(account: Item, slug: string | undefined): string[][] {
  const whose = nameOfUser(toUser(account));
  const sinceMs = account[heldAttribute] as number | undefined;
  const slugs = heldSlugsOf(account).filter((one) => slug === undefined || one === slug);
  return [
    ...(sinceMs === undefined ? [] : [["account", `${whose}  since ${formatUtc(sinceMs)}`]]),
    ...slugs.map((one) => ["drop", `${one} of ${whose}`]),
  ];
}

/** An account, or a drop of it, that is or will be on hold. */
interface HoldTarget {
  readonly ownerId: string;
  /** @default - the whole account */
  readonly slug?: string;
}

function nameOf({ ownerId, slug }: HoldTarget): string {
  return slug === undefined ? `The account ${ownerId}` : `The drop ${slug} of ${ownerId}`;
}

/** Finds a drop by its slug or address, in the trash too, or an account by its user id or namespace. */
async function findHoldTarget(site: Site, name: string): Promise<HoldTarget> {
  const isAddress = name.includes("/");
  const target = isAddress || patterns.slug.test(name) ? await findTarget(site, name) : undefined;
  if (target?.kind === "file")
    throw new UsageError(`A file is on hold with its account. Use ${target.namespace}.`);
  const kept = target && (await findKeptDrop(target.slug));
  if (kept !== undefined) return { ownerId: kept.ownerId, slug: target?.slug };
  if (isAddress) throw new Error(`There is no drop at ${name}.`);
  return { ownerId: (await findUser(name)).userId };
}

/** Puts a drop or an account on hold, or ends its hold. Returns false if nothing had to be changed. */
export async function setHold(target: HoldTarget, isWanted: boolean, act: Act): Promise<boolean> {
  const { ownerId, slug } = target;
  return retryConflicts(async () => {
    const kept = slug === undefined ? undefined : await findKeptDrop(slug);
    if (slug !== undefined && kept?.ownerId !== ownerId)
      throw new Error(`There is no drop ${slug} of ${ownerId} any more.`);
    const place = kept?.isTrashed ? keys.trashedDrop : keys.drop;
    const outcome = await transact({
      account: { key: keys.account(ownerId), ...holdUpdate(slug, isWanted, act.atMs) },
      line: auditWrite(act, { ownerId, slug }),
      // The drop stays where it is: in the trash or not.
      drop:
        slug === undefined ? undefined : { check: place(ownerId, slug), condition: "attribute_exists(pk)" },
    });
    if (outcome.committed) return true;
    const account = outcome.failed.get("account");
    if (!outcome.failed.has("account")) throw new RetryableError();
    if (account === undefined || account.deletingAtMs !== undefined)
      throw new Error(`The account ${ownerId} is gone, or is being deleted.`);
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

/** Throws if something is on hold, before anything is done. The transaction that deletes it decides. */
export async function requireNotHeld(ownerId: string | undefined, slug?: string): Promise<void> {
  const account = ownerId === undefined ? undefined : await getItem(keys.account(ownerId));
  if (account !== undefined && isHeld(account, slug)) throw onHold(account);
}

/** The refusal of an operator's command, with the commands that come first. */
export function onHold(account: Item): Error {
  const held = account[heldAttribute] === undefined ? heldSlugsOf(account) : [account.namespace as string];
  return new Error(
    `On legal hold: ${held.join(", ")}. Nothing was deleted. To make it unreadable, run suspend ${account.namespace}. To end the hold, run hold remove ${held[0]}.`,
  );
}
