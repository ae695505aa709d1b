import type { TableChange } from "../background/table-change.ts";
import type { Key } from "../platform/keys.ts";
import type { Item } from "../platform/table.ts";
import { entriesOfRow } from "./index-store.ts";

/** A drop, and the entries of the library's index that come or go with what has become of it. */
export interface AudienceChange {
  readonly ownerId: string;
  readonly slug: string;
  readonly entries: readonly Key[];
}

/**
 * Reads a change of a drop's audience; undefined for any other change.
 *
 * @throws TypeError for a row that the service did not write
 */
export function readAudienceChange({ subject, before, after }: TableChange): AudienceChange | undefined {
  if (subject?.kind !== "drop") return undefined;
  const { userId: ownerId, slug } = subject;
  const read = (item: Item = {}) => entriesOfRow(item, { ownerId, slug });
  const [had, has] = [read(before), read(after)];
  const entries = [...without(had, has), ...without(has, had)];
  return entries.length === 0 ? undefined : { ownerId, slug, entries };
}

function without(some: readonly Key[], others: readonly Key[]): Key[] {
  return some.filter((one) => !others.some((other) => other.pk === one.pk && other.sk === one.sk));
}
