import { patterns } from "../../../functions/http/schemas.ts";
import { lastIdentityOf } from "../../../functions/identity/accounts.ts";
import { isMember } from "../../../functions/identity/members.ts";
import { ranges } from "../../../functions/table/keys.ts";
import { queryAll } from "../../../functions/table/table.ts";
import { dataFormat } from "../../../lib/service-version.ts";
import { type Command, type CommandInput, confirmByName, textOption, UsageError } from "../command.ts";
import { operatorAct } from "../operator-act.ts";
import { openService, type Service, serviceHelp, serviceOptions, serviceUsage } from "../service.ts";
import { showObjects } from "../takedown/file-hiding.ts";
import type { Terminal } from "../terminal.ts";
import { findUser, type User } from "../users.ts";
import { isAccountSuspended } from "./given-away.ts";
import { type Transfer, type TransferOutcome, transferDrop, transferFile } from "./ownership.ts";
import { brokenQuotas, type Choice, planTransfer, type TransferPlan } from "./transfer-plan.ts";

/** How often it looks again for what was published while it was at work. */
const roundsMax = 5;

/** `transfer <from> <to>` */
export const transferCommand: Command = {
  usage: `<from> <to> [--drops <slug>,…] [--files <id>,…] ${serviceUsage}`,
  summary: "gives the drops and files of an account to another, at the same addresses",
  help: `
<from> and <to> are accounts, by user id or namespace. Every address stays as it is and works as before, below <from>'s namespace,
with versions, passcode, views, metadata and who may read it; <to> has them in its lists and on its page from then on, edits and
deletes them, and they count against its quotas. First this says what would go and what that comes to, and asks.

Each drop and each file goes by itself, whole. Should it end half-way, run it again: it goes on where it was. transfer <to> <from>
with --drops and --files takes it back. An upload that is under way stays <from>'s. What of a suspended account goes to one that is
not is to be read again by whom it is for.

  --drops <slug>,… only these drops
  --files <id>,…   only these files: with one of the two, nothing that neither names
  --over-quota     also where <to> will be over a quota: then it can publish nothing more until there is room
  --dry-run        only says what would go
  --yes            does not ask${serviceHelp}`,
  options: {
    ...serviceOptions,
    drops: { type: "string" },
    files: { type: "string" },
    "over-quota": { type: "boolean" },
    "dry-run": { type: "boolean" },
    yes: { type: "boolean" },
  },
  async run(input, terminal) {
    const [giver, getter, ...others] = input.words;
    if (giver === undefined || getter === undefined || others.length > 0)
      throw new UsageError("Say from whom and to whom: transfer <from> <to>.");
    const choice = { slugs: idsOption(input, "drops"), fileIds: idsOption(input, "files") };
    const service = await openService(input);
    requireForm(service);
    const [from, to] = [await findUser(giver), await findUser(getter)];
    await requireParties(from, to);
    const plan = await planTransfer(from, to, choice);
    const isOverQuotaAllowed = input.options["over-quota"] === true;
    const isWithinQuotas = tellPlan({ from, to, plan, isOverQuotaAllowed }, terminal);
    if (input.options["dry-run"] === true) {
      terminal.print("Nothing was changed: this was a dry run.");
      return isWithinQuotas || isOverQuotaAllowed;
    }
    if (!isWithinQuotas && !isOverQuotaAllowed)
      throw new UsageError("Nothing was changed: choose less with --drops and --files, or say --over-quota.");
    await confirmByName(terminal, {
      name: from.namespace,
      isSure: input.options.yes === true,
      warning: `They will be ${to.namespace}'s.`,
    });
    const act = await operatorAct(service, "transfer");
    return run(service, { from, to, act, isOverQuotaAllowed }, { plan, choice, terminal });
  },
};

/** A janitor that knows of no transfer takes what goes for deleted, with its pages. */
function requireForm({ dataFormat: deployed = "1" }: Service): void {
  if (Number(deployed) < dataFormat)
    throw new Error(
      `The stack has data of form ${deployed}, not ${dataFormat}: deploy this version of it first.`,
    );
}

function idsOption(input: CommandInput, name: string): string[] | undefined {
  const text = textOption(input, name);
  if (input.options[name] === "") throw new UsageError(`Say which: --${name} Ab3dE6g,Fg4hI7j.`);
  const ids = text?.split(",").map((id) => id.trim());
  const wrong = ids?.find((id) => !patterns.slug.test(id));
  if (wrong === undefined) return ids;
  throw new UsageError(
    `--${name} has ${JSON.stringify(wrong)}: write 7 letters and digits each, with commas.`,
  );
}

