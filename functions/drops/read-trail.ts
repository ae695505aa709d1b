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

/** The first time on a day in UTC that a reader opened a drop: docs/adr/0031-audit-and-read-trails.md. */
export interface Read {
  /** Address or user name of the reader, as `readers` takes it. */
  readonly reader: string;
  readonly day: string;
  readonly firstAtMs: number;
}

/** A part of a drop's reads: newest day first, in no order within a day. */
export interface ReadPart {
  readonly reads: readonly Read[];
  /** Cursor of the next part; undefined after the last. */
  readonly next: string | undefined;
}

const secondsPerDay = 24 * 60 * 60;

/** Time limit that a reader waits for the trail. A write that was sent may still end afterwards. */
const waitMsMax = 1_000;

/** Reads that this process has recorded, so that a reload costs no write. */
const recorded = new Set<string>();
const recordedMax = 10_000;

/** Reads of drops. Each is an item in a partition that serves no page. */
export const readTrail = {
  /**
   * Records a read. It never fails and never takes long: a read that cannot be written is lost, and logged without its
   * reader.
   */
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

  /** Lists the stored reads of a drop. Expiry is checked here; TTL only tidies up. */
  async list(
    slug: string,
    {
      cursor,
      limit,
      nowMs,
    }: { readonly cursor: string | undefined; readonly limit: number; readonly nowMs: number },
  ): Promise<ReadPart> {
    const range = ranges.reads(slug);
    const after = cursor === undefined ? undefined : { pk: range.pk, sk: cursor.replace(".", "#") };
    const items = await queryAll(range, { descending: true, limit: limit + 1, after });
    const found = items.slice(0, limit);
    return {
      reads: found.filter((item) => isKept(item, nowMs)).map(toRead),
      // Without `#`, which would end the query in a hand-written URL.
      next: items.length > limit ? String(found.at(-1)?.sk).replace("#", ".") : undefined,
    };
  },

  /**
   * Names the readers of the last seven days (UTC), today included, the latest first. It reads all of these days' reads.
   */
  async listWeeksReaders(slug: string, nowMs: number): Promise<readonly string[]> {
    const { pk } = ranges.reads(slug);
    const firstDay = utcDayOf(nowMs - 6 * secondsPerDay * 1000);
    // The day is before the keys of its own reads, which add a hash to it.
    const week = { after: { pk, sk: firstDay }, attributes: ["sk", "reader", "firstAtMs", "ttl"] };
    const items = (await queryAll(ranges.reads(slug), week)).filter((item) => isKept(item, nowMs));
    const latest = new Map(items.map((item) => [String(item.sk).split("#")[1], toRead(item)]));
    return [...latest.values()]
      .sort((one, other) => other.firstAtMs - one.firstAtMs)
      .map(({ reader }) => reader);
  },

  /** Removes all reads of a drop. */
  async removeOf(slug: string): Promise<void> {
    await deleteItems(await queryKeys(ranges.reads(slug)));
  },
};

function isKept({ ttl }: Item, nowMs: number): boolean {
  return Number(ttl) * 1000 > nowMs;
}

/** Key of a person in the items of their reads. */
export function identityText({ provider, id }: Pick<Identity, "provider" | "id">): string {
  return `${provider}#${id}`;
}

/** The read of an item. */
export function toRead(item: Item): Read {
  const [day = ""] = String(item.sk).split("#");
  return { reader: item.reader as string, day, firstAtMs: item.firstAtMs as number };
}

/** Only the first of concurrent writes of a day succeeds. */
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

/**
 * The name by which a drop is shared with a reader: their address or user name. For members and groups it is their
 * first address.
 */
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

/** Hash of an identity: provider ids may be long, and a cursor shows the key. */
function hashOf(identity: Identity): string {
  return createHash("sha256").update(identityText(identity)).digest("base64url");
}
