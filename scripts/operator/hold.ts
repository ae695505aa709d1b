import { toAccountRow } from "../../functions/administration/accounts.ts";
import { type HoldTarget, heldSlugsOf, setHold } from "../../functions/administration/legal-holds.ts";
import { findKeptDrop } from "../../functions/drops/trash-store.ts";
import { patterns } from "../../functions/http/schemas.ts";
import type { Site } from "../../functions/http/site.ts";
import { keys } from "../../functions/table/keys.ts";
import { heldAttribute, heldSlugsAttribute } from "../../functions/table/legal-hold.ts";
import { getItem, type Item } from "../../functions/table/table.ts";
import { formatUtc, UsageError, yesOption } from "./command.ts";
import { deleteSurplus } from "./retention.ts";
import { defineServiceCommand } from "./service.ts";
import { findAccounts, findUser, nameOfUser } from "./table-reads.ts";
import { findTarget } from "./target.ts";

export const addHoldCommand = defineServiceCommand({
  usage: "hold add <slug or account>",
  summary: "puts a drop or an account on legal hold: nothing in it is deleted until you run hold remove",
  details: `
The owner cannot delete the drop, its versions and feedback, or purge it from the trash (\`legal_hold\`). Files are on hold with their account.
delete-account, takedown and transfer are refused too. Retention keeps all versions. A drop that expires stays in the trash. The owner can
still edit the drop, publish new versions and restore it from the trash, and sees the hold only when a deletion is refused.`,
  async run({ word, service, action, print }) {
    const target = await findHoldTarget(service, word);
    const isChanged = await setHold(target, true, await action("add-hold"));
    print(`${nameOf(target)} is ${isChanged ? "on hold" : "on hold already"}.`);
  },
});

export const removeHoldCommand = defineServiceCommand({
  usage: "hold remove <slug or account>",
  summary: "ends a legal hold",
  details: `
Versions beyond keepVersions, which the hold has kept, are deleted at once. Drops whose time in the trash is over are deleted at the next
run of do-due-work. If the command fails, run it again. If the account of a drop is on hold, the drop stays on hold.`,
  options: { yes: yesOption },
  async run({ word, service, action, confirm, print }) {
    const target = await findHoldTarget(service, word);
    const name = nameOf(target);
    const warning = `${name} will no longer have its own hold. Deletions that the hold has postponed will be carried out.`;
    await confirm(word, warning);
    const removal = await action("remove-hold");
    const isChanged = await setHold(target, false, removal);
    print(`${name} ${isChanged ? "no longer has" : "does not have"} its own hold.`);
    if (service.keepVersions === undefined) return;
    // Deletes the versions that retention would have deleted without the hold.
    const { ownerId, slug } = target;
    const retention = { ...removal, action: "retention" };
    const count = await deleteSurplus(Number(service.keepVersions), retention, ownerId, slug);
    print(`Versions deleted: ${count}.`);
  },
});

export const listHoldsCommand = defineServiceCommand({
  usage: "hold list [<slug or account>]",
  summary: "lists legal holds",
  details: `
Without an argument, lists all holds and reads the whole table. \`audit --action add-hold\` shows who added them, and when.`,
  async run({ words: [name], service, printAll }) {
    const target = name === undefined ? undefined : await findHoldTarget(service, name);
    const isHolder = ` AND (attribute_exists(${heldAttribute}) OR attribute_exists(${heldSlugsAttribute}))`;
    const holders = target ? [await getItem(keys.account(target.ownerId))] : await findAccounts(isHolder);
    const rows = holders.flatMap((item) => (item === undefined ? [] : toRows(item, target?.slug)));
    printAll(rows, `Holds: ${rows.length}.`);
  },
});

/** Formats the account's own hold and the holds of its drops. With a slug, lists only the hold of that drop. */
function toRows(account: Item, slug: string | undefined): string[][] {
  const whose = nameOfUser(toAccountRow(account));
  const sinceMs = account[heldAttribute] as number | undefined;
  const own = sinceMs === undefined ? [] : [["account", `${whose}  since ${formatUtc(sinceMs)}`]];
  const slugs = heldSlugsOf(account).filter((one) => slug === undefined || one === slug);
  return [...own, ...slugs.map((one) => ["drop", `${one} of ${whose}`])];
}

function nameOf({ ownerId, slug }: HoldTarget): string {
  return slug === undefined ? `The account ${ownerId}` : `The drop ${slug} of ${ownerId}`;
}

/** Finds a drop by its slug or address, even in the trash, or an account by its user id or namespace. */
async function findHoldTarget(site: Site, name: string): Promise<HoldTarget> {
  const isAddress = name.includes("/");
  const target = isAddress || patterns.slug.test(name) ? await findTarget(site, name) : undefined;
  if (target?.kind === "file")
    throw new UsageError(
      `Files are on hold with their account. Use the account ${target.namespace} instead.`,
    );
  const drop = target && (await findKeptDrop(target.slug));
  if (drop !== undefined) return { ownerId: drop.ownerId, slug: target?.slug };
  if (isAddress) throw new Error(`There is no drop at ${name}.`);
  return { ownerId: (await findUser(name)).userId };
}

/** Creates the error for a command that a hold forbids. The message names the commands that the operator can run. */
export function onHold(account: Item): Error {
  const held = account[heldAttribute] === undefined ? heldSlugsOf(account) : [account.namespace as string];
  return new Error(
    `On legal hold: ${held.join(", ")}. Nothing was deleted. To make the pages and files unreadable, run suspend ${account.namespace}. To end the hold, run hold remove ${held[0]}.`,
  );
}
