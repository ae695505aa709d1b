import { patterns } from "../../../functions/http/schemas.ts";
import { lastIdentityOf } from "../../../functions/identity/accounts.ts";
import { isMember } from "../../../functions/identity/members.ts";
import { ranges } from "../../../functions/table/keys.ts";
import { queryAll } from "../../../functions/table/table.ts";
import { dataFormat } from "../../../lib/service-version.ts";
import { confirmByName, defineCommand, UsageError, yesOption } from "../command.ts";
import { operatorAct } from "../operator-act.ts";
import { openService, type Service, serviceOptions } from "../service.ts";
import { showObjects } from "../takedown/file-hiding.ts";
import type { Terminal } from "../terminal.ts";
import { findUser, type User } from "../users.ts";
import { isAccountSuspended } from "./given-away.ts";
import { type Transfer, type TransferOutcome, transferDrop, transferFile } from "./ownership.ts";
import { brokenQuotas, type Choice, planTransfer, type TransferPlan } from "./transfer-plan.ts";

/** Rounds that look for drops and files that were published meanwhile. */
const roundsMax = 5;

/** `transfer <from> <to>` */
export const transferCommand = defineCommand({
  name: "transfer",
  words: "<from> <to>",
  summary: "moves drops and files to another account; their addresses stay",
  details: `
<from> and <to> are accounts, by user id or namespace. Addresses, versions, passcodes, views, metadata and readers stay as they are. <to>
lists, edits and deletes the drops and files from then on, and they count against its quotas. The command prints what it will move, and
asks.

If it fails on the way, run it again: it continues. transfer <to> <from> with --drops and --files moves them back. Uploads that are not
complete stay with <from>. Drops and files of a suspended account become readable again in one that is not.`,
  options: {
    ...serviceOptions,
    drops: { type: "string", value: "<slug>,…", help: "moves only these drops" },
    files: { type: "string", value: "<id>,…", help: "moves only these files" },
    "over-quota": {
      type: "boolean",
      help: "also if <to> exceeds a quota, and cannot publish until it has room",
    },
    "dry-run": { type: "boolean", help: "only prints what it would move" },
    yes: yesOption,
  },
  async run(input, terminal) {
    const [giver = "", getter = ""] = input.words;
    const { drops, files, "over-quota": isOverQuotaAllowed } = input.options;
    const choice = { slugs: parseIds("drops", drops), fileIds: parseIds("files", files) };
    const service = await openService(input.options);
    requireForm(service);
    const [from, to] = [await findUser(giver), await findUser(getter)];
    await requireParties(from, to);
    const plan = await planTransfer(from, to, choice);
    const isWithinQuotas = printPlan({ from, to, plan, isOverQuotaAllowed }, terminal);
    if (input.options["dry-run"]) {
      terminal.print("Dry run: nothing was changed.");
      return isWithinQuotas || isOverQuotaAllowed;
    }
    if (!isWithinQuotas && !isOverQuotaAllowed)
      throw new UsageError(
        "Nothing was changed. Choose fewer with --drops and --files, or use --over-quota.",
      );
    await confirmByName(terminal, {
      name: from.namespace,
      isSure: input.options.yes,
      warning: `They will belong to ${to.namespace}.`,
    });
    const act = await operatorAct(service, "transfer");
    return run(service, { from, to, act, isOverQuotaAllowed }, { plan, choice, terminal });
  },
});

/** A janitor of an earlier version would delete the pages of moved drops. */
function requireForm({ dataFormat: deployed = "1" }: Service): void {
  if (Number(deployed) < dataFormat)
    throw new Error(
      `The stack has data format ${deployed}, not ${dataFormat}. Deploy this version of it first.`,
    );
}

function parseIds(name: string, text: string | undefined): string[] | undefined {
  const ids = text?.split(",").map((id) => id.trim());
  const wrong = ids?.find((id) => !patterns.slug.test(id));
  if (wrong === undefined) return ids;
  throw new UsageError(
    `--${name} has ${JSON.stringify(wrong)}. Use ids of 7 letters and digits, separated by commas.`,
  );
}

