import { AwsError } from "../aws-error.ts";
import type { AwsRequest } from "../aws-service.ts";

const KEY_BYTES_MAX = 1024;

/** Target of a request: a bucket, and an object in it unless the key is empty. */
export interface BucketAndKey {
  readonly bucket: string;
  readonly key: string;
}

/**
 * Reads bucket and key of a path-style request (`/<bucket>/<key>`) or a virtual-hosted one (`<bucket>.localhost`, and by its
 * regional domain, as CloudFront names it).
 * Source: "Virtual hosting of general purpose buckets".
 */
export function bucketAndKey(request: AwsRequest): BucketAndKey {
  const hostBucket = /^([a-z0-9][a-z0-9.-]*)\.(?:localhost(?::\d+)?|s3\.[a-z0-9-]+\.amazonaws\.com)$/.exec(
    request.headers.host ?? "",
  )?.[1];
  const path = request.path.slice(1);
  if (hostBucket !== undefined) return { bucket: hostBucket, key: decodeKey(path) };
  const slash = path.indexOf("/");
  return slash < 0
    ? { bucket: decodeKey(path), key: "" }
    : { bucket: decodeKey(path.slice(0, slash)), key: decodeKey(path.slice(slash + 1)) };
}

function decodeKey(encoded: string): string {
  let key: string;
  try {
    key = decodeURIComponent(encoded);
  } catch {
    throw new AwsError("InvalidURI", 400, "Couldn't parse the specified URI.");
  }
  if (Buffer.byteLength(key) > KEY_BYTES_MAX) {
    throw new AwsError("KeyTooLongError", 400, "Your key is too long", {
      MaxSizeAllowed: String(KEY_BYTES_MAX),
    });
  }
  return key;
}
