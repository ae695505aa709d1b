import { invalidateNowAndLater } from "../background/invalidate.ts";
import type { CachedObject } from "../background/invalidation.ts";
import { removeObjects } from "../background/remove-objects.ts";
import {
  collectFromChanges,
  type FoundItem,
  requireText,
  type TableChange,
  type TableListener,
} from "../background/table-change.ts";
import type { Job } from "../background/worker.ts";
import { archiveKey, type VersionFolder } from "../folders/folder.ts";
import { isOpenToAll, toVisibility } from "../policies/access.ts";
import { serviceAct } from "../table/audit.ts";
import { ranges } from "../table/keys.ts";
import { getItem, type Item, queryAll, queryKeys } from "../table/table.ts";
import { deleteItems } from "../table/table-writes.ts";
import { ownObjectKeysOf } from "./drop.ts";
import { keptVersionsMax, toVersion } from "./items.ts";
import { pagesBucket, s3 } from "./page-objects.ts";
import { publicDrops } from "./public-drops.ts";
import { readTrail } from "./read-trail.ts";
import { findKeptDrop } from "./trash-store.ts";
import { removeSurplus } from "./version-removal.ts";
import { viewCounts } from "./view-counts.ts";

/** A change of a drop or version to which features react. */
export type DropChange =
  | {
      readonly kind: "drop-removed";
      readonly ownerId: string;
      readonly slug: string;
      readonly namespace: string;
    }
  | { readonly kind: "drop-purged"; readonly ownerId: string; readonly slug: string }
  /** The drop became restricted or expires earlier, and the edge may have cached a response. */
  | { readonly kind: "drop-restricted"; readonly slug: string; readonly namespace: string }
  | { readonly kind: "version-added"; readonly slug: string; readonly version: number }
  | {
      readonly kind: "version-removed";
      readonly slug: string;
      readonly version: number;
      readonly pageKey: string;
      /** Keys of objects that only this version uses. */
      readonly objectKeys: readonly string[];
      /** Keys of file packs that other versions of the drop may share. */
      readonly packKeys: readonly string[];
    };

/** Parses a change of a drop or version. Returns undefined for other changes. @throws TypeError for a row that the service did not write */
export function readDropChange({ eventName, subject, before, after }: TableChange): DropChange | undefined {
  if (subject?.kind === "version") {
    const { slug, version } = subject;
    if (eventName === "INSERT") return { kind: "version-added", slug, version };
    return eventName === "REMOVE" ? readVersionRemoval(slug, version, before) : undefined;
  }
  if (subject?.kind === "trashed-drop") {
    const { userId: ownerId, slug } = subject;
    return eventName === "REMOVE" ? { kind: "drop-purged", ownerId, slug } : undefined;
  }
  if (subject?.kind !== "drop") return undefined;
  const { userId: ownerId, slug } = subject;
  if (eventName === "REMOVE") {
    return { kind: "drop-removed", ownerId, slug, namespace: requireText("namespace", before?.namespace) };
  }
  // The edge never caches a drop with a passcode, so changing or removing the passcode needs no invalidation.
  const isRestricted =
    eventName === "MODIFY" && isCached(before) && (!isCached(after) || endsEarlier(before, after));
  return isRestricted
    ? { kind: "drop-restricted", slug, namespace: requireText("namespace", before?.namespace) }
    : undefined;
}

function readVersionRemoval(slug: string, version: number, before: Item = {}): DropChange {
  const pageKey = requireText("pageKey", before.pageKey);
  const removed = toVersion(before);
  const { packKeys = [] } = removed.folder ?? {};
  const archive = removed.folder === undefined ? [] : [archiveKey(pageKey)];
  const objectKeys = [...ownObjectKeysOf(removed), ...archive];
  return { kind: "version-removed", slug, version, pageKey, objectKeys, packKeys };
}

/** Checks if the edge may cache a drop's pages: the drop has no passcode, and anyone may read it. */
function isCached(drop: Item = {}): boolean {
  return drop.passcodeHash === undefined && isOpenToAll({ visibility: toVisibility(drop) });
}

function endsEarlier({ expiresAtMs: before }: Item = {}, { expiresAtMs: after }: Item = {}): boolean {
  return typeof after === "number" && (typeof before !== "number" || after < before);
}

/** Stream listener that removes deleted drops from the table, Amazon S3 and the edge cache, and restricted drops from the edge cache. */
export const dropsListener: TableListener = {
  feature: "drops",
  onTableChange(changes) {
    const all = collectFromChanges("drops", changes, readDropChange);
    const findings = all.filter(({ found }) => found.kind !== "version-added");
    // Invalidates cached responses first, because the edge serves them until the invalidation.
    return [
      ...invalidation(findings),
      ...findings.flatMap((item) => dropRemovalJobs(item, removeDrop)),
      ...pageRemoval(findings),
      ...surplusRemoval(all),
    ];
  },
};

