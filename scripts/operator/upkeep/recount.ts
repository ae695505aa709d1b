import { isDeepStrictEqual } from "node:util";
import { listFiles, mapInParallel } from "../../../functions/administration/accounts.ts";
import { answerCounts } from "../../../functions/answers/answer-counts.ts";
import { type Drop, toLatest, type Version } from "../../../functions/drops/drop.ts";
import { countPageBytes } from "../../../functions/drops/items.ts";
import { publicDrops } from "../../../functions/drops/public-drops.ts";
import { drops } from "../../../functions/drops/store.ts";
import { trash } from "../../../functions/drops/trash-store.ts";
import { latestUpdate } from "../../../functions/drops/version-removal.ts";
import { userIdOf } from "../../../functions/people/accounts.ts";
import type { Act } from "../../../functions/table/audit.ts";
import { auditWrite } from "../../../functions/table/audit-trail.ts";
import { keys } from "../../../functions/table/keys.ts";
import { getItem, type Item, RetryableError, retryConflicts } from "../../../functions/table/table.ts";
import { isUnchanged, transact, writeItems } from "../../../functions/table/table-writes.ts";
import { UsageError } from "../command.ts";
import { defineServiceCommand } from "../service.ts";
import { findAccounts, findUser } from "../table-reads.ts";

export const recountCommand = defineServiceCommand({
  usage: "recount [<account>]",
  summary: "compares the quota counters with the table",
  details: `
Counts drops, files, their bytes, and the versions and answers of each drop. The counters should never differ. You can run the command at
any time, because an account that changes in the meantime is counted again.`,
  options: { all: "counts every account; reads the whole table", fix: "corrects the counters" },
  async run({ words: [name], options: { all: isAll, fix }, action, print }) {
    if ((name === undefined) !== isAll) throw new UsageError("Name an account, or use --all.");
    const recounting = await action("recount");
    const userIds =
      name === undefined ? (await findAccounts()).map(userIdOf) : [(await findUser(name)).userId];
    let isWell = true;
    for (const userId of userIds)
      for await (const { problem, isFixed } of compareAll(userId, recounting, fix)) {
        print(`${problem}${isFixed ? ": fixed" : ""}.`);
        isWell &&= isFixed;
      }
    print(`Accounts counted: ${userIds.length}.`);
    return isWell;
  },
});

/** Compares the counters of an account and of its drops with the table. Yields each difference. */
async function* compareAll(userId: string, act: Act, fix: boolean) {
  const comparison = await compareCounts(userId, fix, act);
  if (comparison === undefined) return;
  const { stored, counted, verdict } = comparison;
  if (verdict !== "equal") {
    const problem = `${userId} records ${describeCounts(stored)}, but has ${describeCounts(counted)}`;
    yield { problem, isFixed: verdict === "fixed" };
  }
  if (!(await isListed(userId, fix)))
    yield { problem: `${userId} is missing from the list of accounts`, isFixed: fix };
  for (const drop of await drops.list(userId)) {
    const found = await compareVersions(drop, fix, act);
    if (found !== undefined) yield { ...found, problem: `${drop.slug} ${found.problem}` };
    const miscount = await answerCounts.findMiscount(drop.slug);
    if (miscount === undefined) continue;
    const line = auditWrite(act, { ownerId: userId, slug: drop.slug });
    if (fix) await answerCounts.recount(drop.slug, act.atMs, { line });
    yield { problem: `${drop.slug} ${miscount}`, isFixed: fix };
  }
}

/**
 * Returns true if an account is in the list of all accounts. With `fix`, adds a missing account. Accounts from version 0.1.0, which had no
 * such list, may be missing.
 */
async function isListed(userId: string, fix: boolean): Promise<boolean> {
  const namespace = (await getItem(keys.account(userId)))?.namespace as string | undefined;
  if (namespace === undefined || (await getItem(keys.accountEntry(namespace)))) return true;
  if (fix) await writeItems({ puts: [{ ...keys.accountEntry(namespace), userId }] });
  return false;
}

/** Counters of an account's quotas. `pageBytes` includes `trashBytes`, which counts the pages in the trash. */
const counters = ["dropCount", "pageBytes", "trashBytes", "blobCount", "blobBytes"] as const;
type Counts = Readonly<Record<(typeof counters)[number], number>>;

function describeCounts({ dropCount, pageBytes, trashBytes, blobCount, blobBytes }: Counts): string {
  const inTrash = trashBytes === 0 ? "" : ` with ${trashBytes} in the trash`;
  return `${dropCount} drops of ${pageBytes} bytes${inTrash}, ${blobCount} files of ${blobBytes} bytes`;
}

