import type { ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { AwsError } from "../aws-error.ts";
import type { AwsRequest } from "../aws-service.ts";
import { element, s3Document } from "../xml.ts";
import { copyObject, copySource } from "./copy-object.ts";
import { deleteObjects } from "./delete-objects.ts";
import { getObject, headerOverrides, OVERRIDES } from "./get-object.ts";
import { listObjects } from "./list-objects.ts";
import { listVersions } from "./list-versions.ts";
import { abortUpload, completeUpload, createUpload, uploadPart } from "./multipart-upload.ts";
import { notifyingStore, type ObjectCreatedListener } from "./notifying-store.ts";
import type { NamedObject, ObjectStore } from "./object-store.ts";
import { parseTagging, replaceTags, tagConditionKeys, tagsDocument } from "./object-tagging.ts";
import { putObject, versionHeaders } from "./put-object.ts";
import { requestHeader } from "./request-header.ts";
import { accessDenied, notImplemented } from "./s3-errors.ts";
import { parseVersionId } from "./version-id.ts";

/** One request to an existing bucket. */
interface Call {
  readonly store: ObjectStore;
  /** Key of the object. Empty for an operation on the bucket itself. */
  readonly key: string;
  readonly request: AwsRequest;
  readonly response: ServerResponse;
  readonly announce: ObjectCreatedListener;
}

/** Response of an operation: XML, a stream of bytes or nothing. */
interface Reply {
  /** @default 200 */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly xml?: string;
  readonly stream?: Readable;
}

/** An operation of S3, selected by the request's method, key and query parameters. */
interface Operation {
  readonly method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE";
  readonly on: "bucket" | "object";
  /** Query parameters that select this operation. */
  readonly selectedBy?: readonly string[];
  readonly optional?: readonly string[];
  /** True if the header x-amz-copy-source names another object to read. @default false */
  readonly copies?: boolean;
  /** IAM action that the operation requires. @default - `run` authorizes the call */
  readonly action?: string;
  readonly run: (call: Call) => Promise<Reply>;
}

const PAGING = ["prefix", "max-keys", "start-after", "continuation-token"];
const VERSIONS_PAGING = ["prefix", "max-keys", "key-marker", "version-id-marker"];
const PART = ["uploadId", "partNumber"];

const OPERATIONS: readonly Operation[] = [
  { method: "GET", on: "object", optional: ["versionId", ...OVERRIDES], run: serveObject },
  { method: "HEAD", on: "object", optional: ["versionId", ...OVERRIDES], run: serveObject },
  { method: "PUT", on: "object", action: "s3:PutObject", run: storeObject },
  { method: "PUT", on: "object", copies: true, run: storeCopy },
  { method: "DELETE", on: "object", optional: ["versionId"], action: "s3:DeleteObject", run: deleteObject },
  { method: "GET", on: "object", selectedBy: ["tagging"], action: "s3:GetObjectTagging", run: serveTags },
  { method: "PUT", on: "object", selectedBy: ["tagging"], action: "s3:PutObjectTagging", run: storeTags },
  {
    ...{ method: "DELETE", on: "object", selectedBy: ["tagging"] },
    ...{ action: "s3:DeleteObjectTagging", run: deleteTags },
  },
  { method: "POST", on: "object", selectedBy: ["uploads"], action: "s3:PutObject", run: startUpload },
  { method: "PUT", on: "object", selectedBy: PART, action: "s3:PutObject", run: storePart },
  { method: "POST", on: "object", selectedBy: ["uploadId"], action: "s3:PutObject", run: finishUpload },
  {
    ...{ method: "DELETE", on: "object", selectedBy: ["uploadId"] },
    ...{ action: "s3:AbortMultipartUpload", run: cancelUpload },
  },
  {
    ...{ method: "GET", on: "bucket", selectedBy: ["list-type"], optional: PAGING },
    ...{ action: "s3:ListBucket", run: serveListing },
  },
  {
    ...{ method: "GET", on: "bucket", selectedBy: ["versions"], optional: VERSIONS_PAGING },
    ...{ action: "s3:ListBucketVersions", run: serveVersions },
  },
  { method: "POST", on: "bucket", selectedBy: ["delete"], run: deleteListed },
];

/** Authorizes and runs an operation, and sends its response. */
export async function perform({ action, run }: Operation, call: Call): Promise<void> {
  const { key, request, response } = call;
  if (action !== undefined && key === "") authorizeListing(call, action);
  else if (action !== undefined) authorizeObject(call, action, versionIdOf(request));
  const { status = 200, headers, xml, stream } = await run(call);
  response.writeHead(status, {
    "x-amz-request-id": request.id,
    ...headers,
    ...(xml !== undefined && { "content-type": "application/xml" }),
    ...(status === 200 && xml === undefined && stream === undefined && { "content-length": "0" }),
  });
  if (stream !== undefined) await pipeline(stream, response);
  else response.end(xml);
}

/**
 * Finds the operation of a request. Throws AwsError NotImplemented for other requests, because ignoring a parameter could change the
 * request's meaning.
 */
export function findOperation(request: AwsRequest, bucket: string, key: string): Operation {
  const on = key === "" ? "bucket" : "object";
  // Parameters that begin with x-amz- belong to presigned URLs. Other parameters that begin with x- are the caller's own; see "Custom
  // access log information", Amazon S3 user guide.
  const parameters = [...request.query.keys()].filter((name) => !/^x-/i.test(name));
  const copies = requestHeader(request, "x-amz-copy-source") !== undefined;
  const found = OPERATIONS.find(
    ({ selectedBy = [], optional = [], ...operation }) =>
      (operation.copies ?? false) === copies &&
      operation.method === request.method &&
      operation.on === on &&
      selectedBy.every((name) => parameters.includes(name)) &&
      parameters.every((name) => selectedBy.includes(name) || optional.includes(name)),
  );
  if (found && bucket !== "") return found;
  const named = [...parameters, ...(copies ? ["x-amz-copy-source"] : [])];
  const query = named.length > 0 ? ` with ${named.join(", ")}` : "";
  throw notImplemented(`${request.method} of S3 on ${bucket === "" ? "no bucket" : `a ${on}`}${query}`);
}

async function serveObject(call: Call): Promise<Reply> {
  const { store, key, request } = call;
  const versionId = versionIdOf(request);
  authorizeObject(call, "s3:GetObject", versionId, await tagConditionKeys(store, key, versionId));
  const { status, headers, body } = await getObject(store, {
    key,
    versionId,
    withBody: request.method === "GET",
    range: requestHeader(request, "range"),
    ifMatch: requestHeader(request, "if-match"),
    ifNoneMatch: requestHeader(request, "if-none-match"),
    withChecksum: requestHeader(request, "x-amz-checksum-mode") === "ENABLED",
  }).catch((error) => {
    // Callers that may not list the bucket must not learn which keys exist.
    const mayList = request.mayAccess({ action: "s3:ListBucket", resourceArn: bucketArn(store) });
    throw error instanceof AwsError && error.status === 404 && !mayList ? accessDenied() : error;
  });
  return { status, headers: { ...headers, ...headerOverrides(request.query) }, stream: body };
}

/** Requires permission to read the object if the request has If-Match; see "Add preconditions to S3 operations", Amazon S3 user guide. */
function authorizeCondition(call: Call): void {
  if (requestHeader(call.request, "if-match") !== undefined) authorizeObject(call, "s3:GetObject");
}

async function storeObject(call: Call): Promise<Reply> {
  authorizeCondition(call);
  const store = notifyingStore(call.store, "ObjectCreated:Put", call.announce);
  return { headers: await putObject(store, call.key, call.request) };
}

async function storeCopy(call: Call): Promise<Reply> {
  const from = copySource(call.store, call.request);
  authorizeObject({ ...call, key: from.key }, "s3:GetObject", from.versionId);
  authorizeObject(call, "s3:PutObject");
  const store = notifyingStore(call.store, "ObjectCreated:Copy", call.announce);
  // Tags are copied only for callers who may read and write tags; see "CopyObject", Amazon S3 API reference.
  const authorizeTags = () => {
    authorizeObject({ ...call, key: from.key }, "s3:GetObjectTagging", from.versionId);
    authorizeObject(call, "s3:PutObjectTagging");
  };
  const stored = await copyObject(store, from, call.key, call.request, authorizeTags);
  const lastModified = new Date(stored.lastModifiedMs).toISOString();
  const fields = [element("ETag", stored.etag), element("LastModified", lastModified)];
  return { xml: s3Document("CopyObjectResult", ...fields), headers: versionHeaders(stored) };
}

async function deleteObject({ store, key, request }: Call): Promise<Reply> {
  const deletion = await store.delete(key, versionIdOf(request));
  const marker = deletion.isDeleteMarker && { "x-amz-delete-marker": "true" };
  return { status: 204, headers: { ...versionHeaders(deletion), ...marker } };
}

async function serveTags({ store, key }: Call): Promise<Reply> {
  return { xml: await tagsDocument(store, key) };
}

async function storeTags({ store, key, request }: Call): Promise<Reply> {
  await replaceTags(store, key, await parseTagging(request));
  return {};
}

async function deleteTags({ store, key }: Call): Promise<Reply> {
  await replaceTags(store, key, {});
  return { status: 204 };
}

async function startUpload({ store, key, request }: Call): Promise<Reply> {
  const uploadId = await createUpload(store, key, request);
  const fields = [element("Bucket", store.bucket), element("Key", key), element("UploadId", uploadId)];
  return { xml: s3Document("InitiateMultipartUploadResult", ...fields) };
}

async function storePart({ store, key, request }: Call): Promise<Reply> {
  return { headers: await uploadPart(store, key, request) };
}

async function finishUpload(call: Call): Promise<Reply> {
  const { key, request } = call;
  authorizeCondition(call);
  const store = notifyingStore(call.store, "ObjectCreated:CompleteMultipartUpload", call.announce);
  const stored = await completeUpload(store, key, request);
  const fields = [element("Bucket", store.bucket), element("Key", key), element("ETag", stored.etag)];
  return { xml: s3Document("CompleteMultipartUploadResult", ...fields), headers: versionHeaders(stored) };
}

async function cancelUpload({ store, key, request }: Call): Promise<Reply> {
  await abortUpload(store, key, request.query.get("uploadId"));
  return { status: 204 };
}

async function serveListing({ store, request }: Call): Promise<Reply> {
  return { xml: await listObjects(store, request.query) };
}

async function serveVersions({ store, request }: Call): Promise<Reply> {
  return { xml: await listVersions(store, request.query) };
}

async function deleteListed(call: Call): Promise<Reply> {
  const mayDelete = ({ key, versionId }: NamedObject) => {
    try {
      authorizeObject({ ...call, key }, "s3:DeleteObject", versionId);
      return true;
    } catch {
      return false; // The refusal is already logged. The client receives the result of each key.
    }
  };
  return { xml: await deleteObjects(call.store, call.request, mayDelete) };
}

function versionIdOf({ query }: AwsRequest): string | undefined {
  return parseVersionId(query.get("versionId"));
}

/** Authorizes an access to an object. A version needs another action; see "Actions, resources, and condition keys for Amazon S3". */
function authorizeObject(
  { store, key, request }: Call,
  action: string,
  versionId?: string,
  conditionKeys: Record<string, string[]> = {},
): void {
  request.authorize({
    action: versionId === undefined ? action : `${action}Version`,
    resourceArn: `${bucketArn(store)}/${key}`,
    conditionKeys,
  });
}

function authorizeListing({ store, request }: Call, action: string): void {
  request.authorize({
    action,
    resourceArn: bucketArn(store),
    conditionKeys: { "s3:prefix": [request.query.get("prefix") ?? ""] },
  });
}

function bucketArn(store: ObjectStore): string {
  return `arn:aws:s3:::${store.bucket}`;
}
