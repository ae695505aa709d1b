import pLimit from "p-limit";
import type { Drop } from "../drops/drop.ts";
import { pages } from "../drops/page-objects.ts";
import { environmentNames, findEnvironment } from "../http/environment.ts";
import { drawnUrl, type Site } from "../http/site.ts";
import { keys } from "../table/keys.ts";
import { getItems } from "../table/table.ts";
import { pictureKey, pictureOf } from "./render.ts";
import { toRender } from "./store.ts";

/** Fields of a drop that select its thumbnail. */
export interface DrawnDrop extends Pick<Drop, "slug" | "visibility"> {
  /** Its latest version. */
  readonly version: number;
}

/** So many rows of a list have pictures, its first: as many as are read at once. */
export const picturedRowsMax = 100;

/**
 * The object keys of the thumbnails that there are of drops' latest versions, by their slugs; of no drop where pages are not
 * rendered. Who may see them is asked before.
 */
export async function findThumbnails(drops: readonly DrawnDrop[]): Promise<ReadonlyMap<string, string>> {
  if (drops.length === 0 || findEnvironment(environmentNames.renders) === undefined) return new Map();
  const bySlug = new Map(drops.map((drop) => [drop.slug, drop]));
  const items = await getItems(drops.map(({ slug, version }) => keys.render(slug, version)));
  return new Map(
    items.map(toRender).flatMap((render): [string, string][] => {
      const drop = bySlug.get(render.slug);
      const picture = drop && pictureOf(render, drop, "thumbnail");
      return picture === undefined || render.folder === undefined
        ? []
        : [[render.slug, pictureKey(render.folder, picture)]];
    }),
  );
}

/** URL of a public drop's thumbnail. It is on one host, whoever lists it, so that it is cached once. */
export function thumbnailUrl(site: Site, { slug, version }: Pick<DrawnDrop, "slug" | "version">): string {
  return drawnUrl(site, undefined, { slug, version, name: "thumbnail" });
}

/** A drop on a list for somebody who may read it, and has been looked up with it. */
export interface ReadableDrop extends DrawnDrop {
  /** A passcode or its visibility restricts the drop. */
  readonly isGuarded: boolean;
}

const readsAtOnce = 16;

/**
 * The `src` of the thumbnails that there are, by slugs. One of a drop that not everybody may see comes within the list itself: it has
 * no address, so that nobody finds out by one whether somebody else has it. docs/adr/0066-cards-and-thumbnails.md
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
    // Its key ends as its type does.
    const type = `image/${key.split(".").at(-1)}`;
    return bytes === undefined ? [] : [[drop.slug, `data:${type};base64,${bytes.toString("base64")}`]];
  };
  return new Map((await Promise.all(drops.map(sourceOf))).flat());
}
