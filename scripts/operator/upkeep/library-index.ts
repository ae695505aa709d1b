import { entriesOfRow } from "../../../functions/library/library-index.ts";
import { type Key, keys, parseKey, parseLibraryKey } from "../../../functions/table/keys.ts";
import {
  getItem,
  getItems,
  type Item,
  RetryableError,
  retryConflicts,
} from "../../../functions/table/table.ts";
import { type TransactionWrite, transact } from "../../../functions/table/table-writes.ts";
import { readTable } from "../table-reads.ts";

/** A drop whose index entries differ from its row. */
interface SuspectedDrop {
  readonly ownerId: string;
  readonly slug: string;
  /** Entries that were found. */
  readonly seen: readonly Key[];
}

/** Missing and surplus index entries of a drop. */
interface IndexDifference {
  readonly missing: readonly Key[];
  readonly stale: readonly Key[];
}

/** A transaction takes a hundred writes; Amazon DynamoDB API reference, "TransactWriteItems". One of them looks at the drop. */
const writesMax = 99;

/** Reads the whole table for drops whose entries seem wrong. */
export async function readIndexedDrops(): Promise<SuspectedDrop[]> {
  const found = new Map<string, { ownerId: string; slug: string; seen: Key[]; expected: readonly Key[] }>();
  const at = (ownerId: string, slug: string) => {
    const known = found.get(`${ownerId} ${slug}`) ?? { ownerId, slug, seen: [], expected: [] };
    found.set(`${ownerId} ${slug}`, known);
    return known;
  };
  for await (const items of readTable()) {
    for (const item of items) {
      const key = { pk: item.pk, sk: item.sk };
      const entry = parseLibraryKey(key);
      if (entry) at(entry.position.ownerId, entry.position.slug).seen.push(key);
      const subject = parseKey(key);
      if (subject?.kind !== "drop") continue;
      const drop = at(subject.userId, subject.slug);
      drop.expected = entriesOfRow(item, drop);
    }
  }
  return [...found.values()].filter(
    ({ seen, expected }) => without(seen, expected).length + without(expected, seen).length > 0,
  );
}

/** Compares a drop's index entries with the drop. */
export async function findDifference(suspected: SuspectedDrop): Promise<IndexDifference> {
  return (await compare(suspected)).difference;
}

/**
 * Corrects a drop's entries, in transactions that fail if it was changed meanwhile. Returns the corrections.
 *
 * @throws ApiError `unavailable` where it is changed each time
 */
export async function correctLibraryEntries(suspected: SuspectedDrop): Promise<IndexDifference> {
  return retryConflicts(async () => {
    const { row, difference } = await compare(suspected);
    const writes: TransactionWrite[] = [
      ...difference.missing.map((key) => ({ put: { ...key } })),
      ...difference.stale.map((key) => ({ remove: key })),
    ];
    if (await writeWhileUnchanged(suspected, row, writes)) return difference;
    throw new RetryableError(`The drop ${suspected.slug} is being changed. Run the command again.`);
  });
}

/** Reads the drop before its entries. An entry that is written in between belongs to a change that raises the drop's revision. */
async function compare({ ownerId, slug, seen }: SuspectedDrop) {
  const row = await getItem(keys.drop(ownerId, slug));
  const expected = entriesOfRow(row ?? {}, { ownerId, slug });
  const there = await getItems([...expected, ...without(seen, expected)]);
  const entries = there.map(({ pk, sk }) => ({ pk: pk as string, sk: sk as string }));
  return { row, difference: { missing: without(expected, entries), stale: without(entries, expected) } };
}

/** False if the drop has changed. */
async function writeWhileUnchanged(
  { ownerId, slug }: SuspectedDrop,
  row: Item | undefined,
  writes: readonly TransactionWrite[],
): Promise<boolean> {
  const isSame: TransactionWrite = {
    check: keys.drop(ownerId, slug),
    ...(row === undefined
      ? { condition: "attribute_not_exists(pk)" }
      : { condition: "revision = :seen", values: { ":seen": row.revision } }),
  };
  for (let start = 0; start < writes.length; start += writesMax) {
    const { committed } = await transact([isSame, ...writes.slice(start, start + writesMax)]);
    if (!committed) return false;
  }
  return true;
}

function without(some: readonly Key[], others: readonly Key[]): Key[] {
  const known = new Set(others.map(({ pk, sk }) => `${pk} ${sk}`));
  return some.filter(({ pk, sk }) => !known.has(`${pk} ${sk}`));
}
