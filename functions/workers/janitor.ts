import type { DynamoDBRecord } from "aws-lambda";
import { environmentNames } from "../contract/environment.ts";
import { repeatOf, secondsUntilRepeat } from "../domain/invalidation.ts";
import { removeDropRemains } from "../store/drop-remains.ts";
import { edgeCache } from "../store/edge-cache.ts";
import { readEnvironment } from "../store/environment.ts";
import { invalidateLater, repeatDelaySeconds } from "../store/follow-up-queue.ts";
import { writeFault } from "../store/log.ts";
import { removeObjects } from "../store/object-removal.ts";
import { getItem } from "../store/table.ts";
import { invalidationOf, tellEdge } from "./invalidation.ts";
import type { Job } from "./jobs.ts";
import { findKeptByEdge } from "./kept-by-edge.ts";
import { readKey, readTableChange, type TableChange } from "./table-change.ts";
import { streamWorker } from "./worker.ts";

/** A record, and what it says has changed. */
interface Finding {
  readonly record: DynamoDBRecord;
  readonly change: TableChange;
}

/** The table's stream: what was deleted loses its remains, and what may no longer be shown leaves the edge. */
export const janitor = streamWorker("janitor", (records) => {
  const findings = records.flatMap(readFinding);
  return [
    // First: readers wait for it.
    ...invalidation(findings.filter(({ change }) => blobObjects(change).length === 0)),
    ...fileRemoval(findings.filter(({ change }) => blobObjects(change).length > 0)),
    ...findings.flatMap(dropRemoval),
    ...objectRemoval(findings, environmentNames.pagesBucket, pageObjects),
  ];
});

function readFinding(record: DynamoDBRecord): Finding[] {
  try {
    const change = readTableChange(record);
    return change ? [{ record, change }] : [];
  } catch (error) {
    // It would be no more readable the next time, and everything behind it in the stream would wait.
    const sequenceNumber = record.dynamodb?.SequenceNumber;
    const event = "unreadable-record";
    writeFault({ level: "error", operation: "janitor", event, sequenceNumber }, error);
    return [];
  }
}

/** One invalidation for all of these, and one for when no answer is under way any more that was made before. */
function invalidation(findings: readonly Finding[]): Job<DynamoDBRecord>[] {
  if (findings.length === 0) return [];
  const run = async () => {
    const paths = (await findKeptByEdge(findings.map(({ change }) => change))).flatMap(edgeCache.pathsOf);
    if (paths.length === 0) return;
    const first = invalidationOf(
      paths,
      findings.map(({ record }) => record.dynamodb?.SequenceNumber),
    );
    await tellEdge({ ...first, refusals: 0 });
    await invalidateLater(repeatOf(first), secondsUntilRepeat(Date.now(), repeatDelaySeconds()));
  };
  return [{ sources: findings.map(({ record }) => record), run }];
}

/**
 * Objects first, then the edge: it reads files right from their objects, and one that was invalidated before its object
 * is gone could be read and kept again in between. Pages are read by their rows, which are gone already.
 */
function fileRemoval(findings: readonly Finding[]): Job<DynamoDBRecord>[] {
  const steps = [
    ...objectRemoval(findings, environmentNames.blobsBucket, blobObjects),
    ...invalidation(findings),
  ];
  if (steps.length === 0) return [];
  const run = async () => {
    for (const step of steps) await step.run();
  };
  return [{ sources: findings.map(({ record }) => record), run }];
}

function dropRemoval({ record, change }: Finding): Job<DynamoDBRecord>[] {
  if (change.kind !== "drop-removed") return [];
  const run = async () => {
    if (!(await isBack(record))) await removeDropRemains(change.ownerId, change.slug);
  };
  return [{ sources: [record], run }];
}

/** One removal for all objects of the batch in one bucket. */
function objectRemoval(
  findings: readonly Finding[],
  bucketName: string,
  objectsOf: (change: TableChange) => readonly string[],
): Job<DynamoDBRecord>[] {
  const affected = findings.filter(({ change }) => objectsOf(change).length > 0);
  if (affected.length === 0) return [];
  const run = async () => {
    const keysOf = async ({ record, change }: Finding) => ((await isBack(record)) ? [] : objectsOf(change));
    const objectKeys = (await Promise.all(affected.map(keysOf))).flat();
    await removeObjects(readEnvironment(bucketName), objectKeys);
  };
  return [{ sources: affected.map(({ record }) => record), run }];
}

/** Whether the row is there again, because an operator restored it: then nothing of it is to go any more. */
async function isBack({ dynamodb = {} }: DynamoDBRecord): Promise<boolean> {
  return (await getItem(readKey(dynamodb))) !== undefined;
}

function pageObjects(change: TableChange): readonly string[] {
  return change.kind === "version-removed" ? change.objectKeys : [];
}

function blobObjects(change: TableChange): readonly string[] {
  return change.kind === "blob-removed" ? [change.objectKey] : [];
}
