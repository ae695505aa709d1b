import { paginateQuery } from "@aws-sdk/lib-dynamodb";
import type { AuditLine } from "../../../functions/table/audit.ts";
import { toAuditLine } from "../../../functions/table/audit-trail.ts";
import { auditShardOf, auditShards, ranges, utcDayOf } from "../../../functions/table/keys.ts";
import { dynamodb, tableName } from "../../../functions/table/table.ts";

/** Which lines of the audit trail to read. */
export interface AuditRange {
  /** From this moment on, and before that one. */
  readonly fromMs: number;
  readonly untilMs: number;
  /** Only those of one account. @default - those of all, and of none */
  readonly ownerId?: string | undefined;
}

/** Days that are asked for at once, each in all its partitions. */
const daysAtOnce = 8;

/** The lines of a time, oldest first, without those whose time to be kept is over. No function may ask for them. */
export async function* readAudit(range: AuditRange): AsyncGenerator<AuditLine> {
  const days = daysOf(range);
  for (let start = 0; start < days.length; start += daysAtOnce) {
    const read = days.slice(start, start + daysAtOnce).map((day) => readDay(day, range));
    for (const lines of await Promise.all(read)) yield* lines;
  }
}

async function readDay(day: string, range: AuditRange): Promise<AuditLine[]> {
  const shards =
    range.ownerId === undefined
      ? Array.from({ length: auditShards }, (_, shard) => shard)
      : [auditShardOf(range.ownerId)];
  const lines = (await Promise.all(shards.map((shard) => readPartition(day, shard, range)))).flat();
  return lines.sort((one, other) => one.act.atMs - other.act.atMs || (one.id < other.id ? -1 : 1));
}

async function readPartition(
  day: string,
  shard: number,
  { fromMs, untilMs, ownerId }: AuditRange,
): Promise<AuditLine[]> {
  const { pk, from, until } = ranges.audit(day, shard, fromMs, untilMs);
  const pages = paginateQuery(
    { client: dynamodb },
    {
      TableName: tableName(),
      KeyConditionExpression: "pk = :pk AND sk BETWEEN :from AND :until",
      FilterExpression: ownerId === undefined ? "#ttl > :now" : "#ttl > :now AND ownerId = :ownerId",
      ExpressionAttributeNames: { "#ttl": "ttl" },
      ExpressionAttributeValues: {
        ":pk": pk,
        ":from": from,
        ":until": until,
        ":now": Math.floor(Date.now() / 1000),
        ":ownerId": ownerId,
      },
      ConsistentRead: true,
    },
  );
  const lines: AuditLine[] = [];
  for await (const { Items = [] } of pages) lines.push(...Items.map(toAuditLine));
  return lines;
}

/** Each day that has a moment of the time in it. */
function daysOf({ fromMs, untilMs }: AuditRange): string[] {
  const days: string[] = [];
  for (let atMs = fromMs; atMs < untilMs; atMs = startOfNextDay(atMs)) days.push(utcDayOf(atMs));
  return days;
}

function startOfNextDay(atMs: number): number {
  const dayMs = 24 * 60 * 60 * 1000;
  return (Math.floor(atMs / dayMs) + 1) * dayMs;
}
