import type { DynamoDBRecord } from "aws-lambda";
import pLimit from "p-limit";
import { servedFiles } from "../blobs/served.ts";
import { toVersion } from "../drops/items.ts";
import { served } from "../drops/served.ts";
import { viewCounts } from "../drops/view-counts.ts";
import { feedbackKeysOf } from "../feedback/remains.ts";
import { environmentNames, readEnvironment } from "../platform/environment.ts";
import { type Key, keys, ranges } from "../platform/keys.ts";
import { writeFault } from "../platform/log.ts";
import { getItem, queryAll } from "../platform/table.ts";
import { deleteItems } from "../platform/table-writes.ts";
import { renderObjectKeys } from "../renders/render.ts";
import { invokeRenderPage } from "../renders/render-invocation.ts";
import { toRender } from "../renders/store.ts";
import { edgeCache } from "./edge-cache.ts";
import { settleFile } from "./file-moves.ts";
import { invalidateLater, repeatDelaySeconds } from "./follow-up-queue.ts";
import { invalidationOf, tellEdge } from "./invalidate.ts";
import { type KeptByEdge, repeatOf, secondsUntilRepeat } from "./invalidation.ts";
import { removeObjects } from "./stored-objects.ts";
import { readKey, readTableChange, type TableChange } from "./table-change.ts";
import { type Job, streamWorker } from "./worker.ts";

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
    ...invalidation(findings.filter(({ change }) => !isOfFile(change) && !isOfRender(change))),
    ...fileChanges(findings.filter(({ change }) => isOfFile(change))),
    ...findings.flatMap(dropRemoval),
    ...objectRemoval(findings, environmentNames.pagesBucket, pageObjects),
    ...renderRemoval(findings),
    ...newVersions(findings),
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

/** One invalidation for all of these, and one for when no response is under way any more that was made before. */
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
function fileChanges(findings: readonly Finding[]): Job<DynamoDBRecord>[] {
  if (findings.length === 0) return [];
  const steps = [
    ...objectRemoval(findings, environmentNames.blobsBucket, blobObjects),
    ...invalidation(findings),
  ];
  const run = async () => {
    const [settled] = await Promise.allSettled([settleFiles(findings)]);
    // What is to be forgotten of the others does not wait for one that could not be moved.
    for (const step of steps) await step.run();
    if (settled?.status === "rejected") throw settled.reason;
  };
  return [{ sources: findings.map(({ record }) => record), run }];
}

/** Copies of up to 25 MiB, which S3 makes by itself. */
const filesAtOnce = 16;

/** Each file once, however often it was changed; one that an operator gave to another account meanwhile, there. */
async function settleFiles(findings: readonly Finding[]): Promise<void> {
  const files = new Map(
    findings.flatMap(({ change }) =>
      change.kind === "blob-changed" || change.kind === "blob-removed"
        ? [[`${change.namespace}/${change.id}`, change] as const]
        : [],
    ),
  );
  const limit = pLimit(filesAtOnce);
  const settle = ({ namespace, id }: { readonly namespace: string; readonly id: string }) =>
    limit(settleFile, namespace, id);
  const settled = await Promise.allSettled([...files.values()].map(settle));
  const failed = settled.find((one) => one.status === "rejected");
  if (failed) throw failed.reason;
}

function isOfFile({ kind }: TableChange): boolean {
  return kind === "blob-removed" || kind === "blob-changed";
}

/** What leads to no reader, or to none any more: its addresses go with the version's. */
function isOfRender({ kind }: TableChange): boolean {
  return kind === "version-added" || kind === "render-asked" || kind === "render-removed";
}

/**
 * Has versions rendered that are new, or that their owners ask for, by one invocation for all. Nothing waits for it: where Lambda
 * cannot be reached, they are rendered when somebody asks, and nothing behind them in the stream is held up.
 */
function newVersions(findings: readonly Finding[]): Job<DynamoDBRecord>[] {
  const requested = findings.flatMap(({ record, change }) =>
    change.kind === "version-added" || change.kind === "render-asked" ? [{ record, change }] : [],
  );
  if (requested.length === 0) return [];
  const run = async () => {
    const versions = requested.map(({ change: { kind, slug, version } }) => ({
      slug,
      version,
      isAsked: kind === "render-asked",
    }));
    try {
      await invokeRenderPage({ atMs: Date.now(), versions });
    } catch (error) {
      writeFault({ level: "warn", operation: "janitor", event: "versions-not-requested" }, error);
    }
  };
  return [{ sources: requested.map(({ record }) => record), run }];
}

/** The rows of what was rendered of versions that are gone, whose own removal takes the objects along, and what rows had before. */
function renderRemoval(findings: readonly Finding[]): Job<DynamoDBRecord>[] {
  const affected = findings.filter(
    ({ change }) => change.kind === "version-removed" || change.kind === "render-removed",
  );
  if (affected.length === 0) return [];
  const run = async () => {
    const found = await Promise.all(affected.map(findRenderRemains));
    // Each once: DynamoDB refuses a batch in which a key is twice, and a record may be.
    const rows = new Map(found.flatMap((one) => one.rows).map((row) => [`${row.pk} ${row.sk}`, row]));
    await deleteItems([...rows.values()]);
    await removeObjects(
      readEnvironment(environmentNames.pagesBucket),
      found.flatMap(({ objectKeys }) => objectKeys),
    );
  };
  return [{ sources: affected.map(({ record }) => record), run }];
}

