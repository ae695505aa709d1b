import { accessRequests } from "../../../functions/access-requests/store.ts";
import {
  type AccountRow,
  isAccountSuspended,
  listFiles,
} from "../../../functions/administration/accounts.ts";
import { showObjects } from "../../../functions/administration/stored-objects.ts";
import { changeableFileAttributes } from "../../../functions/blobs/store.ts";
import { limits } from "../../../functions/core/limits.ts";
import type { Drop } from "../../../functions/drops/drop.ts";
import {
  commitTransfer,
  type Party,
  type Transfer,
  type TransferOutcome,
  transferDrop,
} from "../../../functions/drops/drop-transfer.ts";
import { countPageBytes, metadataText, pageBytesMax } from "../../../functions/drops/items.ts";
import { drops } from "../../../functions/drops/store.ts";
import { patterns } from "../../../functions/http/schemas.ts";
import { lastIdentityOf } from "../../../functions/people/accounts.ts";
import { isMember } from "../../../functions/people/members.ts";
import { keys } from "../../../functions/table/keys.ts";
import { getItem, type Item, retryConflicts } from "../../../functions/table/table.ts";
import { dataFormat } from "../../../lib/service-version.ts";
import { UsageError, yesOption } from "../command.ts";
import { onHold } from "../hold.ts";
import { defineServiceCommand, type Service, type Work } from "../service.ts";
import { findUser, nameOfUser } from "../table-reads.ts";

/** Maximum number of rounds. Each round moves the drops and files that the owner published during the previous round. */
const roundsMax = 5;

export const transferCommand = defineServiceCommand({
  usage: "transfer <from> <to>",
  summary: "moves drops and files to another account; their addresses stay the same",
  details: `
<from> and <to> are accounts, by user id or namespace. Versions, passcodes, views, metadata and readers stay as they are. <to> can then
list, edit and delete the drops and files, which count against its quotas. Prints what it will move, and asks for confirmation.

If the command fails, run it again. transfer <to> <from> with --drops and --files moves them back. Incomplete uploads stay with <from>. If
<from> is suspended, the transferred drops and files become readable again.`,
  options: {
    "drops <slug>,…": "moves only these drops",
    "files <id>,…": "moves only these files",
    "over-quota": "moves them even if <to> exceeds a quota; <to> cannot publish until it is below the quota",
    "dry-run": "only prints what it would move",
    yes: yesOption,
  },
  async run(work) {
    const { words, options, service } = work;
    const { "over-quota": isOverQuotaAllowed, "dry-run": isDryRun } = options;
    const choice = { slugs: parseIds("drops", options.drops), fileIds: parseIds("files", options.files) };
    // The janitor of an earlier service version would delete the pages of transferred drops.
    const { dataFormat: deployed = "1" } = service;
    if (Number(deployed) < dataFormat)
      throw new Error(`The stack has data format ${deployed}, not ${dataFormat}. Deploy this version first.`);
    const [giver = "", receiver = ""] = words;
    const [from, to] = [await findUser(giver), await findUser(receiver)];
    await requireParties(from, to);
    const plan = await planTransfer(from, to, choice);
    const isAllowed = plan.exceeded.length === 0 || isOverQuotaAllowed;
    work.printAll(describePlan(from, to, plan, isOverQuotaAllowed));
    if (isDryRun) {
      work.print("Dry run: nothing was changed.");
      return isAllowed;
    }
    if (!isAllowed)
      throw new UsageError(
        "Nothing was changed. Choose fewer drops or files with --drops and --files, or use --over-quota.",
      );
    await work.confirm(from.namespace, `These drops and files will belong to ${to.namespace}.`);
    const transfer = { from, to, act: await work.action("transfer"), isOverQuotaAllowed };
    return moveAll(work, transfer, plan, choice);
  },
});

function parseIds(name: string, text: string | undefined): string[] | undefined {
  const ids = text?.split(",").map((id) => id.trim());
  const wrong = ids?.find((id) => !patterns.slug.test(id));
  if (wrong === undefined) return ids;
  throw new UsageError(
    `--${name} contains ${JSON.stringify(wrong)}. Use ids of 7 letters and digits, separated by commas.`,
  );
}

