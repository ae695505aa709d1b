import { Readable } from "node:stream";
import { DeleteObjectCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { environmentNames } from "../contract/environment.ts";
import type { ServedAs } from "../domain/blob.ts";
import { readEnvironment } from "./environment.ts";

/** The one client of the process for files; a large one may take its time. */
export const blobsS3 = new S3Client({
  maxAttempts: 4,
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 60_000 },
  forcePathStyle: true,
});

/** A body as it comes. */
export interface ByteBody {
  /** In bytes, where it is known before the body is read. */
  readonly contentLength: number | undefined;
  /** The whole body, where it is in memory anyway: a failed write can then be tried again. */
  readonly bytes: Uint8Array | undefined;
  readonly stream: () => AsyncIterable<Uint8Array>;
}

/** A file is served right from its object, at any length. */
const cacheControl = "public, max-age=0, s-maxage=31536000, must-revalidate";

/** Uploaded files, one object each under a key that is used once. */
export const blobObjects = {
  /** Stores a file with the headers that it will be served with, and returns its size in bytes. */
  async put(key: string, body: ByteBody, { contentType, contentDisposition }: ServedAs): Promise<number> {
    await blobsS3.send(
      new PutObjectCommand({
        Bucket: bucket(),
        Key: key,
        Body: body.bytes ?? Readable.from(body.stream(), { objectMode: false }),
        ContentLength: body.contentLength,
        ContentType: contentType,
        ContentDisposition: contentDisposition,
        CacheControl: cacheControl,
      }),
    );
    return body.contentLength ?? 0;
  },

  /** Removes a file's object; one that is not there is removed already. */
  async remove(key: string): Promise<void> {
    await blobsS3.send(new DeleteObjectCommand({ Bucket: bucket(), Key: key }));
  },
};

function bucket(): string {
  return readEnvironment(environmentNames.blobsBucket);
}
