import { deleteItems } from "./batch-delete.ts";
import { toVersion } from "./drop-items.ts";
import { keys, ranges } from "./keys.ts";
import { queryAll } from "./table.ts";
import { viewCounts } from "./view-counts.ts";

/**
 * Removes what a deleted drop leaves in the table: its versions' rows and its count of views. Only for a drop that is
 * gone: its slug is never issued again, so nothing of another drop can be among them.
 */
export async function removeDropRemains(ownerId: string, slug: string): Promise<void> {
  const versions = await queryAll(ranges.versions(slug));
  await deleteItems(versions.map((item) => keys.version(slug, toVersion(item).version)));
  await viewCounts.remove(ownerId, slug);
}