async function requireParties(from: AccountRow, to: AccountRow): Promise<void> {
  if (from.userId === to.userId) throw new UsageError(`Both accounts are ${from.namespace}.`);
  for (const { isBeingDeleted, namespace } of [from, to])
    if (isBeingDeleted) throw new UsageError(`${namespace} is being deleted.`);
  if (to.isSuspended) throw new UsageError(`${to.namespace} is suspended. Run unsuspend first.`);
  if (!(await isMember(lastIdentityOf(to.item))))
    throw new UsageError(
      `${to.namespace} is not a member and could not edit the drops and files. Run members add first.`,
    );
}

/** Selected drops and files of an account. All are selected if both lists are undefined. */
type Choice = Readonly<Record<"slugs" | "fileIds", readonly string[] | undefined>>;

type TransferPlan = Awaited<ReturnType<typeof planTransfer>>;

/** Finds drops and files to transfer, except transferred ones. Throws for an id that neither account has. */
async function planTransfer(from: Party, to: Party, { slugs, fileIds }: Choice) {
  const isAll = slugs === undefined && fileIds === undefined;
  const [own, others] = await Promise.all([drops.list(from.userId), drops.list(to.userId)]);
  const [ownFiles, otherFiles] = await Promise.all([listFiles(from.userId), listFiles(to.userId)]);
  const chosen = choose("drop", own, others, ({ slug }) => slug, isAll ? undefined : (slugs ?? []));
  const files = choose("file", ownFiles, otherFiles, ({ id }) => id, isAll ? undefined : (fileIds ?? []));
  let pageBytes = 0;
  for (const { slug } of chosen) pageBytes += await countPageBytes(slug);
  const fileBytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const account = await getItem(keys.account(to.userId));
  const quota = (what: string, gets: number, counter: string, more: number, most: number) => {
    const will = Number(account?.[counter] ?? 0) + more;
    return { what, will, most, isExceeded: gets > 0 && will > most };
  };
  const { dropsPerAccountMax, blobsPerAccountMax, blobBytesPerAccountMax } = limits;
  const quotas = [
    quota("drops", chosen.length, "dropCount", chosen.length, dropsPerAccountMax),
    quota("bytes of pages", chosen.length, "pageBytes", pageBytes, pageBytesMax()),
    quota("files", files.length, "blobCount", files.length, blobsPerAccountMax),
    quota("bytes of files", files.length, "blobBytes", fileBytes, blobBytesPerAccountMax),
  ];
  return {
    drops: chosen,
    files,
    pageBytes,
    fileBytes,
    /** Descriptions of how much of each quota the receiver uses after the transfer. */
    quotas: quotas.map(({ what, will, most }) => `${will} of ${most} ${what}`),
    /** Quotas that the transfer would exceed. */
    exceeded: quotas.filter(({ isExceeded }) => isExceeded).map(({ what }) => what),
    /** Drops with the same metadata as one of the receiver's drops, so that an upsert would match several drops. */
    alike: findAlike(chosen, others),
  };
}

function choose<Thing>(
  what: string,
  own: readonly Thing[],
  others: readonly Thing[],
  idOf: (thing: Thing) => string,
  ids: readonly string[] | undefined,
): readonly Thing[] {
  if (ids === undefined) return own;
  const known = new Set([...own, ...others].map(idOf));
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length > 0) throw new UsageError(`Neither account has the ${what} ${unknown.join(", ")}.`);
  return own.filter((thing) => ids.includes(idOf(thing)));
}

function findAlike(moved: readonly Drop[], others: readonly Drop[]): string[] {
  const textOf = ({ metadata }: Drop) =>
    metadataText(new Map([...metadata].sort(([one], [two]) => (one < two ? -1 : 1))));
  const texts = new Set(others.map(textOf));
  const alike = moved.filter((drop) => drop.metadata.size > 0 && texts.has(textOf(drop)));
  return alike.map(({ slug }) => slug);
}

function describePlan(
  from: AccountRow,
  to: AccountRow,
  plan: TransferPlan,
  isOverQuotaAllowed: boolean,
): string[] {
  const { drops: all, files, pageBytes, fileBytes, quotas, exceeded, alike } = plan;
  const what = `${all.length} drops of ${pageBytes} bytes and ${files.length} files of ${fileBytes} bytes`;
  const consequence = isOverQuotaAllowed
    ? "The account cannot publish until it is within the quota of"
    : "This exceeds the quota of";
  const lines = [
    `From ${nameOfUser(from)} to ${nameOfUser(to)}: ${what}.`,
    "The addresses stay the same.",
    `${to.namespace} will have ${quotas.join(", ")}.`,
    alike.length > 0 &&
      `${to.namespace} has drops with the same metadata as ${alike.join(", ")}: upserts with that metadata will be refused (several_match) until they differ.`,
    from.isSuspended &&
      `${from.namespace} is suspended. The transfer makes its drops and files readable again.`,
    exceeded.length > 0 && `${consequence} ${exceeded.join(", ")}.`,
  ];
  return lines.filter((line) => line !== false);
}

