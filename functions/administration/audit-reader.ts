import { paginateQuery } from "@aws-sdk/lib-dynamodb";
import type { AuditLine } from "../table/audit.ts";
import { auditDays, toAuditLine } from "../table/audit-trail.ts";
import { auditShardOf, auditShards, keys, ranges, utcDayOf } from "../table/keys.ts";
import { dynamodb, getItem, tableName } from "../table/table.ts";

/** An audit entry, with the user name of the person who acted. */
export interface NamedLine extends AuditLine {
  /** User name of the person. @default - no person acted, or the person's account was deleted */
  readonly person: string | undefined;
}

/** Returns a function that looks up the user name of the person in an audit entry. The function reads each account only once. */
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

/** Time range of audit entries, which includes `fromMs` and excludes `untilMs`. */
interface AuditRange {
  readonly fromMs: number;
  readonly untilMs: number;
  /** Account that the entries are about. @default - all entries */
  readonly ownerId?: string | undefined;
}

/** Number of days that are read concurrently, each from several partitions. */
const daysAtOnce = 8;

/** Reads the unexpired audit entries of a range, oldest first. Only functions of the administration pages have permission to do so. */
export async function* readAudit(range: AuditRange): AsyncGenerator<AuditLine> {
  const days: string[] = [];
  for (let atMs = range.fromMs; atMs < range.untilMs; atMs = (Math.floor(atMs / dayMs) + 1) * dayMs)
    days.push(utcDayOf(atMs));
  for (let start = 0; start < days.length; start += daysAtOnce) {
    const read = days.slice(start, start + daysAtOnce).map((day) => readDay(day, range));
    for (const lines of await Promise.all(read)) yield* lines;
  }
}

/** Page of audit entries, newest first. */
export type AuditPart = Awaited<ReturnType<typeof readAuditBefore>>;

/** Number of entries on a page. A page can have more, because entries with the same time are kept together. */
const partLinesMax = 100;

/** Maximum number of days to search for one page of entries, and maximum duration of the search in milliseconds. */
const partDaysMax = 31;
const partMsMax = 8_000;

/**
 * Reads the latest matching audit entries before a given time, day by day. Stops when a page is full, or after 31 days or 8 seconds.
 *
 * @returns the entries, and the time before which the next page begins. The time is undefined if this page includes the oldest entry.
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
