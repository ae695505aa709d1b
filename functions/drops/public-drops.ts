import { ApiError } from "../core/errors.ts";
import { canChange, isExpired, isServed } from "../policies/access.ts";
import { keys, ranges } from "../table/keys.ts";
import {
  findByOwnershipPointer,
  type OwnershipPointer,
  toOwnershipPointer,
} from "../table/ownership-pointer.ts";
import { getItem, queryAll } from "../table/table.ts";
import type { Drop, Version, ViewSampling } from "./drop.ts";
import { noSuchVersion, toDrop, toVersion } from "./items.ts";

/** Ownership pointer of a slug, which names the owner of the slug's drop. */
interface Pointer extends OwnershipPointer {
  /** Namespace in the slug's addresses. A transfer does not change it. */
  readonly namespace: string;
  /** Time at which the drop was suspended. @default - not suspended */
  readonly suspendedAtMs: number | undefined;
  /** Sampling of the drop's views. @default - each view is counted */
  readonly viewSampling: ViewSampling | undefined;
}

/** A version that an owner requests. */
export interface AskedVersion {
  readonly ownerId: string;
  readonly slug: string;
  /** @default - the latest */
  readonly version: number | undefined;
}

const nobody = "nobody";

/** Reads drops that are served to readers, one item or one range at a time. Never writes. */
export const publicDrops = {
  /** Finds the ownership pointer of a slug, which remains after the drop is deleted. Returns undefined for unknown slugs and deleted accounts. */
  async findPointer(slug: string): Promise<Pointer | undefined> {
    const item = await getItem(keys.pointer(slug));
    return item?.ownerId === undefined
      ? undefined
      : {
          ...toOwnershipPointer(item),
          namespace: item.namespace as string,
          suspendedAtMs: item.suspendedAtMs as number | undefined,
          viewSampling: item.viewSampling as ViewSampling | undefined,
        };
  },

  /** Finds the slug of a folder's host, which remains after the drop is deleted. Returns undefined if no drop ever had this host. */
  async findSlugOfHost(id: string): Promise<string | undefined> {
    return (await getItem(keys.folderHost(id)))?.slug as string | undefined;
  },

  /** Finds an owner's drop, without its view count. Returns undefined if the drop has expired. */
  async findDrop(ownerId: string, slug: string, nowMs: number): Promise<Drop | undefined> {
    const drop = await findStored(ownerId, slug);
    return drop && canChange(drop, ownerId, nowMs) ? drop : undefined;
  },

  /** @throws ApiError `not_found` for another owner's drop, and for an expired drop */
  async requireDrop(ownerId: string, slug: string, nowMs: number): Promise<Drop> {
    const drop = await publicDrops.findDrop(ownerId, slug, nowMs);
    if (drop === undefined) throw new ApiError("not_found");
    return drop;
  },

  /** Finds an owner's drop with the requested or latest version. @throws ApiError `not_found` as `requireDrop` does, and for an unknown version */
  async requireVersion(
    { ownerId, slug, version }: AskedVersion,
    nowMs: number,
  ): Promise<{ readonly drop: Drop; readonly found: Drop["latest"] }> {
    const [drop, found] = await Promise.all([
      publicDrops.requireDrop(ownerId, slug, nowMs),
      version === undefined ? undefined : publicDrops.findVersion(slug, version),
    ]);
    if (version !== undefined && found === undefined) throw noSuchVersion(drop, version);
    return { drop, found: found ?? drop.latest };
  },

  /**
   * Finds a pointer's drop. Returns undefined if it is missing, expired or suspended. Reads the same number of items in each case, so that
   * the response time does not reveal whether a slug exists.
   */
  async findShownDrop(pointer: Pointer | undefined, slug: string, nowMs: number): Promise<Drop | undefined> {
    if (pointer === undefined) return findStored(nobody, slug);
    const shown = await findByPointer(pointer, slug);
    return shown && isServed(shown.place) && !isExpired(shown.found, nowMs)
      ? { ...shown.found, viewSampling: shown.place.viewSampling }
      : undefined;
  },

  /** Finds the drop with a slug, even if it has expired or its owner is suspended. */
  async findBySlug(slug: string): Promise<Drop | undefined> {
    return (await findByPointer(await publicDrops.findPointer(slug), slug))?.found;
  },

  async findVersion(slug: string, version: number): Promise<Version | undefined> {
    const item = await getItem(keys.version(slug, version));
    return item && toVersion(item);
  },

  /** Lists a drop's versions, latest first. */
  async listVersions(slug: string): Promise<Version[]> {
    const items = await queryAll(ranges.versions(slug), { descending: true });
    return items.map(toVersion);
  },
};

async function findStored(ownerId: string, slug: string): Promise<Drop | undefined> {
  const item = await getItem(keys.drop(ownerId, slug));
  return item && toDrop(item, undefined);
}

function findByPointer(pointer: Pointer | undefined, slug: string) {
  return findByOwnershipPointer(pointer, {
    again: () => publicDrops.findPointer(slug),
    at: ({ ownerId }) => findStored(ownerId, slug),
  });
}
