import { createHash } from "node:crypto";
import type { AwsRequest } from "../aws-service.ts";
import { openVersion } from "./get-object.ts";
import { type ObjectMetadata, writeAll } from "./object-file.ts";
import type { NamedObject, ObjectStore } from "./object-store.ts";
import { objectHeaders } from "./put-object.ts";
import { requestHeader } from "./request-header.ts";
import { notImplemented, preconditionFailed } from "./s3-errors.ts";
import { parseVersionId } from "./version-id.ts";

/**
 * Returns the object that a CopyObject request reads. Throws an AwsError: NotImplemented for an object in another bucket, InvalidArgument
 * for an invalid version id.
 */
export function copySource(store: ObjectStore, request: AwsRequest): NamedObject {
  const [name = "", versionId] = (requestHeader(request, "x-amz-copy-source") ?? "").split("?versionId=");
  const source = decodeURIComponent(name).replace(/^\//, "");
  const prefix = `${store.bucket}/`;
  if (!source.startsWith(prefix)) throw notImplemented(`Copying from another bucket (${source})`);
  return { key: source.slice(prefix.length), versionId: parseVersionId(versionId) };
}

/**
 * Copies an object's bytes to a new object with new headers, and its tags unless they are replaced. An object may be copied onto itself.
 * `authorizeTags` throws if the caller may not copy tags.
 *
 * @throws AwsError NoSuchKey, NoSuchVersion, PreconditionFailed, or NotImplemented for copying headers
 */
export async function copyObject(
  store: ObjectStore,
  from: NamedObject,
  to: string,
  request: AwsRequest,
  authorizeTags: () => void,
): Promise<ObjectMetadata> {
  if (requestHeader(request, "x-amz-metadata-directive") !== "REPLACE") {
    throw notImplemented("CopyObject without x-amz-metadata-directive REPLACE");
  }
  const headers = objectHeaders(request);
  const source = await openVersion(store, from.key, from.versionId);
  try {
    const { sizeBytes, etag } = source.metadata;
    const ifMatch = requestHeader(request, "x-amz-copy-source-if-match");
    if (ifMatch !== undefined && ifMatch !== etag) throw preconditionFailed("x-amz-copy-source-if-Match");
    const copiesTags = requestHeader(request, "x-amz-tagging-directive") !== "REPLACE";
    const tags = copiesTags ? source.metadata.tags : undefined;
    if (tags !== undefined && Object.keys(tags).length > 0) authorizeTags();
    const stored = await store.write(to, {}, async (file) => {
      const md5 = createHash("md5");
      for await (const bytes of source.read({ start: 0, end: sizeBytes - 1 }) as AsyncIterable<Buffer>) {
        md5.update(bytes);
        await writeAll(file, bytes);
      }
      return { sizeBytes, etag: `"${md5.digest("hex")}"`, lastModifiedMs: Date.now(), headers, tags };
    });
    if (!stored) throw new Error(`The copy of ${from.key} was not stored.`);
    return stored;
  } finally {
    await source.close();
  }
}
