import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { resourcesOfType, type Template } from "../../template.ts";
import { AwsError } from "../aws-error.ts";
import type { AwsRequest, Log } from "../aws-service.ts";
import type { ObjectCreatedListener } from "./notifying-store.ts";
import { openObjectStore } from "./object-store.ts";
import { noSuchBucket, s3WireFormat } from "./s3-errors.ts";
import { findOperation, perform } from "./s3-operations.ts";

const KEY_BYTES_MAX = 1024;

/** Serves the template's buckets from folders below the data folder. */
export function createS3Service(template: Template, dataDirectory: string, log: Log) {
  const stores = new Map(
    resourcesOfType(template, "AWS::S3::Bucket").map(({ physicalId: bucket, properties }) => {
      const { Status } = (properties.VersioningConfiguration ?? {}) as { Status?: unknown };
      const isVersioned = Status === "Enabled";
      return [bucket, openObjectStore(bucket, join(dataDirectory, "s3", bucket), { isVersioned })];
    }),
  );
  const listeners: ObjectCreatedListener[] = [];
  const announce: ObjectCreatedListener = (event) => {
    const settlements = listeners.map((listener) => listener(event));
    return (isStored) => {
      for (const settle of settlements) settle(isStored);
    };
  };
  return {
    signingName: "s3",
    wireFormat: s3WireFormat,
    stores,
    /** Calls the listener for each new object; see `ObjectCreatedListener`. */
    onObjectCreated: (listener: ObjectCreatedListener) => void listeners.push(listener),
    async handle(request: AwsRequest, response: ServerResponse): Promise<void> {
      const { bucket, key } = bucketAndKey(request);
      const operation = findOperation(request, bucket, key);
      const store = stores.get(bucket);
      if (!store) {
        const existing = [...stores.keys()].join(", ");
        log(`s3: there is no bucket ${bucket} in the template; its buckets are ${existing}`);
        throw noSuchBucket(bucket);
      }
      await perform(operation, { store, key, request, response, announce });
    },
  };
}

/**
 * Reads bucket and key from a path-style request (`/<bucket>/<key>`) or a virtual-hosted request (`<bucket>.localhost`, or the bucket's
 * regional domain, which CloudFront uses); see "Virtual hosting of general purpose buckets".
 */
function bucketAndKey(request: AwsRequest): { readonly bucket: string; readonly key: string } {
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
