import { paginateScan } from "@aws-sdk/lib-dynamodb";
import { identityText, type Read, toRead } from "../../../functions/drops/read-trail.ts";
import { type Key, ranges } from "../../../functions/table/keys.ts";
import { dynamodb, type Item, tableName } from "../../../functions/table/table.ts";
import { deleteItems } from "../../../functions/table/table-writes.ts";
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
  const pages = paginateScan(
    { client: dynamodb },
    {
      TableName: tableName(),
      ConsistentRead: true,
      FilterExpression: "begins_with(pk, :reads)",
      ExpressionAttributeValues: { ":reads": allReads },
    },
  );
  const found: PersonRead[] = [];
  for await (const { Items: items = [] } of pages) found.push(...toPersonReads(items));
  return newestFirst(found.filter((read) => read.identity === identityText(identity)));
}

/** Reads among rows of the table. */
export function toPersonReads(items: readonly Item[]): PersonRead[] {
  return items.filter(({ pk }) => String(pk).startsWith(allReads)).map(toPersonRead);
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

function toPersonRead(item: Item): PersonRead {
  const key = { pk: item.pk as string, sk: item.sk as string };
  return { ...toRead(item), slug: key.pk.slice(allReads.length), identity: item.identity as string, key };
}
