import type { DynamoDBRecord, SQSRecord } from "aws-lambda";
import { streamRecordSecondsMax } from "../platform/limits.ts";
import { writeFault } from "../platform/log.ts";
import { type Job, runJobs } from "./job.ts";
import { firstRetry, nextRetry, postpone, type Retry, toRetry } from "./postponed-work.ts";
import { type TableListener, toTableChange } from "./table-change.ts";

/** The kind of these messages in the follow-up queue. */
export const changeKind = "table-change";

/** A change of the table that failed for a feature, as the follow-up queue carries it. */
interface PostponedChange {
  readonly feature: string;
  readonly record: DynamoDBRecord;
  readonly retry: Retry;
}

/** Puts a change that failed for a feature into the follow-up queue. */
export async function postponeChange(feature: string, record: DynamoDBRecord, nowMs: number): Promise<void> {
  await postpone(changeKind, { feature, record }, firstRetry(nowMs), nowMs);
}

/** Gives each postponed change to its feature again, each by itself. */
export function postponedChanges(
  messages: readonly SQSRecord[],
  listeners: readonly TableListener[],
): Job<SQSRecord>[] {
  return messages.map((message) => ({
    sources: [message],
    run: () => tryAgain(parseMessage(message.body), listeners, Date.now()),
  }));
}

async function tryAgain(
  { feature, record, retry }: PostponedChange,
  listeners: readonly TableListener[],
  nowMs: number,
): Promise<void> {
  if (retry.dueAtMs > nowMs) return postpone(changeKind, { feature, record }, retry, nowMs);
  const listener = listeners.find((one) => one.feature === feature);
  if (listener === undefined) throw new Error(`No feature "${feature}" listens to the table.`);
  const failures = await runJobs(listener.onTableChange([toTableChange(record, true)]));
  const [error] = failures.values();
  if (failures.size === 0) return;
  const next = nextRetry(retry, nowMs, streamRecordSecondsMax * 1000);
  if (next === undefined)
    throw new Error(`A change has failed for "${feature}" for an hour.`, { cause: error });
  writeFault({ level: "warn", operation: "follow-up", event: "change-postponed", feature }, error);
  await postpone(changeKind, { feature, record }, next, nowMs);
}

/** @throws Error where the message has no change */
function parseMessage(text: string): PostponedChange {
  const { feature, record, ...rest } = Object(JSON.parse(text));
  const retry = toRetry(rest);
  if (typeof feature !== "string" || typeof record?.dynamodb !== "object" || retry === undefined)
    throw new Error("The message has no change of the table.");
  return { feature, record, retry };
}
