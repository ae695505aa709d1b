import { createHash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, mkdir, open, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { AwsError } from "../aws-error.ts";
import type { AwsRequest } from "../aws-service.ts";
import { finishObjectFile, type ObjectMetadata, readObjectMetadata, writeAll } from "./object-file.ts";
import type { ObjectStore } from "./object-store.ts";
import { receiveXml } from "./payload.ts";
import { objectHeaders, receiveObject, unmetCondition, uploadHeaders, writeCondition } from "./put-object.ts";

/** Limits of parts; see "Amazon S3 multipart upload limits". */
const PART_NUMBER_MAX = 10_000;
const PART_BYTES_MIN = 5 * 1024 * 1024;

const COMPLETE_BODY_BYTES_MAX = 8 * 1024 * 1024;

interface Upload {
  readonly key: string;
  readonly headers: Record<string, string>;
}

interface NamedPart {
  readonly number: number;
  readonly etag: string;
}

interface StoredPart {
  readonly path: string;
  readonly metadata: ObjectMetadata;
}

/** Starts an upload, for CreateMultipartUpload. Returns the upload's id. */
export async function createUpload(store: ObjectStore, key: string, request: AwsRequest): Promise<string> {
  const uploadId = randomUUID().replaceAll("-", "");
  const directory = join(store.uploadsDirectory, uploadId);
  const upload: Upload = { key, headers: objectHeaders(request) };
  await mkdir(directory);
  await writeFile(join(directory, "upload.json"), JSON.stringify(upload), { flush: true });
  return uploadId;
}

/** Stores one part, for UploadPart. Returns the headers of the response. */
export async function uploadPart(
  store: ObjectStore,
  key: string,
  request: AwsRequest,
): Promise<Record<string, string>> {
  const { directory } = await findUpload(store, key, request.query.get("uploadId"));
  const number = Number(request.query.get("partNumber"));
  if (!Number.isInteger(number) || number < 1 || number > PART_NUMBER_MAX) {
    throw new AwsError("InvalidArgument", 400, `partNumber must be an integer from 1 to ${PART_NUMBER_MAX}`);
  }
  const incoming = join(directory, `incoming-${randomUUID()}`);
  const file = await open(incoming, "wx");
  try {
    const part = await receiveObject(request, file, {});
    await finishObjectFile(file, part);
    await rename(incoming, partPath(directory, number));
    return uploadHeaders(part);
  } finally {
    await file.close();
    await rm(incoming, { force: true });
  }
}

/** Assembles the object from the parts that a CompleteMultipartUpload request names. */
export async function completeUpload(
  store: ObjectStore,
  key: string,
  request: AwsRequest,
): Promise<ObjectMetadata> {
  const { directory, upload } = await findUpload(store, key, request.query.get("uploadId"));
  const parts = await readComplete(request);
  const condition = writeCondition(request);
  const stored = await store.write(key, condition, async (file) => {
    const found = await Promise.all(parts.map((part) => findPart(directory, part)));
    refuseSmallParts(found);
    const md5s = createHash("md5");
    for (const { path, metadata } of found) {
      await appendBytes(file, path, metadata.sizeBytes);
      md5s.update(Buffer.from(metadata.etag.slice(1, -1), "hex"));
    }
    const sizeBytes = found.reduce((sum, { metadata }) => sum + metadata.sizeBytes, 0);
    const etag = `"${md5s.digest("hex")}-${parts.length}"`;
    return { sizeBytes, etag, lastModifiedMs: Date.now(), headers: upload.headers };
  });
  if (!stored) throw await unmetCondition(store, key, condition);
  await rm(directory, { recursive: true, force: true });
  return stored;
}

/** Removes the upload with its parts, for AbortMultipartUpload. */
export async function abortUpload(
  store: ObjectStore,
  key: string,
  uploadId: string | undefined,
): Promise<void> {
  const { directory } = await findUpload(store, key, uploadId);
  await rm(directory, { recursive: true, force: true });
}

async function findUpload(
  store: ObjectStore,
  key: string,
  uploadId: string | undefined,
): Promise<{ directory: string; upload: Upload }> {
  if (uploadId !== undefined && /^[0-9a-f]{32}$/.test(uploadId)) {
    const directory = join(store.uploadsDirectory, uploadId);
    const json = await readFile(join(directory, "upload.json"), "utf8").catch(() => undefined);
    const upload = json === undefined ? undefined : (JSON.parse(json) as Upload);
    if (upload?.key === key) return { directory, upload };
  }
  throw new AwsError("NoSuchUpload", 404, "The specified multipart upload does not exist.");
}

async function readComplete(request: AwsRequest): Promise<NamedPart[]> {
  const limits = { bytesMax: COMPLETE_BODY_BYTES_MAX, needsDigest: false };
  const root = await receiveXml(request, "CompleteMultipartUpload", limits);
  const parts = root?.children("Part").map((part) => ({
    number: Number(part.text("PartNumber")),
    etag: `"${(part.text("ETag") ?? "").replaceAll('"', "")}"`,
  }));
  if (!parts || parts.length === 0) {
    const message = "The body must be a CompleteMultipartUpload with at least one Part.";
    throw new AwsError("MalformedXML", 400, message);
  }
  if (parts.some((part, index) => index > 0 && part.number <= (parts[index - 1]?.number ?? 0))) {
    throw new AwsError("InvalidPartOrder", 400, "The list of parts was not in ascending order.");
  }
  return parts;
}

async function findPart(directory: string, part: NamedPart): Promise<StoredPart> {
  const path = partPath(directory, part.number);
  const file = await open(path, "r").catch(() => undefined);
  if (!file) throw invalidPart(part);
  try {
    const metadata = await readObjectMetadata(file, path);
    if (metadata.etag !== part.etag) throw invalidPart(part);
    return { path, metadata };
  } finally {
    await file.close();
  }
}

function refuseSmallParts(parts: readonly StoredPart[]): void {
  for (const { metadata } of parts.slice(0, -1)) {
    if (metadata.sizeBytes >= PART_BYTES_MIN) continue;
    const message = "Your proposed upload is smaller than the minimum allowed size";
    throw new AwsError("EntityTooSmall", 400, message, {
      ProposedSize: String(metadata.sizeBytes),
      MinSizeAllowed: String(PART_BYTES_MIN),
    });
  }
}

async function appendBytes(file: FileHandle, path: string, sizeBytes: number): Promise<void> {
  if (sizeBytes === 0) return;
  // Copies the part's bytes without the metadata after them.
  for await (const bytes of createReadStream(path, { end: sizeBytes - 1 })) await writeAll(file, bytes);
}

function partPath(directory: string, number: number): string {
  return join(directory, `part-${String(number)}`);
}

function invalidPart(part: NamedPart): AwsError {
  const message = "One or more of the specified parts could not be found, or the entity tag did not match.";
  const details = { PartNumber: String(part.number), ETag: part.etag };
  return new AwsError("InvalidPart", 400, message, details);
}
