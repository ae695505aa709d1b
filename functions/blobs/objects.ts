import { Readable } from "node:stream";
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  PutObjectCommand,
  type PutObjectCommandInput,
  S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { edgeKeepsSecondsMax, environmentNames, readEnvironment } from "../core/environment.ts";
import { ApiError } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import { abortWithRequest } from "../core/request-signal.ts";
import { createSemaphore } from "../core/semaphore.ts";
import type { ByteBody } from "../http/request.ts";
import { fileMetadata } from "../http/response.ts";
import { PrewarmedAgent, prewarm, Sha256, withoutUnusedMiddleware } from "../table/aws-client.ts";
import type { Blob, ServedAs } from "./blob.ts";

/** An object to be stored, without its bytes. */
export type NewObject = Pick<
  PutObjectCommandInput,
  "Bucket" | "Key" | "ContentType" | "ContentDisposition" | "CacheControl" | "Metadata"
>;

/** Name of the metadata by which `functions/edge/blob-response.ts` knows when a file expires, in Unix milliseconds. */
const expiryMetadata = "expires-at";

/** A file is served right from its object, at any length. */
const cacheControl = `public, max-age=0, s-maxage=${edgeKeepsSecondsMax}, must-revalidate`;

/** An object of a file, with the headers that it will be served with. The edge reads the expiry with each response. */
export function newObject(
  key: string,
  file: Pick<Blob, "namespace" | "id" | "expiresAtMs">,
  { contentType, contentDisposition }: ServedAs,
): NewObject {
  return {
    Bucket: blobsBucket(),
    Key: key,
    ContentType: contentType,
    ContentDisposition: contentDisposition,
    CacheControl: cacheControl,
    Metadata: {
      ...fileMetadata(file),
      ...(file.expiresAtMs === undefined ? {} : { [expiryMetadata]: String(file.expiresAtMs) }),
    },
  };
}

/** As many as the requests that an ingest server has at once, and some that end. */
const connectionsMax = 128;
const agent = new PrewarmedAgent(connectionsMax);

/** The one client of the process for files. A large one may take its time, as long as something moves. */
export const blobsS3 = abortWithRequest(
  withoutUnusedMiddleware(
    new S3Client({
      sha256: Sha256,
      maxAttempts: 4,
      requestHandler: {
        connectionTimeout: 1_000,
        socketTimeout: 30_000,
        httpAgent: { maxSockets: connectionsMax },
        httpsAgent: agent,
      },
      forcePathStyle: true,
    }),
  ),
);

prewarm(blobsS3, agent, () => new PutObjectCommand({ Bucket: blobsBucket(), Key: "start", Body: "" }));

/** A caller waits no longer than this for something that can be done later. */
const discardMsMax = 500;

/**
 * Stores a file under a key that is used once, with the headers that it will be served with, and returns its size in
 * bytes. Nothing is left of a body that fails or is refused on the way.
 *
 * @throws ApiError `empty_blob` or `blob_too_large` where only the whole body tells; whatever the body throws.
 */
export async function putObject(
  { objectKey, ...file }: Pick<Blob, "namespace" | "id" | "objectKey" | "expiresAtMs">,
  body: ByteBody,
  served: ServedAs,
): Promise<number> {
  const object = newObject(objectKey, file, served);
  if (body.bytes === undefined && body.contentLength === undefined) {
    return putInParts(object, body.stream());
  }
  if (body.bytes === undefined) return putStream(object, body.stream(), body.contentLength ?? 0);
  await blobsS3.send(new PutObjectCommand({ ...object, Body: body.bytes }));
  return body.bytes.byteLength;
}

/** Removes an object that no row points at, within a moment or not at all: the orphan check removes what this leaves. */
export async function discardObject(key: string): Promise<void> {
  const command = new DeleteObjectCommand({ Bucket: blobsBucket(), Key: key });
  await blobsS3.send(command, { abortSignal: AbortSignal.timeout(discardMsMax) }).catch(() => undefined);
}

