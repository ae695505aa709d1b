import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { HeadObjectCommand, type HeadObjectCommandOutput, NotFound } from "@aws-sdk/client-s3";
import { expect } from "vitest";
import { readAudit } from "../../functions/administration/audit-reader.ts";
import type { Blob } from "../../functions/blobs/blob.ts";
import { blobsS3 } from "../../functions/blobs/objects.ts";
import { toBlob } from "../../functions/blobs/store.ts";
import { storedBytesOf, type Version } from "../../functions/drops/drop.ts";
import { toDrop, toVersion } from "../../functions/drops/items.ts";
import { pages } from "../../functions/drops/page-objects.ts";
import { toConversations } from "../../functions/feedback/feedback.ts";
import { toComment, toFeedbackCounts, toThread } from "../../functions/feedback/items.ts";
import type { AuditLine } from "../../functions/table/audit.ts";
import { keys } from "../../functions/table/keys.ts";
import { getItems, type Item, tableName } from "../../functions/table/table.ts";
import { readPartition } from "../../scripts/operator/table-reads.ts";
import { compareCounts, findVersionProblem } from "../../scripts/operator/upkeep/recount.ts";
import type { World } from "./given-world.ts";

/** Items by `pk` and `sk`. */
export type StoredState = ReadonlyMap<string, Item>;

/** Reads all items that belong to a case. */
export async function readState(world: World): Promise<StoredState> {
  const { userIds, partitions } = world;
  const accounts = (
    await Promise.all([...userIds].map((id) => readPartition(tableName(), keys.account(id).pk)))
  ).flat();
  // Items that a deletion leaves for the janitor belong to the case, too.
  for (const { slug } of accounts) if (slug !== undefined) partitions.add(keys.pointer(String(slug)).pk);
  const tokenHashes = accounts.filter((row) => kindOf(row) === "USER/TOKEN").map(({ hash }) => String(hash));
  const others = await Promise.all([
    getItems(tokenHashes.map(keys.token)),
    ...[...partitions].map((pk) => readPartition(tableName(), pk)),
  ]);
  const stored = [...accounts, ...others.flat()].map((item) => [`${item.pk} ${item.sk}`, item] as const);
  const lines = (await readLines(world)).map((line) => [`AUDIT ${line.id}`, lineItem(line)] as const);
  return new Map([...stored, ...lines]);
}

/** Reads the audit entries of a case. */
export async function readLines({ userIds, startedAtMs }: World): Promise<AuditLine[]> {
  const lines: AuditLine[] = [];
  for (const ownerId of userIds) {
    const range = { fromMs: startedAtMs, untilMs: Date.now() + 1, ownerId };
    for await (const line of readAudit(range)) lines.push(line);
  }
  return lines;
}

/** Presents an audit entry as an item whose sort key is the action. */
function lineItem({ act, subject }: AuditLine): Item {
  return { pk: "AUDIT", sk: act.action, ...subject };
}

/** Returns the changes of items by kind, sorted, without values that differ in each run, such as a token's windows and times. */
export function changesBetween(before: StoredState, after: StoredState): string[] {
  const all = new Set([...before.keys(), ...after.keys()]);
  return [...all].flatMap((key) => changeOf(before.get(key), after.get(key))).sort();
}

function changeOf(before: Item | undefined, after: Item | undefined): string[] {
  if (before === undefined) return [`${kindOf(after ?? {})} added`];
  if (after === undefined) return [`${kindOf(before)} removed`];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => !isTime(name));
  const changed = names.filter((name) => !isDeepStrictEqual(before[name], after[name])).sort();
  const kind = kindOf(after);
  return changed.length === 0 || kind === "TOKEN/TOKEN" ? [] : [`${kind} changed: ${changed.join(", ")}`];
}

/** Checks that items and objects keep promises 2 to 5, which hold at any time and after any fault. */
export async function expectPromisesHeld(state: StoredState): Promise<void> {
  const rows = [...state.values()];
  const ofKind = (pk: string, sk: string) => rows.filter((row) => kindOf(row) === `${pk}/${sk}`);
  for (const account of ofKind("USER", "PROFILE")) expectCountsHeld(account, rows);
  for (const drop of ofKind("USER", "DROP").filter(({ slug }) => slug !== undefined)) {
    const { pk } = keys.pointer(String(drop.slug));
    expect(state.get(`${pk} SLUG`), "the pointer of a drop").toMatchObject({ ownerId: idOf(drop) });
    const versions = ofKind("SLUG", "V")
      .filter((row) => row.pk === pk)
      .reverse();
    const problem = findVersionProblem(toDrop(drop, undefined), versions.map(toVersion));
    expect(problem, "the problem of a drop's versions").toBeUndefined();
    for (const version of versions) await expectStoredPage(toVersion(version));
    expectFeedbackCounted(rows.filter((row) => row.pk === pk));
  }
  for (const log of ofKind("USER", "FEEDBACK").filter(({ sequence }) => sequence !== undefined))
    expectNumbersWithoutGaps(log, rows);
  for (const file of ofKind("USER", "BLOB")) await expectStoredFile(toBlob(file));
  for (const row of ofKind("USER", "TOKEN")) {
    const { pk, sk } = keys.token(String(row.hash));
    expect(state.get(`${pk} ${sk}`), "the token of a token's item").toMatchObject({ userId: idOf(row) });
  }
}

