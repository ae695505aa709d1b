import { keys } from "../platform/keys.ts";
import { getItem, type Item } from "../platform/table.ts";
import type { Render } from "./render.ts";

/** What has come of rendering versions. */
export const renders = {
  /** Undefined where nothing has been asked for yet, or nothing is left of it. Strongly consistent. */
  async find(slug: string, version: number): Promise<Render | undefined> {
    const item = await getItem(keys.render(slug, version));
    return item && toRender(item);
  },
};

/** A render as its item holds it. */
export function toRenderItem({ slug, version, ...attributes }: Render): Item {
  return { ...keys.render(slug, version), ...attributes };
}

function toRender(item: Item): Render {
  return {
    slug: (item.pk as string).slice("SLUG#".length),
    version: Number((item.sk as string).slice("RENDER#".length)),
    pageKey: item.pageKey as string,
    state: item.state as Render["state"],
    folder: item.folder as string | undefined,
    pictures: item.pictures as Render["pictures"],
    atMs: item.atMs as number,
    milliseconds: item.milliseconds as number | undefined,
  };
}