async function requireParties(from: User, to: User): Promise<void> {
  if (from.userId === to.userId) throw new UsageError(`${from.namespace} has them already.`);
  if (from.isBeingDeleted) throw new UsageError(`${from.namespace} is being deleted.`);
  if (to.isBeingDeleted) throw new UsageError(`${to.namespace} is being deleted.`);
  if (to.isSuspended) throw new UsageError(`${to.namespace} is suspended: unsuspend it first.`);
  if (!(await isMember(lastIdentityOf(to.item))))
    throw new UsageError(`${to.namespace} is no member, and could do nothing with them: members add first.`);
}

interface Told {
  readonly from: User;
  readonly to: User;
  readonly plan: TransferPlan;
  readonly isOverQuotaAllowed: boolean;
}

/** Whether it is within the quotas. */
function tellPlan({ from, to, plan, isOverQuotaAllowed }: Told, terminal: Terminal): boolean {
  const { drops, files, pageBytes, fileBytes, quotas, alike } = plan;
  const what = `${drops.length} drops of ${pageBytes} bytes and ${files.length} files of ${fileBytes} bytes`;
  terminal.print(`From ${from.namespace} (${from.userId}) to ${to.namespace} (${to.userId}): ${what}.`);
  terminal.print("Their addresses stay as they are.");
  const will = quotas.map(({ what: name, will: count, most }) => `${count} of ${most} ${name}`);
  terminal.print(`${to.namespace} will have ${will.join(", ")}.`);
  if (alike.length > 0)
    terminal.print(
      `${to.namespace} has drops with the same metadata as ${alike.join(", ")}: publishing by that metadata will be refused (several_match) until they differ.`,
    );
  if (from.isSuspended)
    terminal.print(`${from.namespace} is suspended: what goes is to be read again by whom it is for.`);
  const broken = brokenQuotas(plan);
  if (broken.length > 0) {
    const which = broken.map(({ what: name }) => name).join(", ");
    const so = isOverQuotaAllowed ? "It can publish nothing more until there is room" : "That is too much";
    terminal.print(`${so}: ${which}.`);
  }
  return broken.length === 0;
}

interface Run {
  readonly plan: TransferPlan;
  readonly choice: Choice;
  readonly terminal: Terminal;
}

/** Whether all of it has gone. */
async function run(service: Service, transfer: Transfer, { plan, choice, terminal }: Run): Promise<boolean> {
  const { from, to } = transfer;
  const counts = { drops: 0, files: 0 };
  let isWell = true;
  const settle = (kind: keyof typeof counts, id: string, outcome: TransferOutcome) => {
    if (outcome === "transferred") counts[kind] += 1;
    const problem = problemOf(outcome, to.namespace);
    if (problem === undefined) return;
    isWell = false;
    terminal.print(`${id} stays ${from.namespace}'s: ${problem}.`);
  };
  const isNamed = choice.slugs !== undefined || choice.fileIds !== undefined;
  let left: Pick<TransferPlan, "drops" | "files"> = plan;
  for (let round = 1; ; round += 1) {
    for (const { slug } of left.drops) settle("drops", slug, await transferDrop(slug, transfer));
    for (const { id } of left.files) settle("files", id, await transferFile(id, transfer));
    // What was published while this was at work.
    left = isNamed ? { drops: [], files: [] } : await planTransfer(from, to, choice);
    if (left.drops.length + left.files.length === 0 || !isWell || round === roundsMax) break;
  }
  await showFiles(service, transfer);
  terminal.print(`Drops transferred: ${counts.drops}. Files transferred: ${counts.files}.`);
  if (isWell && left.drops.length + left.files.length > 0) {
    terminal.print(`${from.namespace} goes on publishing: run the command again.`);
    return false;
  }
  return isWell;
}

function problemOf(outcome: TransferOutcome, getter: string): string | undefined {
  switch (outcome) {
    case "transferred":
    case "gone":
      return undefined;
    case "over-quota":
      return `${getter} has no room for it`;
    case "taken":
      return `${getter} has one with the same id`;
  }
}

/**
 * Shows what came from other accounts: a suspension hides files by their objects. Of all that came, because a run before may have
 * ended in between.
 */
async function showFiles({ blobsBucket }: Service, { to }: Transfer): Promise<void> {
  const rows = await queryAll(ranges.blobs(to.userId), { attributes: ["objectKey", "namespace"] });
  const came = rows.filter(({ namespace }) => namespace !== to.namespace);
  await showObjects(
    blobsBucket,
    came.map(({ objectKey }) => String(objectKey)),
  );
  if (await isAccountSuspended(to.userId))
    throw new Error(`${to.namespace} was suspended meanwhile: suspend it once more.`);
}