/** Moves drops and files. Resolves to false if some of them were not moved. */
async function moveAll(
  { service, print }: Work,
  transfer: Transfer,
  plan: TransferPlan,
  choice: Choice,
): Promise<boolean> {
  const { from, to } = transfer;
  const counts = { drops: 0, files: 0 };
  let isWell = true;
  const settle = (kind: keyof typeof counts, id: string, outcome: TransferOutcome) => {
    if (outcome.kind === "transferred") counts[kind] += 1;
    if (outcome.kind === "transferred" || outcome.kind === "gone") return;
    if (outcome.kind === "held") throw onHold(outcome.giver);
    if (outcome.kind === "closed")
      throw new Error(`The account ${outcome.party.namespace} is deleted, suspended or being deleted.`);
    isWell = false;
    const why = outcome.kind === "taken" ? "has one with the same id" : "has no quota left for it";
    print(`${id} stays with ${from.namespace}: ${to.namespace} ${why}.`);
  };
  const isNamed = choice.slugs !== undefined || choice.fileIds !== undefined;
  let left: Pick<TransferPlan, "drops" | "files"> = plan;
  for (let round = 1; ; round += 1) {
    for (const { slug } of left.drops) {
      settle("drops", slug, await transferDrop(slug, transfer));
      await accessRequests.follow(slug);
    }
    for (const { id } of left.files) settle("files", id, await transferFile(id, transfer));
    // The owner may have published more drops or files in the meantime.
    left = isNamed ? { drops: [], files: [] } : await planTransfer(from, to, choice);
    if (left.drops.length + left.files.length === 0 || !isWell || round === roundsMax) break;
  }
  await showMovedFiles(service, to);
  print(`Drops transferred: ${counts.drops}. Files transferred: ${counts.files}.`);
  const isStillPublishing = isWell && left.drops.length + left.files.length > 0;
  if (isStillPublishing) print(`${from.namespace} is still publishing. Run the command again.`);
  return isWell && !isStillPublishing;
}

/** Makes the objects of all transferred files readable, even of an earlier, failed run, because a suspension may have hidden them. */
async function showMovedFiles({ blobsBucket }: Service, { userId, namespace }: Party): Promise<void> {
  const moved = (await listFiles(userId)).filter((file) => file.namespace !== namespace);
  const objectKeys = moved.map(({ objectKey }) => objectKey);
  await showObjects(blobsBucket, objectKeys);
  if (await isAccountSuspended(userId))
    throw new Error(`${namespace} was suspended in the meantime. Run suspend again.`);
}

/** Moves a file to another account in one transaction. The file's object and address stay the same. */
async function transferFile(id: string, transfer: Transfer): Promise<TransferOutcome> {
  const { from, to } = transfer;
  return retryConflicts(async () => {
    const item = await getItem(keys.blob(from.userId, id));
    if (item === undefined) return { kind: "gone" };
    const things = {
      before: { remove: keys.blob(from.userId, id), ...unchanged(item) },
      after: { put: { ...item, ...keys.blob(to.userId, id) }, condition: "attribute_not_exists(pk)" },
      pointer: {
        key: keys.filePointer(item.namespace as string, id),
        update: "SET ownerId = :to ADD transferCount :one",
        condition: "attribute_not_exists(pk) OR ownerId = :from",
        values: { ":to": to.userId, ":from": from.userId, ":one": 1 },
      },
    };
    const counts = { drops: 0, pageBytes: 0, files: 1, fileBytes: item.sizeBytes as number };
    return commitTransfer(transfer, things, counts, { blobId: id });
  });
}

/** Builds the condition that a file's table item is unchanged. Compares all changeable attributes, because the item has no revision. */
function unchanged(item: Item) {
  const conditions = changeableFileAttributes.map((name) =>
    item[name] === undefined ? `attribute_not_exists(${name})` : `${name} = :${name}`,
  );
  const values = Object.fromEntries(changeableFileAttributes.map((name) => [`:${name}`, item[name]]));
  return { condition: ["attribute_exists(pk)", ...conditions].join(" AND "), values };
}
