import pLimit from "p-limit";
import { type Key, keys, ranges } from "../../../functions/table/keys.ts";
import { suspendedAttribute } from "../../../functions/table/suspension.ts";
import { getItem } from "../../../functions/table/table.ts";
import type { StoredItem } from "../table-reads.ts";

const looksAtOnce = 16;

/**
 * Gives the rows of a restored table their current owners. A drop or file that was transferred since the backup stays with
 * its new owner; otherwise there would be two of it.
 */
export async function toCurrentOwners(items: readonly StoredItem[]): Promise<StoredItem[]> {
  return pLimit(looksAtOnce).map(items, async (item) => withNextRevision(await toLivePlace(item)));
}

/** A drop's row with a higher revision: one of the first revision is a publication, docs/adr/0072-events-and-webhooks.md. */
function withNextRevision(item: StoredItem): StoredItem {
  const { slug, revision } = item;
  const isDrop = typeof slug === "string" && typeof revision === "number";
  return isDrop ? { ...item, revision: revision + 1 } : item;
}

async function toLivePlace(row: StoredItem): Promise<StoredItem> {
  const { pk, sk } = row;
  const pointer = pointerOf(row);
  const live = pointer && (await getItem(pointer));
  if (live?.ownerId === undefined) return row;
  if (pk !== pointer?.pk || sk !== pointer.sk) return placeRow(row, live.ownerId as string);
  // The row is the pointer. The number of transfers never falls, since it distinguishes one stay at an owner from another.
  const { [suspendedAttribute]: mark, ...rest } = row;
  const isMoved = live.ownerId !== row.ownerId;
  return {
    ...rest,
    ...(isMoved || mark === undefined ? {} : { [suspendedAttribute]: mark }),
    ownerId: live.ownerId,
    transferCount: live.transferCount,
  };
}

/** Moves a row to its owner's partition. The row of a drop's views gets no namespace. */
async function placeRow(row: StoredItem, ownerId: string): Promise<StoredItem> {
  const { pk } = keys.account(ownerId);
  if (row.pk === pk) return row;
  const { ownerNamespace: _, ...rest } = row;
  const namespace = (await getItem(keys.account(ownerId)))?.namespace;
  const isDrop = row.slug !== undefined;
  return { ...rest, pk, ownerNamespace: isDrop && namespace !== row.namespace ? namespace : undefined };
}

/** Key of the pointer that names a row's owner. The row may be that pointer. */
function pointerOf(row: StoredItem): Key | undefined {
  const { pk, sk } = row;
  const files = ranges.blobs("").prefix;
  if (pk.startsWith(keys.account("").pk)) {
    for (const { prefix } of [ranges.drops(""), ranges.trashedDrops("")])
      if (sk.startsWith(prefix)) return keys.pointer(sk.slice(prefix.length).split("#")[0] ?? "");
    return sk.startsWith(files) ? keys.filePointer(String(row.namespace), sk.slice(files.length)) : undefined;
  }
  const isPointer = sk === keys.pointer("").sk || sk.startsWith(ranges.filePointers("").prefix);
  return isPointer ? { pk, sk } : undefined;
}
