import { readDrop } from "../drops/items.ts";
import { keys } from "../table/keys.ts";
import { findItems } from "../table/table.ts";
import { takeTurns } from "./index-batch.ts";
import { indexQueue, type QueuedOwner } from "./index-queue.ts";

// Drops in the indexing queue are found by their rows; see docs/adr/0101-full-text-search.md.

/** Maximum number of waiting drops that a search reads, and maximum number of the searcher's own among them. */
const dropsMax = 100;
const ownMax = 50;

/**
 * Reads drops that wait to be indexed, with the items of the drops and of their owners' accounts. The item of a deleted account is undefined.
 * The searcher's own drops come first, then the other owners' drops in turn, so that many changes by one owner do not crowd out another
 * owner's. Call this function before reading the index, because drops that have left the queue are in the index.
 *
 * Callers need the grants `GetItem` and `Query` on INDEX, and `BatchGetItem` on USER.
 */
export async function readWaitingDrops(
  userId: string | undefined,
  /** Owner whose drops are read. @default - all owners */
  ownerId: string | undefined,
) {
  const owners = await indexQueue.listFor(userId);
  const wanted = owners.filter((one) => ownerId === undefined || one.ownerId === ownerId);
  const own = takeTurns(wanted.filter((one) => one.ownerId === userId).map(toNames), ownMax);
  const others = takeTurns(
    wanted.filter((one) => one.ownerId !== userId).map(toNames),
    dropsMax - own.length,
  );
  const waiting = [...own, ...others].map(({ owner, name }) => ({
    dropKey: keys.drop(owner.ownerId as string, name),
    accountKey: keys.account(owner.ownerId as string),
  }));
  if (waiting.length === 0) return [];
  const find = await findItems(waiting.flatMap(({ dropKey, accountKey }) => [dropKey, accountKey]));
  return waiting.flatMap(({ dropKey, accountKey }) => {
    const item = find(dropKey);
    const drop = item && readDrop(item);
    return item === undefined || drop === undefined ? [] : [{ drop, item, owner: find(accountKey) }];
  });
}

/** Slugs of an owner's waiting and begun tasks. The drops of begun tasks are not in the index yet either. */
function toNames(owner: QueuedOwner) {
  return { owner, names: [...new Set([...owner.waiting, ...owner.begun.keys()])] };
}