/** Checks that the stored counters equal those of the operator's recount. */
export async function expectRecountEqual(userId: string): Promise<void> {
  expect((await compareCounts(userId, false))?.verdict).toBe("equal");
}

function expectCountsHeld(account: Item, rows: readonly Item[]): void {
  const own = rows.filter(({ pk }) => pk === account.pk);
  const blobs = own.filter((row) => kindOf(row) === "USER/BLOB").map(toBlob);
  const counted = {
    dropCount: own.filter((row) => kindOf(row) === "USER/DROP" && row.slug !== undefined).length,
    pageBytes: pageBytesOf(own, rows),
    blobCount: blobs.length,
    blobBytes: blobs.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  };
  expect(account, "the counters of an account").toMatchObject(counted);
}

/** Expects a drop's counts to match its threads. */
function expectFeedbackCounted(partition: readonly Item[]): void {
  const conversations = toConversations(
    partition.filter((row) => kindOf(row) === "SLUG/THREAD").map(toThread),
    partition.filter((row) => kindOf(row) === "SLUG/COMMENT").map(toComment),
  );
  const counted = toFeedbackCounts(partition.find((row) => kindOf(row) === "SLUG/FEEDBACK"));
  const open = conversations.filter(({ thread }) => thread.state === "open");
  expect(counted, "the counts of a drop's threads").toMatchObject({
    threads: conversations.length,
    openThreads: open.length,
  });
  for (const { thread, comments } of conversations) {
    const numbers = comments.map(({ comment }) => comment);
    expect(numbers, "the comments of a thread").toEqual(upTo(thread.commentCount));
  }
}

/** Expects an entry for each number up to the last, also for comments that were deleted since. */
function expectNumbersWithoutGaps({ pk, sequence }: Item, rows: readonly Item[]): void {
  const entries = rows.filter((row) => row.pk === pk && String(row.sk).startsWith("FEEDBACK#"));
  const numbers = entries.map(({ sk }) => Number(String(sk).split("#")[1]));
  expect(
    numbers.sort((one, other) => one - other),
    "the numbers of comments",
  ).toEqual(upTo(Number(sequence)));
}

function upTo(last: number): number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}

function pageBytesOf(own: readonly Item[], rows: readonly Item[]): number {
  // A deleted drop's versions remain until the janitor removes them.
  const partitions = new Set(own.flatMap(({ slug }) => (slug ? [keys.pointer(String(slug)).pk] : [])));
  return rows
    .filter((row) => kindOf(row) === "SLUG/V" && partitions.has(String(row.pk)))
    .reduce((sum, row) => sum + storedBytesOf(toVersion(row)), 0);
}

/** Recognizes times, which may be equal by chance. */
function isTime(name: string): boolean {
  return /AtMs$|^ttl$/.test(name);
}

function kindOf({ pk, sk }: Item): string {
  return [pk, sk].map((part) => String(part).split("#")[0]).join("/");
}

function idOf({ pk }: Item): string {
  return String(pk).slice("USER#".length);
}

/** Expects that a version's item refers to an existing object, which is the published page. */
async function expectStoredPage({ pageKey, sha256, hasContext }: Version): Promise<void> {
  const page = await pages.get(pageKey);
  const digest = page && createHash("sha256").update(page.bytes).digest("hex");
  expect(digest, `the object ${pageKey} of a version's row`).toBe(sha256);
  if (hasContext) expect(await pages.getContext(pageKey), `the context of ${pageKey}`).toBeDefined();
}

async function expectStoredFile({ objectKey, sizeBytes }: Blob): Promise<void> {
  const head = await headObject(process.env.BLOBS_BUCKET ?? "", objectKey);
  expect(head?.ContentLength, `the size of the object ${objectKey} of a file's row`).toBe(sizeBytes);
}

/** Looks up an object by its key. */
export async function hasObject(bucket: string, key: string): Promise<boolean> {
  return (await headObject(bucket, key)) !== undefined;
}

async function headObject(Bucket: string, Key: string): Promise<HeadObjectCommandOutput | undefined> {
  try {
    return await blobsS3.send(new HeadObjectCommand({ Bucket, Key }));
  } catch (error) {
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}
