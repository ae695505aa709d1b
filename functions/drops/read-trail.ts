import { createHash } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { environmentNames, readEnvironment } from "../core/environment.ts";
import { writeFault } from "../core/log.ts";
import type { Identity } from "../people/accounts.ts";
import type { Reader } from "../people/find-reader.ts";
import {
  emailDomainOf,
  foldUsername,
  presentReader,
  type ReaderRule,
  readReasonOf,
} from "../policies/access.ts";
import { keys, keyText, ranges, utcDayOf } from "../table/keys.ts";
import { dynamodb, type Item, queryAll, queryKeys, tableName } from "../table/table.ts";
import { deleteItems } from "../table/table-writes.ts";
import type { Drop } from "./drop.ts";

/** A reader's first visit to a drop on a day in UTC; see docs/adr/0031-audit-and-read-trails.md. */
export interface Read {
  /** E-mail address or user name of the reader, in the form that the field `readers` accepts. */
  readonly reader: string;
  readonly day: string;
  readonly firstAtMs: number;
}

/** One page of a drop's reads, newest day first, unordered within a day. */
export interface ReadPart {
  readonly reads: readonly Read[];
  readonly next: string | undefined;
}

const secondsPerDay = 24 * 60 * 60;

/** Maximum time that a reader waits for a read to be recorded, in milliseconds. A write that was sent may still succeed afterwards. */
const waitMsMax = 1_000;

/** Reads that this process has recorded, so that a reload costs no write. */
const recorded = new Set<string>();
const recordedMax = 10_000;

/** Stores reads of drops. Each read is an item in a partition that is not used to serve pages. */
export const readTrail = {
  /** Records a read. Never throws and never takes long. If the write fails, the read is lost, and the error is logged without the reader. */
  async record({ slug, ownerId, visibility }: Drop, reader: Reader, nowMs: number): Promise<void> {
    const { identity } = reader;
    const item = {
      ...keys.read(slug, utcDayOf(nowMs), hashOf(identity)),
      reader: nameOf({ ownerId, visibility }, reader),
      identity: identityText(identity),
      firstAtMs: nowMs,
      ttl: Math.ceil(nowMs / 1000) + Number(readEnvironment(environmentNames.readTrailDays)) * secondsPerDay,
    };
    const recordedKey = keyText(item);
    if (recorded.has(recordedKey)) return;
    const written = put(item).then(
      () => {
        if (recorded.size >= recordedMax) recorded.clear();
        recorded.add(recordedKey);
      },
      (error: unknown) => writeFault({ level: "warn", event: "read-not-recorded", slug }, error),
    );
    await Promise.race([written, setTimeout(waitMsMax, undefined, { ref: false })]);
  },

  /** Lists the reads of a drop, except expired reads that TTL has not deleted yet. */
  async list(
    slug: string,
    page: { readonly cursor: string | undefined; readonly limit: number; readonly nowMs: number },
  ): Promise<ReadPart> {
    const { cursor, limit, nowMs } = page;
    const range = ranges.reads(slug);
    const after = cursor === undefined ? undefined : { pk: range.pk, sk: cursor.replace(".", "#") };
    const items = await queryAll(range, { descending: true, limit: limit + 1, after });
    const found = items.slice(0, limit);
    return {
      reads: found.filter((item) => isKept(item, nowMs)).map(toRead),
      // The cursor must not contain `#`, which would end the query in a hand-written URL.
      next: items.length > limit ? String(found.at(-1)?.sk).replace("#", ".") : undefined,
    };
  },

  /** Lists the names of the last seven days' readers (UTC, including today), latest first. */
  async listWeeksReaders(slug: string, nowMs: number): Promise<readonly string[]> {
    const { pk } = ranges.reads(slug);
    const firstDay = utcDayOf(nowMs - 6 * secondsPerDay * 1000);
    // The key of a read is its day and a hash, so the day alone sorts before all of the day's reads.
    const week = { after: { pk, sk: firstDay }, attributes: ["sk", "reader", "firstAtMs", "ttl"] };
    const items = (await queryAll(ranges.reads(slug), week)).filter((item) => isKept(item, nowMs));
    const latest = new Map(items.map((item) => [String(item.sk).split("#")[1], toRead(item)]));
    return [...latest.values()]
      .sort((one, other) => other.firstAtMs - one.firstAtMs)
      .map(({ reader }) => reader);
  },

  async removeOf(slug: string): Promise<void> {
    await deleteItems(await queryKeys(ranges.reads(slug)));
  },
};

function isKept({ ttl }: Item, nowMs: number): boolean {
  return Number(ttl) * 1000 > nowMs;
}

/** Identifies a person in the items of their reads. */
export function identityText({ provider, id }: Pick<Identity, "provider" | "id">): string {
  return `${provider}#${id}`;
}

/** Converts an item to a read. */
export function toRead(item: Item): Read {
  const [day = ""] = String(item.sk).split("#");
  return { reader: item.reader as string, day, firstAtMs: item.firstAtMs as number };
}

/** Writes a read, unless a read by the same reader on that day is already stored. */
async function put(item: Item): Promise<void> {
  const command = new PutCommand({
    TableName: tableName(),
    Item: item,
    ConditionExpression: "attribute_not_exists(pk)",
  });
  try {
    await dynamodb.send(command);
  } catch (error) {
    if ((error as Error).name !== "ConditionalCheckFailedException") throw error;
  }
}

/** Returns the e-mail address or user name by which a drop is shared with a reader. The default is the reader's first e-mail address. */
function nameOf(drop: Pick<Drop, "ownerId" | "visibility">, reader: Reader): string {
  const reason = readReasonOf(drop, reader);
  const { emails, username } = reader.identity;
  const [name] = reason?.kind === "named" ? reason.rules.flatMap((rule) => namesBy(rule, emails)) : [];
  return name ?? emails[0] ?? presentReader({ kind: "username", username: foldUsername(username) });
}

function namesBy(rule: ReaderRule, emails: readonly string[]): readonly string[] {
  switch (rule.kind) {
    case "email":
    case "username":
      return [presentReader(rule)];
    case "domain":
      return emails.filter((email) => emailDomainOf(email) === rule.domain);
    case "group":
      return [];
  }
}

/** Hashes an identity, because provider ids may be long, and because a cursor contains the key. */
function hashOf(identity: Identity): string {
  return createHash("sha256").update(identityText(identity)).digest("base64url");
}
