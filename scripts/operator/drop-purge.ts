import { contextKey } from "../../functions/domain/drop.ts";
import { deleteItems } from "../../functions/store/batch-delete.ts";
import { keys } from "../../functions/store/keys.ts";
import { removeObjects } from "../../functions/store/object-removal.ts";
import { served } from "../../functions/store/served.ts";

/**
 * Deletes every version of a slug: the objects first, since the rows are what leads to them if this ends half-way.
 * Only for a slug that nobody can read from any more. Returns how many there were.
 */
export async function purgeVersions(pagesBucket: string, slug: string): Promise<number> {
  const versions = await served.listVersions(slug);
  await removeObjects(
    pagesBucket,
    versions.flatMap(({ pageKey, hasContext }) => (hasContext ? [pageKey, contextKey(pageKey)] : [pageKey])),
  );
  await deleteItems(versions.map(({ version }) => keys.version(slug, version)));
  return versions.length;
}
