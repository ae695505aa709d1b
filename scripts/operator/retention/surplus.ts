import pLimit from "p-limit";
import { storedBytesOf, type Version } from "../../../functions/drops/drop.ts";
import { publicDrops } from "../../../functions/drops/public-drops.ts";
import { chooseSurplus, removeSurplus } from "../../../functions/drops/version-removal.ts";
import type { Act } from "../../../functions/table/audit.ts";
import { isAuditKey, keys, parseKey } from "../../../functions/table/keys.ts";
import { isHeld } from "../../../functions/table/legal-hold.ts";
import { getItem } from "../../../functions/table/table.ts";
import { readItemsOf, type StoredItem } from "../table-reads.ts";

/** Drops whose versions are listed at the same time. */
const dropsAtOnce = 8;

/** Versions of a drop that retention removes. */
interface Surplus {
  readonly slug: string;
  readonly ownerId: string;
  readonly namespace: string;
  readonly versions: readonly Version[];
}

/** Versions and bytes of an account that retention removes. */
export interface OwnerSurplus {
  readonly namespace: string;
  drops: number;
  versions: number;
  bytes: number;
}

/** Lines of the audit trail by their age. */
export interface AuditAges {
  all: number;
  /** Their time is over, and DynamoDB has not removed them yet. */
  over: number;
  /** Older than the setting says, which was longer when they were written. */
  older: number;
}

/** Versions that retention would remove. */
export interface RetentionSurvey {
  readonly owners: ReadonlyMap<string, OwnerSurplus>;
  readonly audit: AuditAges;
}

/** Counts what retention would remove, of one account or of all, by owner. Versions on hold are not among it. */
export async function surveyRetention(options: {
  /** @default - no version is removed */
  readonly keep: number | undefined;
  readonly userId: string | undefined;
  readonly auditDays: number;
}): Promise<RetentionSurvey> {
  const owners = new Map<string, OwnerSurplus>();
  const audit = { all: 0, over: 0, older: 0 };
  for await (const items of readItemsOf(options.userId)) {
    for (const item of items) countAuditLine(audit, item, options.auditDays);
    for (const { ownerId, namespace, versions } of await surplusOf(items, options.keep)) {
      const owner = owners.get(ownerId) ?? { namespace, drops: 0, versions: 0, bytes: 0 };
      owner.drops += 1;
      owner.versions += versions.length;
      owner.bytes += versions.reduce((sum, version) => sum + storedBytesOf(version), 0);
      owners.set(ownerId, owner);
    }
  }
  return { owners, audit };
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
    return {
      ...drop,
      versions: isKept ? [] : chooseSurplus(await publicDrops.listVersions(drop.slug), keep),
    };
  });
  return found.filter(({ versions }) => versions.length > 0);
}

const secondsPerDay = 24 * 60 * 60;

function countAuditLine(ages: AuditAges, item: StoredItem, auditDays: number): void {
  if (!isAuditKey(item)) return;
  const { ttl, atMs } = item;
  const nowSeconds = Date.now() / 1000;
  ages.all += 1;
  if ((ttl as number) <= nowSeconds) ages.over += 1;
  else if ((atMs as number) / 1000 + auditDays * secondsPerDay <= nowSeconds) ages.older += 1;
}
