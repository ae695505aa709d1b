import type { Drop } from "../drops/drop.ts";
import { environmentNames, findEnvironment } from "../platform/environment.ts";
import { keys } from "../platform/keys.ts";
import { drawnUrl, type Site } from "../platform/site.ts";
import { getItems } from "../platform/table.ts";
import { pictureKey, pictureOf } from "./render.ts";
import { toRender } from "./store.ts";

/** What of a drop tells what is drawn of it. */
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

/** Where everybody finds the thumbnail of a drop that everybody may see: on one host, whoever lists it, so that it is kept once. */
export function thumbnailUrl(site: Site, { slug, version }: Pick<DrawnDrop, "slug" | "version">): string {
  return drawnUrl(site, undefined, { slug, version, name: "thumbnail" });
}
