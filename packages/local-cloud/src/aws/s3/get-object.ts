import { Readable } from "node:stream";
import { parseByteRange } from "../../byte-range.ts";
import { AwsError } from "../aws-error.ts";
import type { ObjectMetadata } from "./object-file.ts";
import type { ObjectStore, OpenObject } from "./object-store.ts";
import { checksumHeaders } from "./payload.ts";
import { isDeleteMarker, noSuchKey, noSuchVersion, preconditionFailed } from "./s3-errors.ts";
import { NULL_VERSION } from "./version-id.ts";

/** Response headers that a request can override; see "Overriding response header values through the request" in "GetObject". */
const OVERRIDABLE_HEADERS = [
  "content-type",
  "content-language",
  "expires",
  "cache-control",
  "content-disposition",
  "content-encoding",
];

/** Query parameters of a signed request that replace response headers. */
export const OVERRIDES = OVERRIDABLE_HEADERS.map((name) => `response-${name}`);

/** Returns the response headers that a request's query replaces. */
export function headerOverrides(query: {
  get(name: string): string | null | undefined;
}): Record<string, string> {
  return Object.fromEntries(
    OVERRIDABLE_HEADERS.flatMap((name) => {
      const value = query.get(`response-${name}`);
      return value == null ? [] : [[name, value]];
    }),
  );
}

/** The parts of a GetObject or HeadObject request that determine the response. */
export interface GetObjectRequest {
  readonly key: string;
  /** @default - the current version */
  readonly versionId?: string | undefined;
  /** False for HeadObject, whose response has no body. @default true */
  readonly withBody?: boolean;
  readonly range?: string | undefined;
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
  /** True if the header x-amz-checksum-mode is ENABLED. */
  readonly withChecksum?: boolean;
}

/** S3's response to a request for an object. The body of an error is XML. */
export interface ObjectResponse {
  readonly status: number;
  /** Headers with lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Stream that must be read or destroyed. */
  readonly body: Readable;
}

/** Serves GetObject and HeadObject. Throws an AwsError like `openVersion`, PreconditionFailed or InvalidRange. */
export async function getObject(store: ObjectStore, request: GetObjectRequest): Promise<ObjectResponse> {
  const object = await openVersion(store, request.key, request.versionId);
  try {
    const { withBody = true } = request;
    const response = presentHead(object.metadata, request, store.isVersioned);
    if (response.status !== 304 && withBody) return { ...response, body: object.read(response.range) };
    await object.close();
    return { ...response, body: Readable.from([]) };
  } catch (error) {
    await object.close();
    throw error;
  }
}

/** Opens the current or the given version. Throws an AwsError: NoSuchKey, NoSuchVersion, or MethodNotAllowed for a delete marker. */
export async function openVersion(store: ObjectStore, key: string, versionId?: string): Promise<OpenObject> {
  const object = await store.open(key, versionId);
  if (!object) {
    throw versionId === undefined
      ? noSuchKey(key, await store.deleteMarkerOf(key))
      : noSuchVersion(key, versionId);
  }
  if (!object.metadata.isDeleteMarker) return object;
  await object.close();
  throw isDeleteMarker(versionId ?? NULL_VERSION, object.metadata.lastModifiedMs);
}

function presentHead(metadata: ObjectMetadata, request: GetObjectRequest, isVersioned: boolean) {
  const { etag, sizeBytes } = metadata;
  const validators = {
    etag,
    "last-modified": new Date(metadata.lastModifiedMs).toUTCString(),
    ...(isVersioned ? { "x-amz-version-id": metadata.versionId ?? NULL_VERSION } : {}),
  };
  const whole = { start: 0, end: sizeBytes - 1 };
  if (request.ifMatch !== undefined && !matchesEtag(request.ifMatch, etag))
    throw preconditionFailed("If-Match");
  if (request.ifNoneMatch !== undefined && matchesEtag(request.ifNoneMatch, etag)) {
    return { status: 304, headers: { ...validators, ...cacheControl(metadata) }, range: whole };
  }
  const range = parseByteRange(request.range, sizeBytes);
  if (range === "unsatisfiable") {
    throw new AwsError("InvalidRange", 416, "The requested range is not satisfiable", {
      RangeRequested: request.range ?? "",
      ActualObjectSize: String(sizeBytes),
    });
  }
  const headers = {
    ...validators,
    ...metadata.headers,
    "accept-ranges": "bytes",
    "content-length": String(range ? range.end - range.start + 1 : sizeBytes),
  };
  if (range) {
    const partHeaders = { ...headers, "content-range": `bytes ${range.start}-${range.end}/${sizeBytes}` };
    return { status: 206, headers: partHeaders, range };
  }
  const checksum = request.withChecksum ? checksumHeaders(metadata.checksum) : {};
  return { status: 200, headers: { ...headers, ...checksum }, range: whole };
}

function matchesEtag(condition: string, etag: string): boolean {
  return condition
    .split(",")
    .map((candidate) => candidate.trim().replace(/^W\//, ""))
    .some((candidate) => candidate === "*" || candidate === etag || `"${candidate}"` === etag);
}

function cacheControl(metadata: ObjectMetadata): Record<string, string> {
  const value = metadata.headers["cache-control"];
  return value === undefined ? {} : { "cache-control": value };
}
