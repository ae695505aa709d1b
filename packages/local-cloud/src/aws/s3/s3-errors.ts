import { AwsError } from "../aws-error.ts";
import type { WireFormat } from "../aws-service.ts";
import { element, s3Document } from "../xml.ts";

/** Errors of S3, as XML; see "Error responses", Amazon S3 API reference. */
export const s3WireFormat: WireFormat = {
  refusals: {
    unsigned: { code: "AccessDenied", status: 403 },
    "malformed-signature": { code: "AuthorizationHeaderMalformed", status: 400 },
    "unknown-key": { code: "InvalidAccessKeyId", status: 403 },
    "wrong-signature": { code: "SignatureDoesNotMatch", status: 403 },
    "wrong-payload-hash": { code: "XAmzContentSHA256Mismatch", status: 400 },
    expired: { code: "AccessDenied", status: 403 },
    "clock-skew": { code: "RequestTimeTooSkewed", status: 403 },
    "unsigned-headers": { code: "AccessDenied", status: 403 },
    "access-denied": { code: "AccessDenied", status: 403 },
    "body-too-large": { code: "EntityTooLarge", status: 400 },
  },
  internalError: { code: "InternalError", status: 500 },
  writeError(response, error, request) {
    response.writeHead(error.status, {
      "content-type": "application/xml",
      "x-amz-request-id": request.id,
      ...error.headers,
    });
    // Node.js omits the body of a response to HEAD.
    response.end(errorDocument(error, request));
  },
};

/** Renders the XML body of an error. */
export function errorDocument(error: AwsError, request: { id: string; path: string }): string {
  return s3Document(
    "Error",
    element("Code", error.code),
    element("Message", error.message),
    ...Object.entries(error.details).map(([name, value]) => element(name, value)),
    element("Resource", request.path),
    element("RequestId", request.id),
  );
}

export function noSuchBucket(bucket: string): AwsError {
  return new AwsError("NoSuchBucket", 404, "The specified bucket does not exist", { BucketName: bucket });
}

/** Creates the error for a missing object. The error names the delete marker that hides the object; see "Working with delete markers". */
export function noSuchKey(key: string, deleteMarkerId?: string): AwsError {
  const headers = deleteMarkerId === undefined ? {} : deleteMarkerHeaders(deleteMarkerId);
  return new AwsError("NoSuchKey", 404, "The specified key does not exist.", { Key: key }, headers);
}

export function noSuchVersion(key: string, versionId: string): AwsError {
  const details = { Key: key, VersionId: versionId };
  return new AwsError("NoSuchVersion", 404, "The specified version does not exist.", details);
}

/** Creates the error for reading a version that is a delete marker; see "GetObject". */
export function isDeleteMarker(versionId: string, lastModifiedMs: number): AwsError {
  const message = "The specified method is not allowed against this resource.";
  const details = { Method: "GET", ResourceType: "DeleteMarker" };
  return new AwsError("MethodNotAllowed", 405, message, details, {
    ...deleteMarkerHeaders(versionId),
    allow: "DELETE",
    "last-modified": new Date(lastModifiedMs).toUTCString(),
  });
}

function deleteMarkerHeaders(versionId: string): Record<string, string> {
  return { "x-amz-delete-marker": "true", "x-amz-version-id": versionId };
}

/** Creates the refusal for callers who may not list the bucket. It hides whether a key exists. */
export function accessDenied(): AwsError {
  return new AwsError("AccessDenied", 403, "Access Denied");
}

export function badDigest(what: string): AwsError {
  return new AwsError("BadDigest", 400, `The ${what} you specified did not match the calculated checksum.`);
}

export function preconditionFailed(header: string): AwsError {
  const message = "At least one of the pre-conditions you specified did not hold";
  return new AwsError("PreconditionFailed", 412, message, { Condition: header });
}

/** Creates the error for a feature of S3 that the local cloud does not emulate. Unknown features are refused, never ignored. */
export function notImplemented(what: string): AwsError {
  return new AwsError("NotImplemented", 501, `${what} is not emulated by the local cloud.`);
}
