import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  type PutObjectCommandInput,
  type S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { ApiError } from "../contract/api-error.ts";
import { limits } from "../contract/limits.ts";
import { createPlaces } from "./places.ts";

/** An object to be stored, without its bytes. */
export type NewObject = Pick<
  PutObjectCommandInput,
  "Bucket" | "Key" | "ContentType" | "ContentDisposition" | "CacheControl"
>;

/** The least that S3 takes for any part but the last; Amazon S3 user guide, "Amazon S3 multipart upload limits". */
const partBytes = 5 * 1024 * 1024;

/** Each holds one part in memory, so 60 MiB at most; a body that waits for a place is not read. */
const places = createPlaces(12, 30_000);

/**
 * Stores a body whose length nobody has told, and returns its size in bytes: S3 wants the length of what it is sent,
 * so parts of 5 MiB are gathered, and sent one after the other. A smaller body is one ordinary object.
 *
 * @throws ApiError `empty_blob` or `blob_too_large`; whatever the body throws. Then nothing is left.
 */
export async function putInParts(
  s3: S3Client,
  object: NewObject,
  bytes: AsyncIterable<Uint8Array>,
): Promise<number> {
  const release = await places.take();
  const parts = gatherParts(bytes);
  try {
    const first = await parts.next();
    if (first.done) throw new ApiError("empty_blob");
    if (first.value.byteLength < partBytes) {
      await s3.send(new PutObjectCommand({ ...object, Body: first.value }));
      return first.value.byteLength;
    }
    return await putParts(s3, object, first.value, parts);
  } finally {
    await parts.return(undefined);
    release();
  }
}

async function putParts(
  s3: S3Client,
  object: NewObject,
  first: Uint8Array,
  rest: AsyncIterable<Uint8Array>,
): Promise<number> {
  const { UploadId } = await s3.send(new CreateMultipartUploadCommand(object));
  const upload = { Bucket: object.Bucket, Key: object.Key, UploadId };
  const parts: CompletedPart[] = [];
  const putPart = async (Body: Uint8Array) => {
    const PartNumber = parts.length + 1;
    const { ETag } = await s3.send(new UploadPartCommand({ ...upload, PartNumber, Body }));
    parts.push({ PartNumber, ETag });
    return Body.byteLength;
  };
  try {
    let sizeBytes = await putPart(first);
    for await (const part of rest) sizeBytes += await putPart(part);
    await s3.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: parts } }));
    return sizeBytes;
  } catch (error) {
    // Where this fails too, the bucket's lifecycle rule removes the parts after a day.
    await s3.send(new AbortMultipartUploadCommand(upload)).catch(() => undefined);
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
