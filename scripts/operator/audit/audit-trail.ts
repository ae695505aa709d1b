import { paginateQuery } from "@aws-sdk/lib-dynamodb";
import { patterns } from "../../../functions/http/schemas.ts";
import { operationIds, routeOf } from "../../../functions/routes.ts";
import {
  type AuditLine,
  accountCreation,
  scimActions,
  scimNameTaken,
  serviceActions,
  signInRefusal,
} from "../../../functions/table/audit.ts";
import { toAuditLine } from "../../../functions/table/audit-trail.ts";
import { auditShardOf, auditShards, ranges, utcDayOf } from "../../../functions/table/keys.ts";
import { dynamodb, tableName } from "../../../functions/table/table.ts";
import { UsageError } from "../command.ts";
import { operatorActions } from "../service.ts";

/** Range of lines of the audit trail. */
interface AuditRange {
  /** First moment of the range, and the moment after its last. */
  readonly fromMs: number;
  readonly untilMs: number;
  /** Account that the lines are about. @default - any account, or none */
  readonly ownerId?: string | undefined;
}

/** Filter of the audit trail. */
interface AuditFilter extends Pick<AuditRange, "fromMs" | "untilMs"> {
  /** A user id or a namespace. */
  readonly account?: string | undefined;
  /** The id of a token: lines by it, and lines about it. */
  readonly token?: string | undefined;
  readonly slug?: string | undefined;
  readonly blobId?: string | undefined;
  readonly action?: string | undefined;
}

type FilterOptions = Readonly<
  Partial<Record<"account" | "token" | "drop" | "file" | "action" | "from" | "to", string | undefined>>
>;

const dayMs = 24 * 60 * 60 * 1000;

/** Actions that a line can have. */
export const auditActions: readonly string[] = [
  ...new Set([
    // Those of SCIM have names of their own.
    ...operationIds.filter((id) => routeOf(id).grants.audit && routeOf(id).resource !== "scim"),
    accountCreation,
    signInRefusal,
    scimNameTaken,
    ...operatorActions,
    ...scimActions,
    ...serviceActions,
  ]),
].sort();

/**
 * Reads the options of the command.
 *
 * @throws UsageError naming the option that is wrong, and what would be right
 */
export function readAuditFilter(options: FilterOptions, nowMs: number, days: number): AuditFilter {
  const fromMs = momentOption(options, "from", 0) ?? nowMs - days * dayMs;
  const untilMs = momentOption(options, "to", dayMs) ?? nowMs + 1;
  if (fromMs >= untilMs) throw new UsageError("--from is not before --to.");
  const { account, action } = options;
  if (action !== undefined && !auditActions.includes(action))
    throw new UsageError(`--action is ${JSON.stringify(action)}: choose from ${auditActions.join(", ")}.`);
  return {
    fromMs,
    untilMs,
    account,
    token: idOption(options, "token", patterns.tokenId, "the 12 characters of a token's id, not the token"),
    slug: idOption(options, "drop", patterns.slug, "the 7 characters of a slug"),
    blobId: idOption(options, "file", patterns.blobId, "the 7 characters of a file's id"),
    action,
  };
}

/** Matches a line with the filter, for any account. */
export function isWanted({ act, subject }: AuditLine, filter: AuditFilter): boolean {
  const { token, slug, blobId, action } = filter;
  const tokens = [act.actor.kind === "token" ? act.actor.tokenId : undefined, subject.tokenId];
  return (
    (token === undefined || tokens.includes(token)) &&
    (slug === undefined || subject.slug === slug) &&
    (blobId === undefined || subject.blobId === blobId) &&
    (action === undefined || act.action === action)
  );
}

function idOption(
  options: FilterOptions,
  name: "token" | "drop" | "file",
  shape: RegExp,
  what: string,
): string | undefined {
  const value = options[name];
  if (value === undefined || shape.test(value)) return value;
  // The value may be a secret: it is not repeated.
  throw new UsageError(`--${name} is no id: write ${what}.`);
}

/** A day in UTC, whose end is meant by `--to`, or a moment with its time zone. */
function momentOption(options: FilterOptions, name: "from" | "to", wholeDayMs: number): number | undefined {
  const text = options[name];
  if (text === undefined) return undefined;
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const isMoment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/.test(text);
  const atMs = isDay || isMoment ? Date.parse(text) : Number.NaN;
  // Some engines take the 30th of February for the 2nd of March.
  const isReal = Number.isFinite(atMs) && (!isDay || new Date(atMs).toISOString().startsWith(text));
  if (isReal) return isDay ? atMs + wholeDayMs : atMs;
  throw new UsageError(
    `--${name} is ${JSON.stringify(text)}: write a day in UTC such as 2026-11-22, or a moment such as 2026-11-22T09:30:00Z.`,
  );
}

/** Days that are read at the same time, each with all its partitions. */
const daysAtOnce = 8;

/** Lines of a range, oldest first, without those that have expired. No function may read them. */
export async function* readAudit(range: AuditRange): AsyncGenerator<AuditLine> {
  const days: string[] = [];
  for (let atMs = range.fromMs; atMs < range.untilMs; atMs = (Math.floor(atMs / dayMs) + 1) * dayMs)
    days.push(utcDayOf(atMs));
  for (let start = 0; start < days.length; start += daysAtOnce) {
    const read = days.slice(start, start + daysAtOnce).map((day) => readDay(day, range));
    for (const lines of await Promise.all(read)) yield* lines;
  }
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
