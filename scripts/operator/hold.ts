import { toAccountRow } from "../../functions/administration/accounts.ts";
import {
  findHolder,
  type HoldTarget,
  heldSlugsOf,
  setHold,
} from "../../functions/administration/legal-holds.ts";
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
    const isHolder = ` AND (attribute_exists(${heldAttribute}) OR attribute_exists(${heldSlugsAttribute}))`;
    const holders = target ? [await getItem(keys.account(target.ownerId))] : await findAccounts(isHolder);
    const rows = holders.flatMap((item) => (item === undefined ? [] : toRows(item, target?.slug)));
    printAll(rows, `Holds: ${rows.length}.`);
  },
});

/** The holds of an account: its own, and those of one drop or of all. */
function toRows(account: Item, slug: string | undefined): string[][] {
  const whose = nameOfUser(toAccountRow(account));
  const sinceMs = account[heldAttribute] as number | undefined;
  const slugs = heldSlugsOf(account).filter((one) => slug === undefined || one === slug);
  return [
    ...(sinceMs === undefined ? [] : [["account", `${whose}  since ${formatUtc(sinceMs)}`]]),
    ...slugs.map((one) => ["drop", `${one} of ${whose}`]),
  ];
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

/** Throws if something is on hold, before anything is done. The transaction that deletes it decides. */
export async function requireNotHeld(ownerId: string | undefined, slug?: string): Promise<void> {
  const holder = await findHolder(ownerId, slug);
  if (holder !== undefined) throw onHold(holder);
}

/** The refusal of an operator's command, with the commands that come first. */
export function onHold(account: Item): Error {
  const held = account[heldAttribute] === undefined ? heldSlugsOf(account) : [account.namespace as string];
  return new Error(
    `On legal hold: ${held.join(", ")}. Nothing was deleted. To make it unreadable, run suspend ${account.namespace}. To end the hold, run hold remove ${held[0]}.`,
  );
}