/** Sends a body on as it comes, a few buffers at a time. */
async function putStream(
  object: NewObject,
  bytes: AsyncIterable<Uint8Array>,
  sizeBytes: number,
): Promise<number> {
  const failure = new AbortController();
  const source = Readable.from(abortingOnError(bytes, failure), { objectMode: false });
  const command = new PutObjectCommand({ ...object, Body: source, ContentLength: sizeBytes });
  try {
    await blobsS3.send(command, { abortSignal: failure.signal });
    return sizeBytes;
  } catch (error) {
    throw failure.signal.aborted ? failure.signal.reason : error;
  } finally {
    source.destroy();
  }
}

/** The SDK's streams in between have no listener for an error, which would end the process: here it ends the request. */
async function* abortingOnError(
  bytes: AsyncIterable<Uint8Array>,
  failure: AbortController,
): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes;
  } catch (error) {
    failure.abort(error);
  }
}

/** The name of the bucket of files. */
export function blobsBucket(): string {
  return readEnvironment(environmentNames.blobsBucket);
}

/** The least that S3 takes for any part but the last; Amazon S3 user guide, "Amazon S3 multipart upload limits". */
const partBytes = 5 * 1024 * 1024;

/** Each holds one part in memory, so 60 MiB at most; a body that waits for a place is not read. */
const places = /* @__PURE__ */ createSemaphore(12, 30_000);

/**
 * Stores a body of unknown length and returns its size in bytes. S3 needs the length, so parts of 5 MiB are collected and sent
 * one after another; a smaller body is one ordinary object.
 *
 * @throws ApiError `empty_blob` or `blob_too_large`, or the body's error. Nothing is stored then.
 */
async function putInParts(object: NewObject, bytes: AsyncIterable<Uint8Array>): Promise<number> {
  const release = await places.take();
  const parts = gatherParts(bytes);
  try {
    const first = await parts.next();
    if (first.done) throw new ApiError("empty_blob");
    if (first.value.byteLength < partBytes) {
      await blobsS3.send(new PutObjectCommand({ ...object, Body: first.value }));
      return first.value.byteLength;
    }
    return await putParts(object, first.value, parts);
  } finally {
    await parts.return(undefined);
    release();
  }
}

async function putParts(
  object: NewObject,
  first: Uint8Array,
  rest: AsyncIterable<Uint8Array>,
): Promise<number> {
  const { UploadId } = await blobsS3.send(new CreateMultipartUploadCommand(object));
  const upload = { Bucket: object.Bucket, Key: object.Key, UploadId };
  const parts: CompletedPart[] = [];
  const putPart = async (Body: Uint8Array) => {
    const PartNumber = parts.length + 1;
    const { ETag } = await blobsS3.send(new UploadPartCommand({ ...upload, PartNumber, Body }));
    parts.push({ PartNumber, ETag });
    return Body.byteLength;
  };
  try {
    let sizeBytes = await putPart(first);
    for await (const part of rest) sizeBytes += await putPart(part);
    await blobsS3.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: parts } }));
    return sizeBytes;
  } catch (error) {
    // Where this fails too, the bucket's lifecycle rule removes the parts after a day.
    await blobsS3.send(new AbortMultipartUploadCommand(upload)).catch(() => undefined);
    throw error;
  }
}

/** Parts of 5 MiB, the last as it comes; each is overwritten by the next. */
async function* gatherParts(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const part = Buffer.allocUnsafeSlow(partBytes);
  let filled = 0;
  let total = 0;
  for await (const chunk of bytes) {
    total += chunk.byteLength;
    if (total > limits.blobBytesMax) {
      throw new ApiError("blob_too_large", { details: { bytes_max: limits.blobBytesMax } });
    }
    for (let taken = 0; taken < chunk.byteLength; ) {
      const piece = chunk.subarray(taken, taken + partBytes - filled);
      part.set(piece, filled);
      filled += piece.byteLength;
      taken += piece.byteLength;
      if (filled < partBytes) continue;
      yield part;
      filled = 0;
    }
  }
  if (filled > 0) yield part.subarray(0, filled);
}
