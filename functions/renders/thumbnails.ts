import { hasRenders } from "../core/environment.ts";
import type { Drop } from "../drops/drop.ts";
import { drawnUrl, type Site } from "../http/site.ts";
import { keys } from "../table/keys.ts";
import { getItems } from "../table/table.ts";
import { pictureKey, pictureOf } from "./render.ts";
import { toRender } from "./store.ts";

/** Fields of a drop that are needed to find its thumbnail. */
export interface DrawnDrop extends Pick<Drop, "slug" | "visibility"> {
  /** Latest version of the drop. */
  readonly version: number;
}

/** Maximum number of thumbnails in a list. Only the first rows get one, so that one batch read can fetch all their renders. */
export const picturedRowsMax = 100;

/** Finds the object keys of thumbnails, by slug. Returns an empty map if rendering is off. The caller must check the reader's access. */
export async function findThumbnails(drops: readonly DrawnDrop[]): Promise<ReadonlyMap<string, string>> {
  if (drops.length === 0 || !hasRenders()) return new Map();
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

/** URL of a public drop's thumbnail. All lists use the same host, so that they share one cache entry. */
export function thumbnailUrl(site: Site, { slug, version }: Pick<DrawnDrop, "slug" | "version">): string {
  return drawnUrl(site, undefined, { slug, version, name: "thumbnail" });
}
