import type { ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { AwsError } from "../aws-error.ts";
import type { AwsRequest } from "../aws-service.ts";
import { element, s3Document } from "../xml.ts";
import type { BucketAndKey } from "./bucket-and-key.ts";
import { copyObject, copySource } from "./copy-object.ts";
import { deleteObjects } from "./delete-objects.ts";
import { getObject, headerOverrides, OVERRIDES } from "./get-object.ts";
import { listObjects } from "./list-objects.ts";
import { listVersions } from "./list-versions.ts";
import { abortUpload, completeUpload, createUpload, uploadPart } from "./multipart-upload.ts";
import { notifyingStore, type ObjectCreatedListener } from "./notifying-store.ts";
import type { NamedObject, ObjectStore } from "./object-store.ts";
import { deleteTags, putTags, tagConditionKeys, tagsDocument } from "./object-tagging.ts";
import { putObject, versionHeaders } from "./put-object.ts";
import { requestHeader } from "./request-header.ts";
import { accessDenied, notImplemented } from "./s3-errors.ts";
import { parseVersionId } from "./version-id.ts";

/** One request to an existing bucket. */
export interface Call {
  readonly store: ObjectStore;
  /** Empty for an operation on the bucket itself. */
  readonly key: string;
  readonly request: AwsRequest;
  readonly response: ServerResponse;
  readonly announce: ObjectCreatedListener;
}

/** An operation of S3, selected by the request's method, key and query parameters. */
interface Operation {
  readonly method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE";
  readonly on: "bucket" | "object";
  /** Query parameters that select this operation. */
  readonly selectedBy?: readonly string[];
  readonly optional?: readonly string[];
  /** True when x-amz-copy-source names another object to read. @default false */
  readonly copies?: boolean;
  readonly run: (call: Call) => Promise<void>;
}

const PAGING = ["prefix", "max-keys", "start-after", "continuation-token"];
const VERSIONS_PAGING = ["prefix", "max-keys", "key-marker", "version-id-marker"];
const PART = ["uploadId", "partNumber"];

const OPERATIONS: readonly Operation[] = [
  { method: "GET", on: "object", optional: ["versionId", ...OVERRIDES], run: serveObject },
  { method: "HEAD", on: "object", optional: ["versionId", ...OVERRIDES], run: serveObject },
  { method: "PUT", on: "object", run: storeObject },
  { method: "PUT", on: "object", copies: true, run: storeCopy },
  { method: "DELETE", on: "object", optional: ["versionId"], run: deleteObject },
  { method: "GET", on: "object", selectedBy: ["tagging"], run: serveTags },
  { method: "PUT", on: "object", selectedBy: ["tagging"], run: storeTags },
  { method: "DELETE", on: "object", selectedBy: ["tagging"], run: dropTags },
  { method: "POST", on: "object", selectedBy: ["uploads"], run: startUpload },
  { method: "PUT", on: "object", selectedBy: PART, run: storePart },
  { method: "POST", on: "object", selectedBy: ["uploadId"], run: finishUpload },
  { method: "DELETE", on: "object", selectedBy: ["uploadId"], run: cancelUpload },
  { method: "GET", on: "bucket", selectedBy: ["list-type"], optional: PAGING, run: serveListing },
  { method: "GET", on: "bucket", selectedBy: ["versions"], optional: VERSIONS_PAGING, run: serveVersions },
  { method: "POST", on: "bucket", selectedBy: ["delete"], run: deleteListed },
];

/**
 * The operation of a request.
 * @throws AwsError NotImplemented for any other: an ignored parameter would change the meaning unnoticed
 */
export function findOperation(request: AwsRequest, { bucket, key }: BucketAndKey): Operation {
  const on = key === "" ? "bucket" : "object";
  // x-amz- are the headers of a presigned URL. Other parameters that begin with x- are the caller's own: Amazon S3 user guide, "Custom
  // access log information".
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

async function serveObject(call: Call): Promise<void> {
  const { store, key, request, response } = call;
  const versionId = parseVersionId(request.query.get("versionId"));
  authorizeObject(call, "s3:GetObject", versionId, await tagConditionKeys(store, key, versionId));
  const answer = await getObject(store, {
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
  response.writeHead(answer.status, {
    ...responseHeaders(request),
    ...answer.headers,
    ...headerOverrides(request.query),
  });
  await pipeline(answer.body, response);
}

/** Amazon S3 user guide, "Add preconditions to S3 operations": If-Match also requires the right to read the object. */
function authorizeUpload(call: Call): void {
  authorizeObject(call, "s3:PutObject");
  if (requestHeader(call.request, "if-match") !== undefined) authorizeObject(call, "s3:GetObject");
}

async function storeObject(call: Call): Promise<void> {
  authorizeUpload(call);
  const store = notifyingStore(call.store, "ObjectCreated:Put", call.announce);
  respondEmpty(call, await putObject(store, call.key, call.request));
}

async function storeCopy(call: Call): Promise<void> {
  const from = copySource(call.store, call.request);
  authorizeObject({ ...call, key: from.key }, "s3:GetObject", from.versionId);
  authorizeObject(call, "s3:PutObject");
  const store = notifyingStore(call.store, "ObjectCreated:Copy", call.announce);
  // Amazon S3 API reference, "CopyObject": tags are copied only for callers who may read and write them.
  const authorizeTags = () => {
    authorizeObject({ ...call, key: from.key }, "s3:GetObjectTagging", from.versionId);
    authorizeObject(call, "s3:PutObjectTagging");
  };
  const stored = await copyObject(store, { from, to: call.key, authorizeTags }, call.request);
  const lastModified = new Date(stored.lastModifiedMs).toISOString();
  const fields = [element("ETag", stored.etag), element("LastModified", lastModified)];
  respondXml(call, s3Document("CopyObjectResult", ...fields), versionHeaders(stored));
}

async function deleteObject(call: Call): Promise<void> {
  const versionId = parseVersionId(call.request.query.get("versionId"));
  authorizeObject(call, "s3:DeleteObject", versionId);
  const deletion = await call.store.delete(call.key, versionId);
  respondNoContent(call, {
    ...(deletion.versionId === undefined ? {} : { "x-amz-version-id": deletion.versionId }),
    ...(deletion.isDeleteMarker ? { "x-amz-delete-marker": "true" } : {}),
  });
}

async function serveTags(call: Call): Promise<void> {
  authorizeObject(call, "s3:GetObjectTagging");
  respondXml(call, await tagsDocument(call.store, call.key));
}

async function storeTags(call: Call): Promise<void> {
  authorizeObject(call, "s3:PutObjectTagging");
  await putTags(call.store, call.key, call.request);
  respondEmpty(call, {});
}

async function dropTags(call: Call): Promise<void> {
  authorizeObject(call, "s3:DeleteObjectTagging");
  await deleteTags(call.store, call.key);
  respondNoContent(call);
}

async function startUpload(call: Call): Promise<void> {
  const { store, key, request } = call;
  authorizeObject(call, "s3:PutObject");
  const uploadId = await createUpload(store, key, request);
  const fields = [element("Bucket", store.bucket), element("Key", key), element("UploadId", uploadId)];
  respondXml(call, s3Document("InitiateMultipartUploadResult", ...fields));
}

async function storePart(call: Call): Promise<void> {
  authorizeObject(call, "s3:PutObject");
  respondEmpty(call, await uploadPart(call.store, call.key, call.request));
}

async function finishUpload(call: Call): Promise<void> {
  const { key, request } = call;
  authorizeUpload(call);
  const store = notifyingStore(call.store, "ObjectCreated:CompleteMultipartUpload", call.announce);
  const metadata = await completeUpload(store, key, request);
  const fields = [element("Bucket", store.bucket), element("Key", key), element("ETag", metadata.etag)];
  respondXml(call, s3Document("CompleteMultipartUploadResult", ...fields), versionHeaders(metadata));
}

async function cancelUpload(call: Call): Promise<void> {
  authorizeObject(call, "s3:AbortMultipartUpload");
  await abortUpload(call.store, call.key, call.request.query.get("uploadId"));
  respondNoContent(call);
}

async function serveListing(call: Call): Promise<void> {
  authorizeListing(call, "s3:ListBucket");
  respondXml(call, await listObjects(call.store, call.request.query));
}

async function serveVersions(call: Call): Promise<void> {
  authorizeListing(call, "s3:ListBucketVersions");
  respondXml(call, await listVersions(call.store, call.request.query));
}

async function deleteListed(call: Call): Promise<void> {
  const mayDelete = ({ key, versionId }: NamedObject) => {
    try {
      authorizeObject({ ...call, key }, "s3:DeleteObject", versionId);
      return true;
    } catch {
      return false; // Logged already; the client receives the result of each key.
    }
  };
  respondXml(call, await deleteObjects(call.store, call.request, mayDelete));
}

/** A request for a version needs the action for versions: "Actions, resources, and condition keys for Amazon S3". */
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

function respondXml({ request, response }: Call, xml: string, headers: Record<string, string> = {}): void {
  response.writeHead(200, { ...responseHeaders(request), ...headers, "content-type": "application/xml" });
  response.end(xml);
}

function respondEmpty({ request, response }: Call, headers: Record<string, string>): void {
  response.writeHead(200, { ...responseHeaders(request), ...headers, "content-length": "0" }).end();
}

function respondNoContent({ request, response }: Call, headers: Record<string, string> = {}): void {
  response.writeHead(204, { ...responseHeaders(request), ...headers }).end();
}

function responseHeaders(request: AwsRequest): Record<string, string> {
  return { "x-amz-request-id": request.id };
}