/** Checks if an operator has restored a removed table row. */
export async function isRowRestored({ key }: TableChange): Promise<boolean> {
  return (await getItem(key)) !== undefined;
}

/**
 * Creates the job that removes a feature's data about a removed drop. The job does nothing if the drop still exists: in the trash, restored,
 * or transferred to another account. Other changes create no job.
 */
export function dropRemovalJobs(
  { change, found }: FoundItem<DropChange>,
  remove: (drop: { readonly ownerId: string; readonly slug: string }) => Promise<void>,
): Job<TableChange>[] {
  if (found.kind !== "drop-removed" && found.kind !== "drop-purged") return [];
  const run = async () => {
    const isKept = (await isRowRestored(change)) || (await findKeptDrop(found.slug)) !== undefined;
    if (!isKept) await remove(found);
  };
  return [{ sources: [change], run }];
}

function invalidation(findings: readonly FoundItem<DropChange>[]): Job<TableChange>[] {
  if (findings.length === 0) return [];
  const sources = findings.map(({ change }) => change);
  const run = async () => {
    const found = await Promise.all(findings.map(({ found }) => cachedOf(found)));
    await invalidateNowAndLater(found.flat(), sources);
  };
  return [{ sources, run }];
}

async function cachedOf(found: DropChange): Promise<CachedObject[]> {
  const { slug } = found;
  switch (found.kind) {
    case "drop-restricted":
      return [{ kind: "page", slug, namespace: found.namespace }];
    case "drop-removed": {
      const isElsewhere = (await publicDrops.findBySlug(slug)) !== undefined;
      return isElsewhere ? [] : [{ kind: "page", slug, namespace: found.namespace }];
    }
    case "version-removed": {
      // A removed drop's versions are deleted after the drop's own row. The removal of that row has already invalidated their cached
      // responses. `findBySlug` does not find the drops of an account that is being deleted.
      const drop = await publicDrops.findBySlug(slug);
      return drop === undefined ? [] : [{ kind: "page", slug, namespace: drop.namespace }];
    }
    // The cached responses were invalidated when the drop was moved to the trash.
    case "drop-purged":
    case "version-added":
      return [];
  }
}

/** Removes a drop's versions, view count and read trail. They belong to no other drop, because slugs are never issued again. */
async function removeDrop({ ownerId, slug }: { readonly ownerId: string; readonly slug: string }) {
  await deleteItems(await queryKeys(ranges.versions(slug)));
  await viewCounts.remove(ownerId, slug);
  await readTrail.removeOf(slug);
}

/** Deletes the versions that exceed the setting `keepVersions`, for drops with a new version. */
function surplusRemoval(findings: readonly FoundItem<DropChange>[]): Job<TableChange>[] {
  const keep = keptVersionsMax();
  if (keep === undefined) return [];
  const added = findings.flatMap(({ change, found }) =>
    found.kind === "version-added" && found.version > keep ? [{ change, slug: found.slug }] : [],
  );
  return [...Map.groupBy(added, ({ slug }) => slug)].map(([slug, changes]) => ({
    sources: changes.map(({ change }) => change),
    run: async () => {
      await removeSurplus(slug, keep, serviceAct("retention", Date.now()));
    },
  }));
}

function pageRemoval(findings: readonly FoundItem<DropChange>[]): Job<TableChange>[] {
  const removed = findings.flatMap(({ change, found }) =>
    found.kind === "version-removed" ? [{ change, found }] : [],
  );
  if (removed.length === 0) return [];
  const run = async () => {
    const gone = await Promise.all(
      removed.map(async ({ change, found }) =>
        (await isRowRestored(change)) ? [] : [...found.objectKeys, ...(await unsharedPacks(found))],
      ),
    );
    await removeObjects(s3, pagesBucket(), gone.flat());
  };
  return [{ sources: removed.map(({ change }) => change), run }];
}

/** Selects the file packs that no other version uses. New versions cannot use them either, because they only share packs of existing versions. */
async function unsharedPacks({
  slug,
  packKeys,
}: Extract<DropChange, { readonly kind: "version-removed" }>): Promise<readonly string[]> {
  if (packKeys.length === 0) return [];
  const versions = await queryAll(ranges.versions(slug), { attributes: ["folder"] });
  const shared = new Set(
    versions.flatMap(({ folder }) => (folder as VersionFolder | undefined)?.packKeys ?? []),
  );
  return packKeys.filter((key) => !shared.has(key));
}