async function findRenderRemains({ record, change }: Finding): Promise<RenderRemains> {
  const row = await getItem(readKey(record.dynamodb ?? {}));
  if (change.kind === "version-removed") {
    return { rows: row === undefined ? [keys.render(change.slug, change.version)] : [], objectKeys: [] };
  }
  if (change.kind !== "render-removed") return { rows: [], objectKeys: [] };
  const kept = row === undefined ? [] : renderObjectKeys(toRender(row));
  return { rows: [], objectKeys: change.objectKeys.filter((key) => !kept.includes(key)) };
}

interface RenderRemains {
  readonly rows: readonly Key[];
  readonly objectKeys: readonly string[];
}

function dropRemoval({ record, change }: Finding): Job<DynamoDBRecord>[] {
  if (change.kind !== "drop-removed") return [];
  const run = async () => {
    if (!(await isThere({ record, change }))) await removeDropRemains(change.ownerId, change.slug);
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
    const keysOf = async (finding: Finding) => ((await isThere(finding)) ? [] : objectsOf(finding.change));
    const objectKeys = (await Promise.all(affected.map(keysOf))).flat();
    await removeObjects(readEnvironment(bucketName), objectKeys);
  };
  return [{ sources: affected.map(({ record }) => record), run }];
}

/**
 * Whether what a removed row told of is there all the same, and nothing of it is to go: the row is there again, because an
 * operator restored it, or at another account, to which an operator gave it.
 */
async function isThere({ record, change }: Finding): Promise<boolean> {
  return (await getItem(readKey(record.dynamodb ?? {}))) !== undefined || (await isElsewhere(change));
}

async function isElsewhere(change: TableChange): Promise<boolean> {
  switch (change.kind) {
    case "drop-removed":
      return (await served.findBySlug(change.slug)) !== undefined;
    case "blob-removed":
      return (await servedFiles.find(change.namespace, change.id)) !== undefined;
    case "blob-changed":
    case "drop-restricted":
    case "version-added":
    case "render-asked":
    case "version-removed":
    case "render-removed":
      return false;
  }
}

function pageObjects(change: TableChange): readonly string[] {
  return change.kind === "version-removed" ? change.objectKeys : [];
}

function blobObjects(change: TableChange): readonly string[] {
  return change.kind === "blob-removed" ? change.objectKeys : [];
}

/** What the edge may have kept of what these changes take from readers, each thing once. */
async function findKeptByEdge(changes: readonly TableChange[]): Promise<KeptByEdge[]> {
  const slugs = new Set(
    changes.flatMap((change) => (change.kind === "version-removed" ? [change.slug] : [])),
  );
  const ofVersions = await Promise.all([...slugs].map(findPageThatLostVersions));
  const areElsewhere = await Promise.all(changes.map(isElsewhere));
  const ofOthers = changes.filter((_, index) => !areElsewhere[index]).flatMap(toKept);
  return [...ofOthers, ...ofVersions.flat()];
}

function toKept(change: TableChange): KeptByEdge[] {
  switch (change.kind) {
    case "drop-removed":
    case "drop-restricted":
      return [{ kind: "page", slug: change.slug, namespace: change.namespace }];
    case "blob-removed":
      return [{ kind: "file", id: change.id, namespace: change.namespace }];
    case "blob-changed":
      // What was not there for everybody is not kept either.
      return change.isRestricted ? [{ kind: "file", id: change.id, namespace: change.namespace }] : [];
    case "version-added":
    case "render-asked":
    case "version-removed":
    case "render-removed":
      return [];
  }
}

/**
 * The page of a drop that is still there. The versions of one that is gone go after it, and with the drop itself the
 * edge has been, or is about to be, told to forget them all: its row's removal is a change of its own.
 */
async function findPageThatLostVersions(slug: string): Promise<KeptByEdge[]> {
  // Nor is it found while its account is being deleted, with the drop's row as the last.
  const drop = await served.findBySlug(slug);
  return drop === undefined ? [] : [{ kind: "page", slug, namespace: drop.namespace }];
}

/**
 * Removes what a deleted drop leaves in the table: its versions' rows, its count of views, and what readers have written. Only for a
 * drop that is gone: its slug is never issued again, so nothing of another drop can be among them.
 */
async function removeDropRemains(ownerId: string, slug: string): Promise<void> {
  const versions = await queryAll(ranges.versions(slug));
  await deleteItems(versions.map((item) => keys.version(slug, toVersion(item).version)));
  await viewCounts.remove(ownerId, slug);
  await deleteItems(await feedbackKeysOf(slug));
}
