import { publicDrops } from "../../../functions/drops/public-drops.ts";
import { readTrail } from "../../../functions/drops/read-trail.ts";
import { pageTextPrefix } from "../../../functions/feedback/feedback.ts";
import { feedbackKeysOf } from "../../../functions/feedback/items.ts";
import { folderPrefix } from "../../../functions/folders/folder.ts";
import { cardsPrefix, reportsPrefix } from "../../../functions/renders/render.ts";
import { toRender } from "../../../functions/renders/store.ts";
import { keys, ranges } from "../../../functions/table/keys.ts";
import { queryAll } from "../../../functions/table/table.ts";
import { deleteItems } from "../../../functions/table/table-writes.ts";
import { hasVersions, purgeBelow } from "./object-versions.ts";

/** Prefixes of a slug's objects in the bucket of pages: published pages, folders, renders and words. */
const foldersOf = (slug: string) =>
  ["", cardsPrefix, folderPrefix, reportsPrefix, pageTextPrefix].map((prefix) => `${prefix}${slug}/`);

/**
 * Deletes every version of a slug for good, deleted ones included, with renders, feedback and the read trail. Objects go first, so that
 * the rows still lead to them after a failure. Only for a slug that nobody can read. Returns the number of versions.
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
  await readTrail.removeOf(slug);
  return versions.length;
}

/** Finds object versions of a slug, deleted ones included. */
export async function hasKeptObjects(pagesBucket: string, slug: string): Promise<boolean> {
  for (const folder of foldersOf(slug)) if (await hasVersions(pagesBucket, folder)) return true;
  return false;
}
