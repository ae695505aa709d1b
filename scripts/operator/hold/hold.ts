import { keys } from "../../../functions/table/keys.ts";
import { heldAttribute, heldSlugsAttribute } from "../../../functions/table/legal-hold.ts";
import { getItem, type Item } from "../../../functions/table/table.ts";
import { confirmByName, defineCommand, yesOption } from "../command.ts";
import { operatorAct } from "../operator-act.ts";
import { deleteSurplus } from "../retention/surplus.ts";
import { openService, serviceOptions } from "../service.ts";
import { formatUtc } from "../terminal.ts";
import { userIdOf } from "../users.ts";
import { findHolders, findHoldTarget, type HoldTarget, setHold } from "./legal-holds.ts";

const targetHelp = `<slug or account> is the slug or address of a drop, in the trash too, or a user id or namespace. A name that is both is the drop. The
files of an account are on hold with the account.`;

/** `hold add <slug or account>` */
export const addHoldCommand = defineCommand({
  name: "hold add",
  words: "<slug or account>",
  summary: "puts a drop or an account on legal hold: nothing of it is deleted until hold remove",
  details: `
${targetHelp}

Its owner's deletions are refused (\`legal_hold\`): of the drop, of versions and feedback, in the trash, and of files. So are delete-account,
takedown and transfer. Retention keeps all versions. A drop that expires goes into the trash and stays there. The owner can still edit
it, publish new versions, and bring it back from the trash, and learns of the hold only by a refusal.`,
  options: serviceOptions,
  async run({ word, options }, terminal) {
    const service = await openService(options);
    const target = await findHoldTarget(service, word);
    const isChanged = await setHold(target, true, await operatorAct(service, "add-hold"));
    terminal.print(`${nameOf(target)} is ${isChanged ? "on hold" : "on hold already"}.`);
    return true;
  },
});

/** `hold remove <slug or account>` */
export const removeHoldCommand = defineCommand({
  name: "hold remove",
  words: "<slug or account>",
  summary: "ends a legal hold",
  details: `
${targetHelp}

What was postponed happens again: drops whose time in the trash is over are deleted at the next run of do-due-work, and versions beyond
keepVersions are deleted by this command. If it fails on the way, run it again. A drop of an account on hold stays on hold with it.`,
  options: { ...serviceOptions, yes: yesOption },
  async run({ word, options }, terminal) {
    const service = await openService(options);
    const target = await findHoldTarget(service, word);
    await confirmByName(terminal, {
      name: word,
      isSure: options.yes,
      warning: `${nameOf(target)} will no longer be on hold by itself. What was to be deleted meanwhile will be deleted.`,
    });
    const act = await operatorAct(service, "remove-hold");
    const isChanged = await setHold(target, false, act);
    terminal.print(`${nameOf(target)} is ${isChanged ? "no longer" : "not"} on hold by itself.`);
    if (service.keepVersions === undefined) return true;
    // Retention has postponed these.
    const { ownerId: userId, slug } = target;
    const retention = { ...act, action: "retention" };
    const count = await deleteSurplus(Number(service.keepVersions), retention, { userId, slug });
    terminal.print(`Versions deleted: ${count}.`);
    return true;
  },
});

/** `hold list [<slug or account>]` */
export const listHoldsCommand = defineCommand({
  name: "hold list",
  words: "[<slug or account>]",
  summary: "lists legal holds",
  details: `
Prints the accounts and drops on hold: all of them, which reads the whole table, or those of one drop or account. \`audit --action
add-hold\` says who put them on hold, and when.`,
  options: serviceOptions,
  async run({ words: [name], options }, terminal) {
    const service = await openService(options);
    const target = name === undefined ? undefined : await findHoldTarget(service, name);
    const account = target && (await getItem(keys.account(target.ownerId)));
    const holders = target === undefined ? await findHolders() : account === undefined ? [] : [account];
    const lines = holders.flatMap((item) => describe(item, target?.slug));
    for (const line of lines) terminal.print(line);
    terminal.print(`Holds: ${lines.length}.`);
    return true;
  },
});

function nameOf({ ownerId, slug }: HoldTarget): string {
  return slug === undefined ? `The account ${ownerId}` : `The drop ${slug} of ${ownerId}`;
}

/** The holds of an account: its own, and those of one drop or of all. */
function describe(account: Item, slug: string | undefined): string[] {
  const whose = `${account.namespace} (${userIdOf(account)})`;
  const slugs = [...((account[heldSlugsAttribute] ?? []) as Iterable<string>)].sort();
  return [
    ...(account[heldAttribute] === undefined
      ? []
      : [`account  ${whose}  since ${formatUtc(account[heldAttribute] as number)}`]),
    ...slugs.filter((one) => slug === undefined || one === slug).map((one) => `drop     ${one} of ${whose}`),
  ];
}
