import type { DynamoDBRecord } from "aws-lambda";
import { entriesOfRow } from "../library/index-store.ts";
import { type Key, keys } from "../platform/keys.ts";
import { getItem } from "../platform/table.ts";
import { writeItems } from "../platform/table-writes.ts";
import { type AudienceChange, readAudienceChange } from "./audience-change.ts";
import { readOrSkip } from "./unreadable-record.ts";
import type { Job } from "./worker.ts";

interface Finding {
  readonly record: DynamoDBRecord;
  readonly change: AudienceChange;
}

/**
 * Lets the library's index follow whom drops are for. What a record says tells which entries to look at, and the drop as it is now
 * whether they are to be there: so records may come again, and late.
 */
export function indexJobs(records: readonly DynamoDBRecord[]): Job<DynamoDBRecord>[] {
  const findings = records.flatMap((record): Finding[] => {
    const change = readOrSkip(record, readAudienceChange, undefined);
    return change ? [{ record, change }] : [];
  });
  const byDrop = Map.groupBy(findings, ({ change: { ownerId, slug } }) => `${ownerId} ${slug}`);
  return [...byDrop.values()].map(toJob);
}

/** All that a batch says of one drop. */
function toJob(findings: readonly Finding[]): Job<DynamoDBRecord> {
  const run = async () => {
    const changed = new Map(
      findings.flatMap(({ change }) => change.entries).map((entry) => [textOf(entry), entry]),
    );
    const [
      {
        change: { ownerId, slug },
      } = nothingFound(),
    ] = findings;
    const row = (await getItem(keys.drop(ownerId, slug))) ?? {};
    const expected = new Set(entriesOfRow(row, { ownerId, slug }).map(textOf));
    const all = [...changed.values()];
    await writeItems({
      puts: all.filter((entry) => expected.has(textOf(entry))).map((entry) => ({ ...entry })),
      deletes: all.filter((entry) => !expected.has(textOf(entry))),
    });
  };
  return { sources: findings.map(({ record }) => record), run };
}

function nothingFound(): never {
  throw new Error("A drop is looked at where a record tells of it.");
}

function textOf({ pk, sk }: Key): string {
  return `${pk} ${sk}`;
}
