import { mapInParallel } from "../../functions/administration/accounts.ts";
import { storedBytesOf } from "../../functions/drops/drop.ts";
import { publicDrops } from "../../functions/drops/public-drops.ts";
import { chooseSurplus, removeSurplus } from "../../functions/drops/version-removal.ts";
import type { Act } from "../../functions/table/audit.ts";
import { isAuditKey, keys, parseKey } from "../../functions/table/keys.ts";
import { isHeld } from "../../functions/table/legal-hold.ts";
import { getItem } from "../../functions/table/table.ts";
import { quote, UsageError, yesOption } from "./command.ts";
import { defineServiceCommand } from "./service.ts";
import { findUserId, nameOfUser, readParts, type StoredItem } from "./table-reads.ts";

export const retentionCommand = defineServiceCommand({
  usage: "retention [<account>]",
  summary: "deletes versions beyond the number that the setting keepVersions allows",
  details: `
The service deletes older versions when a drop gets a new one. This command deletes older versions of one account or of all accounts. Run
the command after keepVersions was set or lowered. It asks for confirmation. If it stops, run it again. The newest version of a drop is
kept. Deleted versions cannot be restored.

Without <account>, the command reads the whole table, and prints the number and age of the audit lines. DynamoDB deletes a line auditDays
after it was written, with the value of auditDays at that time.`,
  options: {
    "keep <number>": "the number of versions to keep of each drop (the setting keepVersions)",
    "dry-run": "only prints what would be deleted",
    yes: yesOption,
  },
  async run({ words: [name], options, service, action, confirm, print, printAll }) {
    if (options.keep !== undefined && !/^[1-9][0-9]{0,2}$/.test(options.keep))
      throw new UsageError(`--keep is ${quote(options.keep)}. Use an integer from 1 to 999.`);
    const text = options.keep ?? service.keepVersions;
    const keep = text === undefined ? undefined : Number(text);
    if (keep === undefined && !options["dry-run"])
      throw new UsageError("This service keeps all versions. Set keepVersions, or use --keep <number>.");
    const userId = await findUserId(name);
    const auditDays = Number(service.auditDays);
    const surplus: Surplus[] = [];
    const audit = { all: 0, expired: 0, older: 0 };
    const nowSeconds = Date.now() / 1000;
    for await (const { items } of readParts(userId)) {
      for (const { ttl, atMs } of items.filter(isAuditKey)) {
        audit.all += 1;
        if ((ttl as number) <= nowSeconds) audit.expired += 1;
        else if ((atMs as number) / 1000 + auditDays * secondsPerDay <= nowSeconds) audit.older += 1;
      }
      surplus.push(...(await findSurplus(items, keep)));
    }
    printAll([...Map.groupBy(surplus, ({ userId: id }) => id)].map(toRow));
    const { drops, versions, bytes } = sumOf(surplus);
    if (keep === undefined) print("All versions are kept: keepVersions is not set.");
    else print(`Versions beyond the newest ${keep}: ${versions} of ${drops} drops, ${bytes} bytes.`);
    if (userId === undefined)
      print(
        `Audit lines: ${audit.all}. Expired, and removed by DynamoDB within days: ${audit.expired}. Older than auditDays (${auditDays}), but kept because auditDays was higher when they were written: ${audit.older}.`,
      );
    if (options["dry-run"] || keep === undefined || surplus.length === 0) return;
    const confirmed = name ?? new URL(service.baseUrl).host;
    await confirm(confirmed, "These versions will be deleted. They cannot be restored.");
    print(`Versions deleted: ${await deleteSurplus(keep, await action("retention"), userId)}.`);
  },
});

type Surplus = Awaited<ReturnType<typeof findSurplus>>[number];

function sumOf(surplus: readonly Surplus[]) {
  const versions = surplus.flatMap((drop) => drop.versions);
  const bytes = versions.reduce((sum, version) => sum + storedBytesOf(version), 0);
  return { drops: surplus.length, versions: versions.length, bytes };
}

function toRow([userId, surplus]: readonly [userId: string, surplus: readonly Surplus[]]): string[] {
  const { drops, versions, bytes } = sumOf(surplus);
  const owner = nameOfUser({ namespace: surplus[0]?.namespace ?? "", userId });
  return [owner, `versions ${versions}`, `drops ${drops}`, `bytes ${bytes}`];
}

/** Deletes versions beyond `keep` from all accounts, from one account, or from one of its drops. Returns the number of deleted versions. */
export async function deleteSurplus(keep: number, act: Act, userId?: string, slug?: string): Promise<number> {
  let count = 0;
  for await (const { items } of readParts(userId))
    for (const found of await findSurplus(items, keep))
      if (slug === undefined || found.slug === slug)
        count += (await removeSurplus(found.slug, keep, { ...act, atMs: Date.now() })).length;
  return count;
}

const secondsPerDay = 24 * 60 * 60;

/** Finds the drops with more than `keep` versions, and the versions that retention deletes. */
async function findSurplus(items: readonly StoredItem[], keep: number | undefined) {
  if (keep === undefined) return [];
  const drops = items.flatMap((item) => {
    const subject = parseKey(item);
    return subject?.kind === "drop" && (item.versionCount as number) > keep
      ? [{ slug: subject.slug, userId: subject.userId, namespace: item.namespace as string }]
      : [];
  });
  const found = await mapInParallel(drops, async (drop) => {
    const isKept = isHeld(await getItem(keys.account(drop.userId)), drop.slug);
    const versions = isKept ? [] : chooseSurplus(await publicDrops.listVersions(drop.slug), keep);
    return { ...drop, versions };
  });
  return found.filter(({ versions }) => versions.length > 0);
}
