import { readDrop } from "../../../functions/drops/items.ts";
import { entriesOfRow } from "../../../functions/library/library-index.ts";
import { readManifest, resetIndex } from "../../../functions/search/index-files.ts";
import { type IndexSize, readIndexSize, searchedDropsMax } from "../../../functions/search/index-size.ts";
import { mergeIndex } from "../../../functions/search/index-upkeep.ts";
import { isIndexed, updateIndex } from "../../../functions/search/index-writer.ts";
import { headOf } from "../../../functions/search/read-document.ts";
import type { IndexedPlace } from "../../../functions/search/search-document.ts";
import { latestSnapshot, MissingSegmentError } from "../../../functions/search/snapshot.ts";
import { type Key, keys, parseKey, parseLibraryKey } from "../../../functions/table/keys.ts";
import {
  getItem,
  getItems,
  type Item,
  RetryableError,
  retryConflicts,
} from "../../../functions/table/table.ts";
import { type TransactionWrite, transact } from "../../../functions/table/table-writes.ts";
import { defineServiceCommand } from "../service.ts";
import { readTable } from "../table-reads.ts";

export const reindexCommand = defineServiceCommand({
  usage: "reindex",
  summary: "compares the library's index or the search index with the drops",
  details: `
The service updates both indexes seconds after each change. A drop without an entry is missing in its readers' library or search. A surplus
entry is never shown. Reads the whole table. You can run the command at any time.`,
  options: {
    fix: "corrects the index",
    search: "checks the index of full-text search instead of the library's",
  },
  async run({ options: { fix, search }, audit, print }) {
    if (fix) await audit("reindex");
    if (search) return reindexSearch(fix, print);
    let [missing, stale] = [0, 0];
    for (const drop of await readIndexedDrops()) {
      const difference = fix ? await correctLibraryEntries(drop) : await findDifference(drop);
      missing += difference.missing.length;
      stale += difference.stale.length;
    }
    print(`Entries missing: ${missing}, surplus: ${stale}${fix ? ", corrected" : ""}.`);
    return fix || missing + stale === 0;
  },
});

async function reindexSearch(fix: boolean, print: (line: string) => void): Promise<boolean> {
  if (fix && (await resetUnreadableIndex())) print("The index could not be read, so it is rebuilt.");
  for (const line of describeIndexSize(await readIndexSize())) print(line);
  const { missing, outdated, surplus } = await findSearchGaps(Date.now());
  print(
    `Drops missing: ${missing.length}, outdated: ${outdated.length}, deleted but indexed: ${surplus.length}.`,
  );
  const places = [...missing, ...outdated, ...surplus];
  if (fix) await indexDrops(places, print);
  return fix || places.length === 0;
}

/** Describes the size of the search index, with a warning if search will soon be slow. */
export function describeIndexSize({ entries, megabytes, isNearBound }: IndexSize): string[] {
  const size = `Search index: ${entries.toLocaleString("en-US")} entries, ${megabytes} MB.`;
  if (!isNearBound) return [size];
  const bound = searchedDropsMax.toLocaleString("en-US");
  return [size, `Search gets slow above ${bound} drops; see docs/adr/0101-full-text-search.md.`];
}

/** A drop whose library entries seem to differ from its table item. `seen` contains the keys of its existing entries. */
type SuspectedDrop = { readonly ownerId: string; readonly slug: string; readonly seen: readonly Key[] };

/** Maximum number of writes in a transaction with a check; see "TransactWriteItems", Amazon DynamoDB API reference. */
const writesMax = 99;

/** Reads the whole table, and finds drops whose library entries seem wrong. */
async function readIndexedDrops(): Promise<SuspectedDrop[]> {
  const found = new Map<string, { ownerId: string; slug: string; seen: Key[]; expected: readonly Key[] }>();
  const at = (ownerId: string, slug: string) => {
    const known = found.get(`${ownerId} ${slug}`) ?? { ownerId, slug, seen: [], expected: [] };
    found.set(`${ownerId} ${slug}`, known);
    return known;
  };
  for await (const items of readTable())
    for (const item of items) {
      const entry = parseLibraryKey(item)?.position;
      if (entry) at(entry.ownerId, entry.slug).seen.push({ pk: item.pk, sk: item.sk });
      const subject = parseKey(item);
      if (subject?.kind !== "drop") continue;
      const drop = at(subject.userId, subject.slug);
      drop.expected = entriesOfRow(item, drop);
    }
  return [...found.values()].filter(
    ({ seen, expected }) => without(seen, expected).length + without(expected, seen).length > 0,
  );
}

