import type { Drop, Version } from "../drops/drop.ts";
import { pages } from "../drops/page-objects.ts";
import { pictureKey, pictureOf, type RenderedPicture, type ShownPicture } from "./render.ts";
import { renders } from "./store.ts";

/** What links and lists show of a version. */
export interface FoundPicture extends RenderedPicture {
  readonly bytes: Buffer;
  /** Another for every other picture, those of the same version among them. */
  readonly etag: string;
}

/**
 * The card or the thumbnail of a version, for whoever may read its drop as it is now; undefined while there is none. Whether they may
 * is asked before.
 */
export async function findPicture(
  drop: Drop,
  { version, pageKey }: Pick<Version, "version" | "pageKey">,
  name: ShownPicture,
): Promise<FoundPicture | undefined> {
  const render = await renders.find(drop.slug, version);
  const picture = render && pictureOf(render, drop, name);
  // An operator who restores a version restores its number: what was drawn of another page is not shown for it.
  if (picture === undefined || render?.folder === undefined || render.pageKey !== pageKey) return undefined;
  const bytes = await pages.getBytes(pictureKey(render.folder, picture));
  return bytes && { ...picture, bytes, etag: `"${render.folder.split("/").at(-1)}"` };
}
