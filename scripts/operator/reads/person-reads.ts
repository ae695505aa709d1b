import { identityText, type Read, toRead } from "../../../functions/drops/read-trail.ts";
import { type Key, ranges } from "../../../functions/table/keys.ts";
import { deleteItems } from "../../../functions/table/table-writes.ts";
import { findItems, type StoredItem } from "../table-reads.ts";
import type { User } from "../users.ts";

/** A person's read of a drop, with the key of its item. */
export interface PersonRead extends Read {
  readonly slug: string;
  /** `identityText` of the person. */
  readonly identity: string;
  readonly key: Key;
}

/** Finds the reads of the person of an account in the whole table, newest day first: no index leads from a person to them. */
export async function findAccountReads({ identity }: User): Promise<PersonRead[]> {
  const found = await findItems("begins_with(pk, :reads)", { ":reads": allReads }, { isConsistent: true });
  return newestFirst(found.map(toPersonRead).filter((read) => read.identity === identityText(identity)));
}

/** Reads among rows of the table. */
export function toPersonReads(items: readonly StoredItem[]): PersonRead[] {
  return items.filter(({ pk }) => pk.startsWith(allReads)).map(toPersonRead);
}

/** Sorts reads by day, the newest first. */
export function newestFirst(reads: readonly PersonRead[]): PersonRead[] {
  return reads.toSorted((one, other) => other.firstAtMs - one.firstAtMs);
}

/** Deletes reads. */
export function deleteReads(reads: readonly PersonRead[]): Promise<void> {
  return deleteItems(reads.map(({ key }) => key));
}

const allReads = ranges.reads("").pk;

function toPersonRead(item: StoredItem): PersonRead {
  const { pk, sk, identity } = item;
  return { ...toRead(item), slug: pk.slice(allReads.length), identity: identity as string, key: { pk, sk } };
}
