import { Readable } from "node:stream";
import { DeleteObjectCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { edgeKeepsSecondsMax, environmentNames } from "../contract/environment.ts";
import type { ServedAs } from "../domain/blob.ts";
import { type NewObject, putInParts } from "./blob-parts.ts";
import { EarlyAgent, rehearse } from "./early-connection.ts";
import { readEnvironment } from "./environment.ts";
import { sendingWhileWanted } from "./wanted.ts";

/** As many as the requests that an ingest server has at once, and some that end. */
const connectionsMax = 128;
const agent = new EarlyAgent(connectionsMax);

/** The one client of the process for files. A large one may take its time, as long as something moves. */
export const blobsS3 = sendingWhileWanted(
  new S3Client({
    maxAttempts: 4,
    requestHandler: {
      connectionTimeout: 1_000,
      socketTimeout: 30_000,
      httpAgent: { maxSockets: connectionsMax },
      httpsAgent: agent,
    },
    forcePathStyle: true,
  }),
);

rehearse(blobsS3, agent, () => new PutObjectCommand({ Bucket: bucket(), Key: "start", Body: "" }));

/** A body as it comes. */
export interface ByteBody {
  /** In bytes, where it is known before the body is read. */
  readonly contentLength: number | undefined;
  /** The whole body, where it is in memory anyway: a failed write can then be tried again. */
  readonly bytes: Uint8Array | undefined;
  readonly stream: () => AsyncIterable<Uint8Array>;
}

/** A file is served right from its object, at any length. */
const cacheControl = `public, max-age=0, s-maxage=${edgeKeepsSecondsMax}, must-revalidate`;

/** A caller waits no longer than this for something that can be done later. */
const discardMsMax = 500;

/** Uploaded files, one object each under a key that is used once. */
export const blobObjects = {
  /**
   * Stores a file with the headers that it will be served with, and returns its size in bytes. Nothing is left of a
   * body that fails or is refused on the way.
   *
   * @throws ApiError `empty_blob` or `blob_too_large` where only the whole body tells; whatever the body throws.
   */
  async put(key: string, body: ByteBody, served: ServedAs): Promise<number> {
    const object = newObject(key, served);
    if (body.bytes === undefined && body.contentLength === undefined) {
      return putInParts(blobsS3, object, body.stream());
    }
    if (body.bytes === undefined) return putStream(object, body.stream(), body.contentLength ?? 0);
    await blobsS3.send(new PutObjectCommand({ ...object, Body: body.bytes }));
    return body.bytes.byteLength;
  },

  /** Removes an object that no row points at, within a moment or not at all: the orphan check removes what this leaves. */
  async discard(key: string): Promise<void> {
    const command = new DeleteObjectCommand({ Bucket: bucket(), Key: key });
    await blobsS3.send(command, { abortSignal: AbortSignal.timeout(discardMsMax) }).catch(() => undefined);
  },
};

/** An object of a file, with the headers that it will be served with. */
export function newObject(key: string, { contentType, contentDisposition }: ServedAs): NewObject {
  return {
    Bucket: bucket(),
    Key: key,
    ContentType: contentType,
    ContentDisposition: contentDisposition,
    CacheControl: cacheControl,
  };
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

function bucket(): string {
  return readEnvironment(environmentNames.blobsBucket);
}
