import { type Drop, toLatest, type Version } from "../../../functions/drops/drop.ts";
import { publicDrops } from "../../../functions/drops/public-drops.ts";
import { drops } from "../../../functions/drops/store.ts";
import { latestUpdate } from "../../../functions/drops/version-removal.ts";
import type { Act } from "../../../functions/table/audit.ts";
import { auditWrite } from "../../../functions/table/audit-trail.ts";
import { keys } from "../../../functions/table/keys.ts";
import { RetryableError, retryConflicts } from "../../../functions/table/table.ts";
import { transact } from "../../../functions/table/table-writes.ts";

/** Difference between a drop's item and its versions, and whether it was corrected. */
export interface VersionProblem {
  readonly slug: string;
  readonly problem: string;
  readonly isFixed: boolean;
}

/**
 * Compares a drop's count of versions and its latest one with its versions, and corrects them if told to. Every change raises the
 * drop's revision: only reads at an unchanged revision count. Undefined if nothing differs or the drop is gone.
 *
 * @throws ApiError `unavailable` where it is changed each time
 */
export async function compareVersions(
  found: Drop,
  fix: boolean,
  act: Act,
): Promise<VersionProblem | undefined> {
  const { ownerId, slug } = found;
  let drop = found;
  return retryConflicts(async () => {
    const versions = await publicDrops.listVersions(slug);
    const problem = findVersionProblem(drop, versions);
    if (problem === undefined) return undefined;
    const isFixed: boolean = fix && (await setVersions(drop, versions, act));
    const after: Drop | undefined = await drops.find(ownerId, slug);
    if (isFixed || after?.revision === drop.revision) return { slug, problem, isFixed };
    if (after === undefined) return undefined;
    drop = after;
    throw new RetryableError(`The drop ${slug} is being changed. Run the command again.`);
  });
}

/** Finds a difference between a drop's item and its versions, latest first; undefined when they agree. */
export function findVersionProblem(drop: Drop, [latest, ...others]: readonly Version[]): string | undefined {
  if (latest === undefined) return "has no version";
  const count = others.length + 1;
  if (drop.versionCount !== count) return `counts ${drop.versionCount} versions, and has ${count}`;
  if (drop.latest.version !== latest.version || drop.latest.pageKey !== latest.pageKey)
    return `says its latest version is ${drop.latest.version}, which is ${latest.version}`;
  return drop.nextVersion > latest.version ? undefined : `would give number ${drop.nextVersion} again`;
}

/** Corrects a drop's item by its versions. Returns false if there are none, or the drop has changed since. */
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
