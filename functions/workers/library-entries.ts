import type { DynamoDBRecord } from "aws-lambda";
import { entriesOfRow } from "../library/index-store.ts";
import { type Key, keys } from "../platform/keys.ts";
import { getItems, type Item } from "../platform/table.ts";
import { writeItems } from "../platform/table-writes.ts";
import { type AudienceChange, readAudienceChange } from "./audience-change.ts";
import { readOrSkip } from "./unreadable-record.ts";
import { type Job, sharedByJobs } from "./worker.ts";

/** All that a batch says of one drop. */
interface IndexChange extends AudienceChange {
  readonly sources: readonly DynamoDBRecord[];
}

/** The rows of drops as they are now, by `textOf` their keys. */
type Rows = ReadonlyMap<string, Item>;

/**
 * Lets the library's index follow whom drops are for. What a record says tells which entries to look at, and the drop as it is now
 * whether they are to be there: so records may come again, and late. All drops are read and written together, and each drop by
 * itself where that is refused: an entry that is wrong keeps no other waiting.
 */
export function indexJobs(records: readonly DynamoDBRecord[]): Job<DynamoDBRecord>[] {
  const changes = readChanges(records);
  const rows = sharedByJobs(() => readRows(changes));
  const areWritten = sharedByJobs(async () =>
    writeEntries(changes, await rows()).then(
      () => true,
      (error: Error) => {
        if (isOfOneDrop(error)) return false;
        throw error;
      },
    ),
  );
  return changes.map((change) => ({
    sources: change.sources,
    run: async () => {
      if (!(await areWritten())) await writeEntries([change], await rows());
    },
  }));
}

/** Tells what is wrong with a drop from an outage. Amazon DynamoDB developer guide, "Error handling with DynamoDB". */
function isOfOneDrop(error: Error): boolean {
  return error instanceof TypeError || error.name === "ValidationException";
}

function readChanges(records: readonly DynamoDBRecord[]): IndexChange[] {
  const changes = new Map<string, IndexChange>();
  for (const record of records) {
    const change = readOrSkip(record, readAudienceChange, undefined);
    if (change === undefined) continue;
    const id = textOf(keys.drop(change.ownerId, change.slug));
    const { sources = [], entries = [] } = changes.get(id) ?? {};
    changes.set(id, {
      ...change,
      sources: [...sources, record],
      entries: [...entries, ...change.entries],
    });
  }
  return [...changes.values()];
}

async function readRows(changes: readonly IndexChange[]): Promise<Rows> {
  const rows = await getItems(changes.map(({ ownerId, slug }) => keys.drop(ownerId, slug)));
  return new Map(rows.map((row) => [textOf(row as unknown as Key), row]));
}

async function writeEntries(changes: readonly IndexChange[], rows: Rows): Promise<void> {
  const puts = new Map<string, Key>();
  const deletes = new Map<string, Key>();
  for (const { ownerId, slug, entries } of changes) {
    const row = rows.get(textOf(keys.drop(ownerId, slug))) ?? {};
    const expected = new Set(entriesOfRow(row, { ownerId, slug }).map(textOf));
    for (const entry of entries) {
      const text = textOf(entry);
      (expected.has(text) ? puts : deletes).set(text, entry);
    }
  }
  await writeItems({ puts: [...puts.values()].map((key) => ({ ...key })), deletes: [...deletes.values()] });
}

function textOf({ pk, sk }: Key): string {
  return `${pk} ${sk}`;
}
