import { paginateQuery } from "@aws-sdk/lib-dynamodb";
import type { AuditLine } from "../table/audit.ts";
import { auditDays, toAuditLine } from "../table/audit-trail.ts";
import { auditShardOf, auditShards, keys, ranges, utcDayOf } from "../table/keys.ts";
import { dynamodb, getItem, tableName } from "../table/table.ts";

/** A line, and the user name of the person who acted. */
export interface NamedLine extends AuditLine {
  /** @default - no person acted, or their account was deleted */
  readonly person: string | undefined;
}

/** Adds persons' user names, which the trail does not store. Reads each account once. */
export function personNames() {
  const names = new Map<string, Promise<string | undefined>>();
  return async (line: AuditLine): Promise<NamedLine> => {
    const { actor } = line.act;
    if (actor.kind === "administrator") return { ...line, person: actor.name };
    const personId = "personId" in actor ? actor.personId : undefined;
    if (personId === undefined) return { ...line, person: undefined };
    const name =
      names.get(personId) ??
      getItem(keys.account(personId)).then((item) => item?.username as string | undefined);
    names.set(personId, name);
    return { ...line, person: await name };
  };
}

const dayMs = 86_400_000;

/** Range of lines of the audit trail, from a moment until before another. */
export interface AuditRange {
  readonly fromMs: number;
  readonly untilMs: number;
  /** Account that the lines are about. @default - any account, or none */
  readonly ownerId?: string | undefined;
}

/** Days that are read at the same time, each with all its partitions. */
const daysAtOnce = 8;

/** Reads the unexpired lines of a range, oldest first. Only the pages for administrators have the permission to read them. */
export async function* readAudit(range: AuditRange): AsyncGenerator<AuditLine> {
  const days: string[] = [];
  for (let atMs = range.fromMs; atMs < range.untilMs; atMs = (Math.floor(atMs / dayMs) + 1) * dayMs)
    days.push(utcDayOf(atMs));
  for (let start = 0; start < days.length; start += daysAtOnce) {
    const read = days.slice(start, start + daysAtOnce).map((day) => readDay(day, range));
    for (const lines of await Promise.all(read)) yield* lines;
  }
}

/** A part of the trail, newest line first. */
export type AuditPart = Awaited<ReturnType<typeof readAuditBefore>>;

/** Lines of a part. Lines of the same moment stay together. */
const partLinesMax = 100;

/** Days and duration of the search for a part. */
const partDaysMax = 31;
const partMsMax = 8_000;

/**
 * Reads the last lines before a moment that match, day by day. Without enough of them, it ends after a month or 8 seconds.
 *
 * @returns the lines, and the moment before which the next part begins: undefined if this one reaches the oldest line
 */
export async function readAuditBefore(
  untilMs: number,
  isWanted: (line: AuditLine) => boolean,
  nowMs: number,
) {
  const startedAtMs = performance.now();
  const oldestMs = nowMs - auditDays() * dayMs;
  const lines: AuditLine[] = [];
  let fromMs = untilMs;
  for (let days = 0; days < partDaysMax && fromMs > oldestMs; days += 1) {
    const until = fromMs;
    fromMs = Math.floor((fromMs - 1) / dayMs) * dayMs;
    const found = await readDay(utcDayOf(fromMs), { fromMs, untilMs: until });
    lines.push(...found.filter(isWanted).reverse());
    const last = lines[partLinesMax - 1]?.act.atMs;
    if (last !== undefined) return { lines: lines.filter(({ act }) => act.atMs >= last), earlierMs: last };
    if (performance.now() - startedAtMs > partMsMax) break;
  }
  return { lines, earlierMs: fromMs > oldestMs ? fromMs : undefined };
}

async function readDay(day: string, range: AuditRange): Promise<AuditLine[]> {
  const shards = range.ownerId === undefined ? [...Array(auditShards).keys()] : [auditShardOf(range.ownerId)];
  const lines = (await Promise.all(shards.map((shard) => readShard(day, shard, range)))).flat();
  return lines.sort((one, other) => one.act.atMs - other.act.atMs || (one.id < other.id ? -1 : 1));
}

async function readShard(
  day: string,
  shard: number,
  { fromMs, untilMs, ownerId }: AuditRange,
): Promise<AuditLine[]> {
  const { pk, from, until } = ranges.audit(day, shard, fromMs, untilMs);
  const isKept = { ":now": Math.floor(Date.now() / 1000) };
  const query = {
    TableName: tableName(),
    KeyConditionExpression: "pk = :pk AND sk BETWEEN :from AND :until",
    FilterExpression: ownerId === undefined ? "#ttl > :now" : "#ttl > :now AND ownerId = :ownerId",
    ExpressionAttributeNames: { "#ttl": "ttl" },
    ExpressionAttributeValues: { ":pk": pk, ":from": from, ":until": until, ...isKept, ":ownerId": ownerId },
    ConsistentRead: true,
  };
  const lines: AuditLine[] = [];
  for await (const { Items = [] } of paginateQuery({ client: dynamodb }, query))
    lines.push(...Items.map(toAuditLine));
  return lines;
}
