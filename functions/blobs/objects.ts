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

type NewObject = Pick<
  PutObjectCommandInput,
  "Bucket" | "Key" | "ContentType" | "ContentDisposition" | "CacheControl" | "Metadata"
>;

/** Name of the object metadata field with a file's expiry in Unix milliseconds. `functions/edge/blob-response.ts` reads it. */
const expiryMetadata = "expires-at";

/** `Cache-Control` of a file. The edge serves files of any length directly from their objects. */
const cacheControl = `public, max-age=0, s-maxage=${edgeKeepsSecondsMax}, must-revalidate`;

/** Parameters of a file's object, with its response headers. The edge checks the expiry for each response. */
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

/** Maximum number of connections. This is enough for an ingest server's concurrent requests, and for a few more that are about to end. */
const connectionsMax = 128;
const agent = new PrewarmedAgent(connectionsMax);

/** The process's only S3 client for files. It has no total timeout, so a large file may take any time while bytes are being transferred. */
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

/** Maximum time that a caller waits for the removal of an object, in milliseconds. Otherwise the orphan check removes the object later. */
const discardMsMax = 500;

/**
 * Stores a file under a key that is used only once and returns its size in bytes. If the body fails or is refused, no object remains.
 *
 * @throws ApiError `empty_blob` or `blob_too_large`, in some cases only at the end of the body; rethrows the body's errors
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

/** Removes an object that has no row. Gives up after half a second, because the orphan check also removes such objects. */
export async function discardObject(key: string): Promise<void> {
  const command = new DeleteObjectCommand({ Bucket: blobsBucket(), Key: key });
  await blobsS3.send(command, { abortSignal: AbortSignal.timeout(discardMsMax) }).catch(() => undefined);
}

/** Streams a body of known length to S3. Only a few buffers are in memory at a time. */
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

/** Aborts the request if a stream fails. Otherwise the error would end the process, because the SDK's inner streams have no error listener. */
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

/** Name of the bucket of files. */
export function blobsBucket(): string {
  return readEnvironment(environmentNames.blobsBucket);
}

/** Size of each part in bytes, the minimum for all parts except the last; see "Amazon S3 multipart upload limits", Amazon S3 user guide. */
const partBytes = 5 * 1024 * 1024;

/** Semaphore for uploads of unknown length. Each upload has one part in memory, so all together use at most 60 MiB. */
const places = /* @__PURE__ */ createSemaphore(12, 30_000);

/**
 * Stores a body of unknown length and returns its size. Collects and sends parts of 5 MiB, because S3 needs the length of each request.
 *
 * @throws ApiError `empty_blob` or `blob_too_large`, or the body's error. In each case, nothing is stored.
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
    // If the abort fails too, the bucket's lifecycle rule removes the parts after a day.
    await blobsS3.send(new AbortMultipartUploadCommand(upload)).catch(() => undefined);
    throw error;
  }
}

/** Splits a body into parts of 5 MiB. Only the last part may be shorter. Each part overwrites the buffer of the previous part. */
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
