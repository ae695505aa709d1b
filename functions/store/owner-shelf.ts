import type { Blob } from "../domain/blob.ts";
import type { Drop } from "../domain/drop.ts";
import { toBlob } from "./blob-items.ts";
import { toDrops } from "./drop-items.ts";
import { keys, ranges } from "./keys.ts";
import { getItem, queryAll } from "./table.ts";

/** What an owner's page shows. */
export interface OwnerShelf {
  readonly drops: readonly Drop[];
  readonly blobs: readonly Blob[];
}

/** Everything of the owner of a namespace; undefined where nobody has it, or nobody any more. */
export async function findOwnerShelf(namespace: string): Promise<OwnerShelf | undefined> {
  const owner = await getItem(keys.namespace(namespace));
  if (owner === undefined || owner.deletedAtMs !== undefined) return undefined;
  const userId = owner.userId as string;
  const [drops, blobs] = await Promise.all([queryAll(ranges.drops(userId)), queryAll(ranges.blobs(userId))]);
  return { drops: toDrops(drops), blobs: blobs.map(toBlob) };
}