/** Finds the missing and surplus library entries of a drop. */
export async function findDifference(suspected: SuspectedDrop) {
  return (await compare(suspected)).difference;
}

/** Corrects a drop's library entries. Each transaction fails if the drop has changed in the meantime. Returns the corrections. */
export async function correctLibraryEntries(suspected: SuspectedDrop) {
  return retryConflicts(async () => {
    const { item, difference } = await compare(suspected);
    const writes: TransactionWrite[] = [
      ...difference.missing.map((key) => ({ put: { ...key } })),
      ...difference.stale.map((key) => ({ remove: key })),
    ];
    if (await writeWhileUnchanged(suspected, item, writes)) return difference;
    throw new RetryableError(`The drop ${suspected.slug} is being changed. Run the command again.`);
  });
}

/** Compares a drop with its entries. Reads the drop first, because a change between the reads increases the drop's revision. */
async function compare({ ownerId, slug, seen }: SuspectedDrop) {
  const item = await getItem(keys.drop(ownerId, slug));
  const expected = entriesOfRow(item ?? {}, { ownerId, slug });
  const existing = await getItems([...expected, ...without(seen, expected)]);
  const entries = existing.map(({ pk, sk }) => ({ pk: pk as string, sk: sk as string }));
  return { item, difference: { missing: without(expected, entries), stale: without(entries, expected) } };
}

/** Performs writes unless the drop has changed. Returns false if the drop has changed. */
async function writeWhileUnchanged(
  { ownerId, slug }: SuspectedDrop,
  item: Item | undefined,
  writes: readonly TransactionWrite[],
): Promise<boolean> {
  const isSame = {
    check: keys.drop(ownerId, slug),
    condition: item === undefined ? "attribute_not_exists(pk)" : "revision = :seen",
    values: item && { ":seen": item.revision },
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

/** Maximum number of drops that one write adds to the index, and maximum number of their search tokens. */
const batchSize = 250;
const batchTokensMax = 1_000_000;

/** Finds drops whose search entry is missing or outdated, and entries of deleted drops. Reads the whole table. */
async function findSearchGaps(nowMs: number) {
  const snapshot = await latestSnapshot();
  const indexed = snapshot.segments.flatMap(({ rows }) => [...rows.values()]);
  const known = new Set(indexed.map(({ slug }) => slug));
  const [missing, outdated]: [IndexedPlace[], IndexedPlace[]] = [[], []];
  const seen = new Set<string>();
  for await (const items of readTable())
    for (const item of items) {
      const subject = parseKey(item);
      if (subject?.kind !== "drop" || item.slug === undefined) continue;
      const drop = readDrop(item);
      if (drop === undefined) continue;
      seen.add(drop.slug);
      if (!isIndexed(headOf(drop, drop, nowMs), snapshot))
        (known.has(drop.slug) ? outdated : missing).push(drop);
    }
  return { missing, outdated, surplus: indexed.filter(({ slug }) => !seen.has(slug)) };
}

async function indexDrops(places: readonly IndexedPlace[], print: (line: string) => void): Promise<void> {
  let left = places.map(({ ownerId, slug }) => ({ ownerId, slug }));
  while (left.length > 0) {
    const batch = left.slice(0, batchSize);
    const tokens = { tokensMax: batchTokensMax, ownerTokensMax: batchTokensMax };
    const rest = await updateIndex(batch, Date.now(), { ...tokens, endMs: Number.POSITIVE_INFINITY });
    left = [...left.slice(batchSize), ...rest];
    print(`Indexed ${places.length - left.length} of ${places.length}.`);
  }
  while (await mergeIndex(Date.now(), { isQuiet: true }));
}

/** Resets the search index if its files are damaged or missing. Returns false if they are intact. */
export async function resetUnreadableIndex(): Promise<boolean> {
  try {
    await latestSnapshot();
    return false;
  } catch (error) {
    const isDamaged = (error as NodeJS.ErrnoException).code === "ERR_SQLITE_ERROR";
    if (!isDamaged && !(error instanceof MissingSegmentError)) throw error;
    await resetIndex(await readManifest(), Date.now());
    return true;
  }
}
