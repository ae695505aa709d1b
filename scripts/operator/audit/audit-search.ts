import { paginateQuery } from "@aws-sdk/lib-dynamodb";
import type { AuditLine } from "../../../functions/table/audit.ts";
import { toAuditLine } from "../../../functions/table/audit-trail.ts";
import { auditShardOf, auditShards, ranges, utcDayOf } from "../../../functions/table/keys.ts";
import { dynamodb, tableName } from "../../../functions/table/table.ts";

/** Range of lines of the audit trail. */
export interface AuditRange {
  /** First moment of the range, and the moment after its last. */
  readonly fromMs: number;
  readonly untilMs: number;
  /** Account that the lines are about. @default - any account, or none */
  readonly ownerId?: string | undefined;
}

/** Days that are read at the same time, each with all its partitions. */
const daysAtOnce = 8;

/** Lines of a range, oldest first, without those that have expired. No function may read them. */
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

/** Days in UTC that the range touches. */
function daysOf({ fromMs, untilMs }: AuditRange): string[] {
  const days: string[] = [];
  for (let atMs = fromMs; atMs < untilMs; atMs = startOfNextDay(atMs)) days.push(utcDayOf(atMs));
  return days;
}

function startOfNextDay(atMs: number): number {
  const dayMs = 24 * 60 * 60 * 1000;
  return (Math.floor(atMs / dayMs) + 1) * dayMs;
}
