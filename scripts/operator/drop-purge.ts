import { served } from "../../functions/drops/served.ts";
import { keys } from "../../functions/platform/keys.ts";
import { deleteItems } from "../../functions/platform/table-writes.ts";
import { purgeBelow } from "./object-versions.ts";

/**
 * Deletes every version of a slug for good, those that its owner deleted before among them: the objects first, since
 * the rows are what leads to them if this ends half-way. Only for a slug that nobody can read from any more. Returns
 * how many there were.
 */
export async function purgeVersions(pagesBucket: string, slug: string): Promise<number> {
  const versions = await served.listVersions(slug);
  await purgeBelow(pagesBucket, `${slug}/`);
  await deleteItems(versions.map(({ version }) => keys.version(slug, version)));
  return versions.length;
}
