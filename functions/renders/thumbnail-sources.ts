import pLimit from "p-limit";
import { pages } from "../drops/page-objects.ts";
import type { Site } from "../http/site.ts";
import { type DrawnDrop, findThumbnails, thumbnailUrl } from "./thumbnails.ts";

/** A drop that the reader may read, in a list. */
export interface ReadableDrop extends DrawnDrop {
  /** True if a passcode or its visibility restricts the drop. */
  readonly isGuarded: boolean;
}

const readsAtOnce = 16;

/**
 * Returns the `src` of each thumbnail, by slug. Thumbnails of restricted drops are embedded as data URLs, because a shareable URL would
 * give others access; see docs/adr/0066-rendered-pictures.md.
 */
export async function thumbnailSources(
  drops: readonly ReadableDrop[],
  site: Site,
): Promise<ReadonlyMap<string, string>> {
  const found = await findThumbnails(drops);
  const limit = pLimit(readsAtOnce);
  const sourceOf = async (drop: ReadableDrop): Promise<[string, string][]> => {
    const key = found.get(drop.slug);
    if (key === undefined) return [];
    if (!drop.isGuarded) return [[drop.slug, thumbnailUrl(site, drop)]];
    const bytes = await limit(pages.getBytes, key);
    // The file extension of the key is also the subtype of the image's media type.
    const type = `image/${key.split(".").at(-1)}`;
    return bytes === undefined ? [] : [[drop.slug, `data:${type};base64,${bytes.toString("base64")}`]];
  };
  return new Map((await Promise.all(drops.map(sourceOf))).flat());
}
