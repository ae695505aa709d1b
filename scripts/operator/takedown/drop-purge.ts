import { publicDrops } from "../../../functions/drops/public-drops.ts";
import { wordsPrefix } from "../../../functions/feedback/feedback.ts";
import { feedbackKeysOf } from "../../../functions/feedback/items.ts";
import { cardsPrefix, reportsPrefix } from "../../../functions/renders/render.ts";
import { toRender } from "../../../functions/renders/store.ts";
import { keys, ranges } from "../../../functions/table/keys.ts";
import { queryAll } from "../../../functions/table/table.ts";
import { deleteItems } from "../../../functions/table/table-writes.ts";
import { hasVersions, purgeBelow } from "./object-versions.ts";

/** Below these lies all that there is of a slug in the bucket of pages: what was published, what was rendered of it, and its words. */
const foldersOf = (slug: string) =>
  ["", cardsPrefix, reportsPrefix, wordsPrefix].map((prefix) => `${prefix}${slug}/`);

/**
 * Deletes every version of a slug for good, those that its owner deleted before among them, with what was rendered of them and what
 * readers have written: the objects first, since the rows are what leads to them if this ends half-way. Only for a slug that nobody can read from any more.
 * Returns how many versions there were.
 */
export async function purgeVersions(pagesBucket: string, slug: string): Promise<number> {
  const versions = await publicDrops.listVersions(slug);
  const renders = (await queryAll(ranges.renders(slug))).map(toRender);
  for (const folder of foldersOf(slug)) await purgeBelow(pagesBucket, folder);
  await deleteItems([
    ...versions.map(({ version }) => keys.version(slug, version)),
    ...renders.map(({ version }) => keys.render(slug, version)),
    ...(await feedbackKeysOf(slug)),
  ]);
  return versions.length;
}

/** Finds object versions of a slug, deleted ones included. */
export async function hasKeptObjects(pagesBucket: string, slug: string): Promise<boolean> {
  for (const folder of foldersOf(slug)) if (await hasVersions(pagesBucket, folder)) return true;
  return false;
}
