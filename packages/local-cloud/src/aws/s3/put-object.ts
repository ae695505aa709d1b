import type { FileHandle } from "node:fs/promises";
import { AwsError } from "../aws-error.ts";
import type { AwsRequest } from "../aws-service.ts";
import { type ObjectMetadata, writeAll } from "./object-file.ts";
import type { ObjectStore, WriteCondition } from "./object-store.ts";
import { checksumHeaders, receivePayload } from "./payload.ts";
import { amzHeaders, requestHeader } from "./request-header.ts";
import { noSuchKey, notImplemented, preconditionFailed } from "./s3-errors.ts";

/** Maximum size of one PutObject request or one part, 5 GiB; see "Amazon S3 objects overview". */
const UPLOAD_BYTES_MAX = 5 * 1024 ** 3;

const USER_METADATA_BYTES_MAX = 2 * 1024;

const KEPT_HEADERS = ["cache-control", "content-disposition", "content-language", "expires"];

/** The x-amz headers of an upload that are supported, or that have no visible effect. */
const KNOWN_AMZ_HEADERS =
  /^x-amz-(algorithm|checksum-.*|content-sha256|copy-source|copy-source-if-match|credential|date|decoded-content-length|expected-bucket-owner|expires|meta-.*|metadata-directive|sdk-checksum-algorithm|security-token|signature|signedheaders|storage-class|tagging-directive|trailer|user-agent)$/;

/** Stores the body of a PutObject request while it arrives. Returns the headers of the response. */
export async function putObject(
  store: ObjectStore,
  key: string,
  request: AwsRequest,
): Promise<Record<string, string>> {
  const headers = objectHeaders(request);
  const condition = writeCondition(request);
  const stored = await store.write(key, condition, (file) => receiveObject(request, file, headers));
  if (!stored) throw await unmetCondition(store, key, condition);
  return { ...uploadHeaders(stored), ...versionHeaders(stored) };
}

/** Writes the body to a file while it arrives. Returns the metadata of the object or part. */
export async function receiveObject(
  request: AwsRequest,
  file: FileHandle,
  headers: ObjectMetadata["headers"],
): Promise<ObjectMetadata> {
  const { sizeBytes, md5Hex, checksum } = await receivePayload(request, UPLOAD_BYTES_MAX, (bytes) =>
    writeAll(file, bytes),
  );
  return { sizeBytes, etag: `"${md5Hex}"`, lastModifiedMs: Date.now(), headers, checksum };
}

/** Returns the header with the id of the stored version, or no header in a bucket without versions. */
export function versionHeaders({ versionId }: Pick<ObjectMetadata, "versionId">): Record<string, string> {
  return versionId === undefined ? {} : { "x-amz-version-id": versionId };
}

/** Returns the response headers of an upload. */
export function uploadHeaders({ etag, checksum }: ObjectMetadata): Record<string, string> {
  return { etag, ...checksumHeaders(checksum) };
}

/**
 * Returns the request headers that are stored with an object and returned when it is read. Throws an AwsError: NotImplemented for a header
 * whose effect is not emulated, MetadataTooLarge above 2 KB.
 */
export function objectHeaders(request: AwsRequest): Record<string, string> {
  const headers: Record<string, string> = {
    "content-type": request.headers["content-type"] ?? "binary/octet-stream",
  };
  for (const name of KEPT_HEADERS) {
    const value = requestHeader(request, name);
    if (value !== undefined) headers[name] = value;
  }
  const encodings = (request.headers["content-encoding"] ?? "").split(",").map((encoding) => encoding.trim());
  const kept = encodings.filter((encoding) => encoding !== "" && encoding !== "aws-chunked");
  if (kept.length > 0) headers["content-encoding"] = kept.join(",");
  return { ...headers, ...userMetadata(request) };
}

/** Reads the condition of an upload. S3 supports only `*` in If-None-Match; see "Add preconditions to S3 operations". */
export function writeCondition(request: AwsRequest): WriteCondition {
  const ifNoneMatch = requestHeader(request, "if-none-match");
  const onlyIfEtag = requestHeader(request, "if-match");
  if (ifNoneMatch !== undefined && ifNoneMatch !== "*") {
    throw notImplemented(`If-None-Match "${ifNoneMatch}" on uploads (S3 supports only "*")`);
  }
  if (ifNoneMatch !== undefined && onlyIfEtag !== undefined)
    throw notImplemented("If-Match together with If-None-Match on uploads");
  return { onlyIfAbsent: ifNoneMatch === "*", onlyIfEtag };
}

/** Returns the error for an unmet upload condition: 404 if If-Match finds no object, and 412 in other cases. */
export async function unmetCondition(
  store: ObjectStore,
  key: string,
  { onlyIfAbsent, onlyIfEtag }: WriteCondition,
): Promise<AwsError> {
  if (onlyIfAbsent) return preconditionFailed("If-None-Match");
  const current = onlyIfEtag === undefined ? undefined : await store.open(key);
  await current?.close();
  return current === undefined ? noSuchKey(key) : preconditionFailed("If-Match");
}

function userMetadata(request: AwsRequest): Record<string, string> {
  const metadata: Record<string, string> = {};
  let sizeBytes = 0;
  for (const [name, value] of amzHeaders(request)) {
    if (!KNOWN_AMZ_HEADERS.test(name)) throw notImplemented(`The header ${name}`);
    if (!name.startsWith("x-amz-meta-")) continue;
    metadata[name] = value;
    sizeBytes += name.length - "x-amz-meta-".length + Buffer.byteLength(value);
  }
  if (sizeBytes <= USER_METADATA_BYTES_MAX) return metadata;
  const message = "Your metadata headers exceed the maximum allowed metadata size";
  throw new AwsError("MetadataTooLarge", 400, message);
}