/** Compares an account's counters with the table. Starts again if `countsRevision` changes, as it does with every write of a counter. */
export async function compareCounts(userId: string, fix: boolean, act?: Act) {
  return retryConflicts(async () => {
    const before = await getItem(keys.account(userId));
    if (before === undefined) return undefined;
    const counted = await count(userId);
    const stored = Object.fromEntries(counters.map((name) => [name, before[name] ?? 0])) as Counts;
    const isEqual = isDeepStrictEqual(stored, counted);
    const isSame =
      fix && !isEqual
        ? await setCounts(userId, counted, before, act)
        : (await getItem(keys.account(userId)))?.countsRevision === before.countsRevision;
    if (!isSame) throw new RetryableError(`The account ${userId} is being changed. Run the command again.`);
    const verdict: "equal" | "fixed" | "different" = isEqual ? "equal" : fix ? "fixed" : "different";
    return { stored, counted, verdict };
  });
}

async function count(userId: string): Promise<Counts> {
  const lists = [drops.list(userId), trash.list(userId), listFiles(userId)] as const;
  const [all, trashed, files] = await Promise.all(lists);
  const bytesOf = async (some: readonly { readonly slug: string }[]) =>
    (await mapInParallel(some, ({ slug }) => countPageBytes(slug))).reduce((sum, bytes) => sum + bytes, 0);
  const trashBytes = await bytesOf(trashed);
  return {
    dropCount: all.length,
    pageBytes: (await bytesOf(all)) + trashBytes,
    trashBytes,
    blobCount: files.length,
    blobBytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  };
}

/** Writes the counters. Returns false if they have changed since the account was read. */
async function setCounts(userId: string, counted: Counts, before: Item, act?: Act): Promise<boolean> {
  const setting = {
    key: keys.account(userId),
    update: `SET ${counters.map((name) => `${name} = :${name}`).join(", ")} ADD countsRevision :one`,
    condition: `attribute_exists(pk) AND ${isUnchanged("countsRevision", before.countsRevision)}`,
    values: {
      ...Object.fromEntries(counters.map((name) => [`:${name}`, counted[name]])),
      ":one": 1,
      ":seen": before.countsRevision,
    },
  };
  const outcome = await transact([setting, ...(act ? [auditWrite(act, { ownerId: userId })] : [])]);
  return outcome.committed;
}

/** Compares a drop's table item with its versions, at one revision of the drop. Returns undefined if they agree or the drop is deleted. */
export async function compareVersions(found: Drop, fix: boolean, act: Act) {
  const { ownerId, slug } = found;
  let drop = found;
  return retryConflicts(async () => {
    const versions = await publicDrops.listVersions(slug);
    const problem = findVersionProblem(drop, versions);
    if (problem === undefined) return undefined;
    const isFixed: boolean = fix && (await setVersions(drop, versions, act));
    const after: Drop | undefined = await drops.find(ownerId, slug);
    if (isFixed || after?.revision === drop.revision) return { problem, isFixed };
    if (after === undefined) return undefined;
    drop = after;
    throw new RetryableError(`The drop ${slug} is being changed. Run the command again.`);
  });
}

/** Finds a difference between a drop's table item and its versions, which are given latest first. Returns undefined if they agree. */
export function findVersionProblem(drop: Drop, [latest, ...others]: readonly Version[]): string | undefined {
  if (latest === undefined) return "has no version";
  const versionCount = others.length + 1;
  if (drop.versionCount !== versionCount)
    return `records ${drop.versionCount} versions, but has ${versionCount}`;
  if (drop.latest.version !== latest.version || drop.latest.pageKey !== latest.pageKey)
    return `records ${drop.latest.version} as its latest version, but the latest is ${latest.version}`;
  return drop.nextVersion > latest.version ? undefined : `would reuse the version number ${drop.nextVersion}`;
}

/** Corrects a drop's table item to match its versions. Returns false if the drop has no versions, or has changed in the meantime. */
async function setVersions(drop: Drop, versions: readonly Version[], act: Act): Promise<boolean> {
  const [latest] = versions;
  if (latest === undefined) return false;
  const { version, pageKey, hasContext, folder } = toLatest(latest);
  const setting = {
    key: keys.drop(drop.ownerId, drop.slug),
    update: `SET versionCount = :count, nextVersion = :next${latestUpdate({ folder })} ADD revision :one`,
    condition: "revision = :seen",
    values: {
      ":count": versions.length,
      ":version": version,
      ":pageKey": pageKey,
      ":hasContext": hasContext,
      ...(folder && { ":folder": folder }),
      ":next": Math.max(drop.nextVersion, version + 1),
      ":one": 1,
      ":seen": drop.revision,
    },
  };
  const line = auditWrite(act, { ownerId: drop.ownerId, slug: drop.slug });
  return (await transact([setting, line])).committed;
}
