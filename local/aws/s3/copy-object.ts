import { createHash } from "node:crypto";
import type { AwsRequest } from "../aws-service.ts";
import { type ObjectMetadata, writeFully } from "./object-file.ts";
import type { ObjectStore } from "./object-store.ts";
import { objectHeaders } from "./put-object.ts";
import { requestHeader } from "./request-header.ts";
import { noSuchKey, notImplemented, preconditionFailed } from "./s3-errors.ts";

/**
 * The key that a CopyObject reads, in the same bucket.
 *
 * @throws AwsError NotImplemented for another bucket or a version of an object
 */
export function copySourceKey(store: ObjectStore, request: AwsRequest): string {
  const source = decodeURIComponent(requestHeader(request, "x-amz-copy-source") ?? "").replace(/^\//, "");
  const prefix = `${store.bucket}/`;
  if (!source.startsWith(prefix)) throw notImplemented(`Copying from ${source}, another bucket,`);
  if (source.includes("?")) throw notImplemented("Copying a version of an object");
  return source.slice(prefix.length);
}

/**
 * CopyObject with new headers: copies the bytes into a new object.
 *
 * @throws AwsError NoSuchKey, PreconditionFailed, or NotImplemented for copying the headers too
 */
export async function copyObject(
  store: ObjectStore,
  { from, to }: { readonly from: string; readonly to: string },
  request: AwsRequest,
): Promise<ObjectMetadata> {
  if (requestHeader(request, "x-amz-metadata-directive") !== "REPLACE") {
    throw notImplemented("CopyObject without x-amz-metadata-directive REPLACE");
  }
  const headers = objectHeaders(request);
  const source = await store.open(from);
  if (!source) throw noSuchKey(from);
  const { sizeBytes, etag } = source.metadata;
  const ifMatch = requestHeader(request, "x-amz-copy-source-if-match");
  if (ifMatch !== undefined && ifMatch !== etag) {
    await source.close();
    throw preconditionFailed("x-amz-copy-source-if-Match");
  }
  let stored: ObjectMetadata | undefined;
  await store.write(to, { onlyIfAbsent: false }, async (file) => {
    const md5 = createHash("md5");
    for await (const bytes of source.read({ start: 0, end: sizeBytes - 1 }) as AsyncIterable<Buffer>) {
      md5.update(bytes);
      await writeFully(file, bytes);
    }
    stored = { sizeBytes, etag: `"${md5.digest("hex")}"`, lastModifiedMs: Date.now(), headers };
    return stored;
  });
  if (!stored) throw new Error(`The copy of ${from} was not stored.`);
  return stored;
}