async function requireParties(from: User, to: User): Promise<void> {
  if (from.userId === to.userId) throw new UsageError(`Both accounts are ${from.namespace}.`);
  if (from.isBeingDeleted) throw new UsageError(`${from.namespace} is being deleted.`);
  if (to.isBeingDeleted) throw new UsageError(`${to.namespace} is being deleted.`);
  if (to.isSuspended) throw new UsageError(`${to.namespace} is suspended. Run unsuspend first.`);
  if (!(await isMember(lastIdentityOf(to.item))))
    throw new UsageError(`${to.namespace} is not a member and could not edit them. Run members add first.`);
}

interface Told {
  readonly from: User;
  readonly to: User;
  readonly plan: TransferPlan;
  readonly isOverQuotaAllowed: boolean;
}

/** Prints the plan. Returns false if it exceeds a quota. */
function printPlan({ from, to, plan, isOverQuotaAllowed }: Told, terminal: Terminal): boolean {
  const { drops, files, pageBytes, fileBytes, quotas, alike } = plan;
  const what = `${drops.length} drops of ${pageBytes} bytes and ${files.length} files of ${fileBytes} bytes`;
  terminal.print(`From ${from.namespace} (${from.userId}) to ${to.namespace} (${to.userId}): ${what}.`);
  terminal.print("Their addresses stay as they are.");
  const will = quotas.map(({ what: name, will: count, most }) => `${count} of ${most} ${name}`);
  terminal.print(`${to.namespace} will have ${will.join(", ")}.`);
  if (alike.length > 0)
    terminal.print(
      `${to.namespace} has drops with the same metadata as ${alike.join(", ")}: upserts with that metadata will be refused (several_match) until they differ.`,
    );
  if (from.isSuspended) terminal.print(`${from.namespace} is suspended. What moves becomes readable again.`);
  const broken = brokenQuotas(plan);
  if (broken.length > 0) {
    const which = broken.map(({ what: name }) => name).join(", ");
    const so = isOverQuotaAllowed ? "It cannot publish until it has room for" : "That exceeds the quota of";
    terminal.print(`${so} ${which}.`);
  }
  return broken.length === 0;
}

interface Run {
  readonly plan: TransferPlan;
  readonly choice: Choice;
  readonly terminal: Terminal;
}

/** Moves drops and files. Resolves to false if some stay. */
async function run(service: Service, transfer: Transfer, { plan, choice, terminal }: Run): Promise<boolean> {
  const { from, to } = transfer;
  const counts = { drops: 0, files: 0 };
  let isWell = true;
  const settle = (kind: keyof typeof counts, id: string, outcome: TransferOutcome) => {
    if (outcome === "transferred") counts[kind] += 1;
    const problem = problemOf(outcome, to.namespace);
    if (problem === undefined) return;
    isWell = false;
    terminal.print(`${id} stays with ${from.namespace}: ${problem}.`);
  };
  const isNamed = choice.slugs !== undefined || choice.fileIds !== undefined;
  let left: Pick<TransferPlan, "drops" | "files"> = plan;
  for (let round = 1; ; round += 1) {
    for (const { slug } of left.drops) settle("drops", slug, await transferDrop(slug, transfer));
    for (const { id } of left.files) settle("files", id, await transferFile(id, transfer));
    // The owner may have published more meanwhile.
    left = isNamed ? { drops: [], files: [] } : await planTransfer(from, to, choice);
    if (left.drops.length + left.files.length === 0 || !isWell || round === roundsMax) break;
  }
  await showFiles(service, transfer);
  terminal.print(`Drops transferred: ${counts.drops}. Files transferred: ${counts.files}.`);
  if (isWell && left.drops.length + left.files.length > 0) {
    terminal.print(`${from.namespace} is still publishing. Run the command again.`);
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

/** Unhides the files of other accounts, which a suspension had hidden. All of them: an earlier run may have failed here. */
async function showFiles({ blobsBucket }: Service, { to }: Transfer): Promise<void> {
  const rows = await queryAll(ranges.blobs(to.userId), { attributes: ["objectKey", "namespace"] });
  const moved = rows.filter(({ namespace }) => namespace !== to.namespace);
  await showObjects(
    blobsBucket,
    moved.map(({ objectKey }) => String(objectKey)),
  );
  if (await isAccountSuspended(to.userId))
    throw new Error(`${to.namespace} was suspended meanwhile. Run suspend again.`);
}
