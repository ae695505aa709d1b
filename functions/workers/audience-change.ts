import type { DynamoDBRecord } from "aws-lambda";
import { entriesOfRow } from "../library/index-store.ts";
import { type Key, parseKey } from "../platform/keys.ts";
import type { Item } from "../platform/table.ts";
import { readKey, toItem } from "./table-change.ts";

/** A drop, and the entries of the library's index that come or go with what has become of it. */
export interface AudienceChange {
  readonly ownerId: string;
  readonly slug: string;
  readonly entries: readonly Key[];
}

/**
 * Reads a record of the table's stream; undefined where it is of no drop, or changes nothing of whom one is for.
 *
 * @throws TypeError when it is of a row that the service did not write.
 */
export function readAudienceChange({ dynamodb = {} }: DynamoDBRecord): AudienceChange | undefined {
  const subject = parseKey(readKey(dynamodb));
  if (subject?.kind !== "drop") return undefined;
  const { userId: ownerId, slug } = subject;
  const read = (item: Item) => entriesOfRow(item, { ownerId, slug });
  const [before, after] = [read(toItem(dynamodb.OldImage)), read(toItem(dynamodb.NewImage))];
  const entries = [...without(before, after), ...without(after, before)];
  return entries.length === 0 ? undefined : { ownerId, slug, entries };
}

function without(some: readonly Key[], others: readonly Key[]): Key[] {
  return some.filter((one) => !others.some((other) => other.pk === one.pk && other.sk === one.sk));
}
