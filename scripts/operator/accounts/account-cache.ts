import { randomUUID } from "node:crypto";
import { edgeCache } from "../../../functions/background/edge-cache.ts";
import { invalidationsOf } from "../../../functions/background/invalidate.ts";
import { itemsOf, tagItem } from "../../../functions/background/invalidation.ts";
import { drops } from "../../../functions/drops/store.ts";
import { ownerTag } from "../../../functions/http/response.ts";
import { listFiles } from "../table-reads.ts";
import type { User } from "../users.ts";

/** Items that invalidate an account's public page, drops and files, also those that came from other accounts. */
export async function findAccountItems({ userId, namespace }: User): Promise<string[]> {
  const pages = (await drops.list(userId)).map((drop) => ({ kind: "page" as const, ...drop }));
  const files = (await listFiles(userId)).map((file) => ({ kind: "file" as const, ...file }));
  // A transferred drop or file keeps its first owner's address and tag.
  const fromOthers = [...pages, ...files].filter((kept) => kept.namespace !== namespace);
  return [tagItem(ownerTag(namespace)), ...itemsOf(fromOthers)];
}

/** Invalidates items of the edge's cache now. */
export async function forgetItems(items: readonly string[]): Promise<void> {
  for (const invalidation of invalidationsOf(items, [randomUUID()])) await edgeCache.invalidate(invalidation);
}
