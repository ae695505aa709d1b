import type { Drop } from "../drops/drop.ts";
import { readDrop } from "../drops/items.ts";
import { keys } from "../table/keys.ts";
import { findItems, type Item } from "../table/table.ts";
import { takeTurns } from "./index-batch.ts";
import { indexQueue, type QueuedOwner } from "./index-queue.ts";

// Drops that wait to be indexed are found by their rows: docs/adr/0101-full-text-search.md.

/** Maximum of drops that are read for one search, and of the searcher's own among them. */
const dropsMax = 100;
const ownMax = 50;

/** A drop that waits to be indexed, from its current row. */
export interface WaitingDrop {
  readonly drop: Drop;
  readonly item: Item;
  /** The account of its owner. @default - the account was deleted */
  readonly owner: Item | undefined;
}

/**
 * Reads drops that wait to be indexed: the searcher's own first, then one of each owner, the next of each, and so on,
 * so that one owner's many changes do not hide another's. A search reads them before the index, so that no drop is
 * missed between the two.
 *
 * The row needs `GetItem` and `Query` on INDEX, and `BatchGetItem` on USER.
 */
export async function readWaitingDrops(
  userId: string | undefined,
  /** @default - all owners */
  ownerId: string | undefined,
): Promise<readonly WaitingDrop[]> {
  const owners = await indexQueue.listFor(userId);
  const wanted = owners.filter((one) => ownerId === undefined || one.ownerId === ownerId);
  const own = takeTurns(wanted.filter((one) => one.ownerId === userId).map(toNames), ownMax);
  const others = takeTurns(
    wanted.filter((one) => one.ownerId !== userId).map(toNames),
    dropsMax - own.length,
  );
  const places = [...own, ...others].map(({ owner, name }) => ({
    ownerId: owner.ownerId as string,
    slug: name,
  }));
  if (places.length === 0) return [];
  const find = await findItems(
    places.flatMap((place) => [keys.drop(place.ownerId, place.slug), keys.account(place.ownerId)]),
  );
  return places.flatMap((place) => {
    const item = find(keys.drop(place.ownerId, place.slug));
    const drop = item && readDrop(item);
    return item === undefined || drop === undefined
      ? []
      : [{ drop, item, owner: find(keys.account(place.ownerId)) }];
  });
}

/** Names of an owner's tasks, including those being indexed, which wait until they are in the index. */
function toNames(owner: QueuedOwner) {
  return { owner, names: [...new Set([...owner.waiting, ...owner.begun.keys()])] };
}
