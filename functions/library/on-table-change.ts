import { isDeepStrictEqual } from "node:util";
import { collectFromChanges, type TableChange, type TableListener } from "../background/table-change.ts";
import { shareAcrossJobs } from "../background/worker.ts";
import { type Key, keys, keyText } from "../table/keys.ts";
import { findItems, type Item, RetryableError, retryConflicts } from "../table/table.ts";
import { writeItems } from "../table/table-writes.ts";
import { entriesOfRow } from "./library-index.ts";

/** A changed drop, and the library index entries that the change may add or remove. */
interface AudienceChange {
  readonly ownerId: string;
  readonly slug: string;
  readonly entries: readonly Key[];
}

/**
 * Parses a table change that affects a drop's audience. Returns undefined for any other change.
 *
 * @throws TypeError for a row that the service did not write
 */
function readAudienceChange({ subject, before, after }: TableChange): AudienceChange | undefined {
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

/** Combined changes of a batch to one drop. */
interface IndexChange extends AudienceChange {
  readonly sources: readonly TableChange[];
}

/** Current table rows of drops, by key. */
type Rows = Awaited<ReturnType<typeof findItems>>;

/**
 * Table stream listener of the library. Updates the library index when the readers of a drop change. A change names the
 * entries to check, and the drop's current row determines which of them should exist. All drops of a batch are read and
 * written together. If this write is refused, each drop is written separately, so that an invalid entry does not delay
 * other drops.
 */
export const libraryListener: TableListener = {
  feature: "library",
  onTableChange(changes) {
    const ofDrops = readChanges(changes);
    const rows = shareAcrossJobs(() => readRows(ofDrops));
    const areWritten = shareAcrossJobs(async () =>
      writeEntries(ofDrops, await rows()).then(
        () => true,
        (error: Error) => {
          if (isOfOneDrop(error)) return false;
          throw error;
        },
      ),
    );
    return ofDrops.map((change) => ({
      sources: change.sources,
      run: async () => {
        if (!(await areWritten())) await writeEntries([change], await rows());
        if (change.sources.some(({ isRetried }) => isRetried))
          await writeUntilUnchanged(change, await rows());
      },
    }));
  },
};

/**
 * Distinguishes an error in a single drop from an outage; see "Error handling with DynamoDB", Amazon DynamoDB developer
 * guide.
 */
function isOfOneDrop(error: Error): boolean {
  return error instanceof TypeError || error.name === "ValidationException";
}

function readChanges(changes: readonly TableChange[]): IndexChange[] {
  const findings = collectFromChanges("library", changes, readAudienceChange);
  const byDrop = Map.groupBy(findings, ({ found: { ownerId, slug } }) => keyText(keys.drop(ownerId, slug)));
  return [...byDrop.values()].flatMap((ofDrop) => {
    const [first] = ofDrop;
    if (first === undefined) return [];
    const sources = ofDrop.map(({ change }) => change);
    return [{ ...first.found, sources, entries: ofDrop.flatMap(({ found }) => found.entries) }];
  });
}

function readRows(changes: readonly IndexChange[]): Promise<Rows> {
  return findItems(changes.map(({ ownerId, slug }) => keys.drop(ownerId, slug)));
}

async function writeEntries(changes: readonly IndexChange[], rows: Rows): Promise<void> {
  const puts = new Map<string, Key>();
  const deletes = new Map<string, Key>();
  for (const change of changes) {
    const expected = expectedEntries(change, rows);
    for (const entry of change.entries) {
      const text = keyText(entry);
      (expected.has(text) ? puts : deletes).set(text, entry);
    }
  }
  await writeItems({ puts: [...puts.values()].map((key) => ({ ...key })), deletes: [...deletes.values()] });
}

function expectedEntries({ ownerId, slug }: AudienceChange, rows: Rows): ReadonlySet<string> {
  const row = rows(keys.drop(ownerId, slug)) ?? {};
  return new Set(entriesOfRow(row, { ownerId, slug }).map(keyText));
}

/**
 * Writes a drop's entries, and repeats this until the audience has not changed during the write. A retry may run
 * concurrently with the batch of a later change.
 */
async function writeUntilUnchanged(change: IndexChange, rows: Rows): Promise<void> {
  let written = expectedEntries(change, rows);
  await retryConflicts(async () => {
    const now = await readRows([change]);
    const expected = expectedEntries(change, now);
    if (isDeepStrictEqual(expected, written)) return;
    await writeEntries([change], now);
    written = expected;
    throw new RetryableError("The drop changed each time that its entries were written.");
  });
}
