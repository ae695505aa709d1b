import type { Job } from "../background/job.ts";
import { type Finding, findIn, type TableChange, type TableListener } from "../background/table-change.ts";
import { type Key, keys } from "../platform/keys.ts";
import { getItem } from "../platform/table.ts";
import { writeItems } from "../platform/table-writes.ts";
import { type AudienceChange, readAudienceChange } from "./audience-change.ts";
import { entriesOfRow } from "./index-store.ts";

/**
 * The library's part of the table's stream: its index follows whom drops are for. A change tells which entries to look at, and the drop as it
 * is now whether they are to be there.
 */
export const libraryListener: TableListener = {
  feature: "library",
  onTableChange(changes) {
    const findings = findIn("library", changes, readAudienceChange);
    const byDrop = Map.groupBy(findings, ({ found: { ownerId, slug } }) => `${ownerId} ${slug}`);
    return [...byDrop.values()].map(toJob);
  },
};

/** A job for all changes of one drop. */
function toJob(findings: readonly Finding<AudienceChange>[]): Job<TableChange> {
  const run = async () => {
    const entries = new Map(
      findings.flatMap(({ found }) => found.entries).map((entry) => [textOf(entry), entry]),
    );
    const [{ found: drop } = nothingFound()] = findings;
    await write([...entries.values()], drop);
  };
  return { sources: findings.map(({ change }) => change), run };
}

/** The number of times that entries are written because the drop has changed meanwhile. */
const attemptsMax = 5;

/** Writes and removes entries until the drop is still the same afterwards: a retry may run beside the job of a later change. */
async function write(all: readonly Key[], { ownerId, slug }: AudienceChange): Promise<void> {
  const readExpected = async () => {
    const row = (await getItem(keys.drop(ownerId, slug))) ?? {};
    return new Set(entriesOfRow(row, { ownerId, slug }).map(textOf));
  };
  let expected = await readExpected();
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const written = expected;
    await writeItems({
      puts: all.filter((entry) => written.has(textOf(entry))).map((entry) => ({ ...entry })),
      deletes: all.filter((entry) => !written.has(textOf(entry))),
    });
    expected = await readExpected();
    if (all.every((entry) => expected.has(textOf(entry)) === written.has(textOf(entry)))) return;
  }
  throw new Error("The drop has changed each time that its entries were written.");
}

function nothingFound(): never {
  throw new Error("A drop is looked at where a change tells of it.");
}

function textOf({ pk, sk }: Key): string {
  return `${pk} ${sk}`;
}
