import { hasRenders } from "../core/environment.ts";
import type { Drop } from "../drops/drop.ts";
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

/** Number of rows of a list with pictures, from its first: as many as one read takes. */
export const picturedRowsMax = 100;

/** Object keys of the thumbnails of drops' latest versions, by slug; empty if rendering is off. The caller checks the reader's access. */
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

/** URL of a public drop's thumbnail, on one host, so that all lists share its cache entry. */
export function thumbnailUrl(site: Site, { slug, version }: Pick<DrawnDrop, "slug" | "version">): string {
  return drawnUrl(site, undefined, { slug, version, name: "thumbnail" });
}
