import type { DynamoDBRecord } from "aws-lambda";
import { entriesOfRow } from "../library/index-store.ts";
import { type Key, keys } from "../platform/keys.ts";
import { writeFault } from "../platform/log.ts";
import { getItem } from "../platform/table.ts";
import { writeItems } from "../platform/table-writes.ts";
import { type AudienceChange, readAudienceChange } from "./audience-change.ts";
import { type Job, streamWorker } from "./worker.ts";

interface Finding {
  readonly record: DynamoDBRecord;
  readonly change: AudienceChange;
}

/**
 * The table's stream: the library's index follows whom drops are for. What a record says tells which entries to look at, and the
 * drop as it is now whether they are to be there: so records may come again, and late.
 */
export const indexLibrary = streamWorker("index-library", (records) => {
  const byDrop = Map.groupBy(
    records.flatMap(readFinding),
    ({ change: { ownerId, slug } }) => `${ownerId} ${slug}`,
  );
  return [...byDrop.values()].map(toJob);
});

function readFinding(record: DynamoDBRecord): Finding[] {
  try {
    const change = readAudienceChange(record);
    return change ? [{ record, change }] : [];
  } catch (error) {
    // It would be no more readable the next time, and everything behind it in the stream would wait.
    const sequenceNumber = record.dynamodb?.SequenceNumber;
    const event = "unreadable-record";
    writeFault({ level: "error", operation: "index-library", event, sequenceNumber }, error);
    return [];
  }
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
