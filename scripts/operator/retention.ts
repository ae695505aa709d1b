import pLimit from "p-limit";
import { storedBytesOf, type Version } from "../../functions/drops/drop.ts";
import { publicDrops } from "../../functions/drops/public-drops.ts";
import { chooseSurplus, removeSurplus } from "../../functions/drops/version-removal.ts";
import type { Act } from "../../functions/table/audit.ts";
import { isAuditKey, keys, parseKey } from "../../functions/table/keys.ts";
import { isHeld } from "../../functions/table/legal-hold.ts";
import { getItem } from "../../functions/table/table.ts";
import { quote, UsageError, yesOption } from "./command.ts";
import { defineServiceCommand } from "./service.ts";
import { findUserId, readItemsOf, type StoredItem } from "./table-reads.ts";

/** `retention` */
export const retentionCommand = defineServiceCommand({
  name: "retention",
  words: "[<account>]",
  summary: "deletes the versions that the setting keepVersions does not keep",
  details: `
The service deletes older versions when a drop gets a new one. This deletes those of all drops of one account (a user id or a
namespace), or of all accounts: run it after keepVersions was set or lowered. Prints versions and bytes by account, and asks before it
deletes. The newest version of a drop always stays. Nothing restores deleted versions. It can be run again after it stopped.

Lines of the audit trail are never deleted by a command: each goes when its own time is over, which auditDays sets when it is written. With
all accounts, it prints their number and age.

Without <account> it reads the whole table.`,
  options: {
    keep: {
      type: "string",
      value: "<number>",
      help: "versions to keep of a drop (the setting keepVersions)",
    },
    "dry-run": { type: "boolean", help: "only prints what would be deleted" },
    yes: yesOption,
  },
  async run({ words: [name], options, service, act, confirm, print, printAll }) {
    if (options.keep !== undefined && !/^[1-9][0-9]{0,2}$/.test(options.keep))
      throw new UsageError(
        `--keep is ${quote(options.keep)}. Write a whole number of versions from 1, such as 20.`,
      );
    const text = options.keep ?? service.keepVersions;
    const keep = text === undefined ? undefined : Number(text);
    if (keep === undefined && !options["dry-run"])
      throw new UsageError("This service keeps all versions. Set keepVersions, or write --keep <number>.");
    const userId = await findUserId(name);
    const auditDays = Number(service.auditDays);
    const { owners, audit } = await surveyRetention(keep, userId, auditDays);
    printAll(describeSurplus(owners, keep));
    if (userId === undefined)
      print(
        `Audit lines: ${audit.all}. Over, and removed by DynamoDB within days: ${audit.over}. Older than auditDays (${auditDays}), written when it was longer: ${audit.older}.`,
      );
    if (options["dry-run"] || keep === undefined || owners.size === 0) return;
    const warning = "These versions will be deleted. Nothing restores them.";
    await confirm(name ?? new URL(service.baseUrl).host, warning);
    print(`Versions deleted: ${await deleteSurplus(keep, await act("retention"), { userId })}.`);
  },
});

/** Versions of a drop that retention removes. */
interface Surplus {
  readonly slug: string;
  readonly ownerId: string;
  readonly namespace: string;
  readonly versions: readonly Version[];
}

type Owners = ReadonlyMap<string, readonly Surplus[]>;

function describeSurplus(owners: Owners, keep: number | undefined): string[] {
  const sumOf = (drops: readonly Surplus[]) => {
    const versions = drops.flatMap((drop) => drop.versions);
    const bytes = versions.reduce((sum, version) => sum + storedBytesOf(version), 0);
    return { drops: drops.length, versions: versions.length, bytes };
  };
  const lines = [...owners].map(([ownerId, surplus]) => {
    const { drops, versions, bytes } = sumOf(surplus);
    return `${surplus[0]?.namespace} (${ownerId})  versions ${versions}  drops ${drops}  bytes ${bytes}`;
  });
  if (keep === undefined) return [...lines, "All versions are kept: keepVersions is not set."];
  const { drops, versions, bytes } = sumOf([...owners.values()].flat());
  return [...lines, `Versions beyond the newest ${keep}: ${versions} of ${drops} drops, ${bytes} bytes.`];
}

/** Lines of the audit trail by their age: all, those whose time is over and which DynamoDB has not removed yet, and those older than the setting. */
interface AuditAges {
  all: number;
  over: number;
  older: number;
}

/** Counts what retention would remove, of one account or of all, by owner. Versions on hold are not among it. */
async function surveyRetention(
  keep: number | undefined,
  userId: string | undefined,
  auditDays: number,
): Promise<{ owners: Owners; audit: AuditAges }> {
  const found: Surplus[] = [];
  const audit = { all: 0, over: 0, older: 0 };
  for await (const items of readItemsOf(userId)) {
    for (const item of items) countAuditLine(audit, item, auditDays);
    found.push(...(await surplusOf(items, keep)));
  }
  return { owners: Map.groupBy(found, ({ ownerId }) => ownerId), audit };
}

/** Deletes versions beyond those to keep, of one account or of all, or of one drop of an account. Returns their number. */
export async function deleteSurplus(
  keep: number,
  act: Act,
  { userId, slug }: { readonly userId: string | undefined; readonly slug?: string | undefined },
): Promise<number> {
  let count = 0;
  for await (const items of readItemsOf(userId))
    for (const found of await surplusOf(items, keep))
      if (slug === undefined || found.slug === slug)
        count += (await removeSurplus(found.slug, keep, { ...act, atMs: Date.now() })).length;
  return count;
}

/** Drops whose versions are listed at the same time. */
const dropsAtOnce = 8;

async function surplusOf(items: readonly StoredItem[], keep: number | undefined): Promise<Surplus[]> {
  if (keep === undefined) return [];
  const drops = items.flatMap((item) => {
    const subject = parseKey(item);
    return subject?.kind === "drop" && (item.versionCount as number) > keep
      ? [{ slug: subject.slug, ownerId: subject.userId, namespace: item.namespace as string }]
      : [];
  });
  const found = await pLimit(dropsAtOnce).map(drops, async (drop) => {
    const isKept = isHeld(await getItem(keys.account(drop.ownerId)), drop.slug);
    const versions = isKept ? [] : chooseSurplus(await publicDrops.listVersions(drop.slug), keep);
    return { ...drop, versions };
  });
  return found.filter(({ versions }) => versions.length > 0);
}

const secondsPerDay = 24 * 60 * 60;

function countAuditLine(ages: AuditAges, item: StoredItem, auditDays: number): void {
  if (!isAuditKey(item)) return;
  const nowSeconds = Date.now() / 1000;
  ages.all += 1;
  if ((item.ttl as number) <= nowSeconds) ages.over += 1;
  else if ((item.atMs as number) / 1000 + auditDays * secondsPerDay <= nowSeconds) ages.older += 1;
}
