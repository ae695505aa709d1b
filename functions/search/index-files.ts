import { randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { GetObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { removeObjects } from "../background/remove-objects.ts";
import { isMissing, pages, pagesBucket, s3 } from "../drops/page-objects.ts";
import { RetryableError } from "../table/table.ts";
import { type IndexEntry, searchPrefix } from "./search-document.ts";
import { Segment } from "./segment.ts";
import { writeSegment } from "./segment-file.ts";

/** Stored object of a segment. Its contents never change, because object keys are never reused. */
export interface SegmentFile {
  readonly key: string;
  readonly entries: number;
  readonly bytes: number;
  /** Number of terms in all entries. @default - the segment was written before terms were counted */
  readonly tokens?: number;
  /** Number of merges that produced the segment. */
  readonly level: number;
}

/** Manifest of the index: its segments, newest first. A drop's entry in a newer segment replaces its entries in older ones. */
export interface Manifest {
  readonly format: typeof manifestFormat;
  readonly segments: readonly SegmentFile[];
  /** Replaced segments, with the times when they were replaced. Readers may still be using these segments. */
  readonly replaced: readonly { readonly key: string; readonly atMs: number }[];
}

/** Format of the index. An index in another format is treated as empty until `npm run operator -- reindex --search` rebuilds it. */
const manifestFormat = 3;

/** A manifest with its ETag. The next manifest is written only if the ETag is unchanged. */
export interface FoundManifest {
  readonly manifest: Manifest;
  /** ETag of the manifest. @default - there is no index yet */
  readonly etag: string | undefined;
}

/** Object key of the manifest, which lists the segments. */
export const manifestKey = `${searchPrefix}manifest.json`;

const emptyManifest: Manifest = { format: manifestFormat, segments: [], replaced: [] };

/** Reads the manifest. Returns `known` without a download if its ETag is still current. */
export async function readManifest(known?: FoundManifest): Promise<FoundManifest> {
  const input = { Bucket: pagesBucket(), Key: manifestKey, IfNoneMatch: known?.etag };
  try {
    const { Body, ETag } = await s3.send(new GetObjectCommand(input));
    const manifest = JSON.parse((await Body?.transformToString()) ?? "") as Manifest;
    return manifest.format === manifestFormat
      ? { manifest, etag: ETag }
      : { manifest: emptyManifest, etag: ETag };
  } catch (error) {
    if (isNotModified(error) && known !== undefined) return known;
    if (isMissing(error)) return { manifest: emptyManifest, etag: undefined };
    throw error;
  }
}

/** Returns true for the manifest's key. Each write of the index replaces the manifest. */
export function isManifest(key: string): boolean {
  return key === manifestKey;
}

/** Returns true if an object belongs to the index. A crashed writer leaves a segment that is not in the manifest. */
export async function isOfIndex(key: string): Promise<boolean> {
  if (isManifest(key)) return true;
  const { segments, replaced } = (await readManifest()).manifest;
  return [...segments, ...replaced].some((one) => one.key === key);
}

/** Replaces the manifest, if it is unchanged. @throws RetryableError if another writer was faster */
export async function writeManifest(manifest: Manifest, { etag }: FoundManifest): Promise<void> {
  const condition = etag === undefined ? { IfNoneMatch: "*" } : { IfMatch: etag };
  const command = new PutObjectCommand({
    Bucket: pagesBucket(),
    Key: manifestKey,
    Body: JSON.stringify(manifest),
    ContentType: "application/json",
    ...condition,
  });
  try {
    await s3.send(command);
  } catch (error) {
    // S3 responds 409 to concurrent writes; see the PutObject API reference.
    const { name } = error as Error;
    if (name !== "PreconditionFailed" && name !== "ConditionalRequestConflict") throw error;
    throw new RetryableError("Another writer changed the search index at each attempt to write it.", {
      cause: error,
    });
  }
}

/** Replaces the index with an empty index. The segments are removed later, like other replaced segments. */
export async function resetIndex(found: FoundManifest, nowMs: number): Promise<void> {
  const { segments, replaced } = found.manifest;
  const gone = segments.map(({ key }) => ({ key, atMs: nowMs }));
  await writeManifest({ ...emptyManifest, replaced: [...replaced, ...gone] }, found);
}

/** Stores a new segment. Returns undefined if there are no entries. */
export async function putSegment(all: Iterable<IndexEntry>, level: number): Promise<SegmentFile | undefined> {
  const name = `${randomBytes(12).toString("hex")}.sqlite`;
  const path = join(await directory(), name);
  try {
    const { entries, tokens } = writeSegment(path, all);
    if (entries === 0) return undefined;
    const bytes = await readFile(path);
    const key = searchPrefix + name;
    await pages.putBytes(key, bytes, "application/vnd.sqlite3");
    return { key, entries, tokens, bytes: bytes.byteLength, level };
  } finally {
    await rm(path, { force: true });
  }
}

/** Removes segments. Ignores segments that are already missing. @throws Error if S3 failed to remove any segment */
export async function removeSegments(keys: readonly string[]): Promise<void> {
  await removeObjects(s3, pagesBucket(), keys);
}

/** Open segments of this process, by object key. */
const opened = new Map<string, Promise<Segment>>();

/** Open segments that were removed from the index. Each is closed once no running search can still use it. */
let closing: { readonly segment: Promise<Segment>; readonly atMs: number }[] = [];
const closedAfterMs = 60_000;

/**
 * Opens the segments of a manifest. Reuses open segments. Returns undefined if a segment has been replaced and removed since the manifest
 * was read.
 */
export async function openSegments(files: readonly SegmentFile[]): Promise<Segment[] | undefined> {
  const wanted = new Set(files.map(({ key }) => key));
  const now = Date.now();
  const due = closing.filter(({ atMs }) => atMs < now - closedAfterMs);
  closing = closing.filter((one) => !due.includes(one));
  for (const { segment } of due) (await segment).close();
  for (const [key, segment] of opened) {
    if (wanted.has(key)) continue;
    opened.delete(key);
    closing.push({ segment, atMs: now });
  }
  try {
    return await Promise.all(files.map(({ key }) => openSegment(key)));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function openSegment(key: string): Promise<Segment> {
  const known = opened.get(key);
  if (known !== undefined) return known;
  const opening = fetchSegment(key);
  opened.set(key, opening);
  opening.catch(() => opened.delete(key));
  return opening;
}

/** Downloads a segment and opens the file. Unlinks the open file, so that a crashed process leaves no file behind. */
async function fetchSegment(key: string): Promise<Segment> {
  const path = join(await directory(), key.slice(searchPrefix.length));
  try {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: pagesBucket(), Key: key }));
    await pipeline(Body as Readable, createWriteStream(path));
    return new Segment(path);
  } finally {
    await rm(path, { force: true });
  }
}

let made: Promise<string> | undefined;

/** Creates this process's temporary folder at the first call. */
function directory(): Promise<string> {
  made ??= mkdtemp(join(tmpdir(), "dropleaf-search-"));
  return made;
}

function isNotModified(error: unknown): boolean {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode === 304;
}
