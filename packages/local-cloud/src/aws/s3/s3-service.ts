import { join } from "node:path";
import { resourcesOfType, type Template } from "../../template.ts";
import type { AwsService, Log } from "../aws-service.ts";
import { bucketAndKey } from "./bucket-and-key.ts";
import type { ObjectCreatedListener } from "./notifying-store.ts";
import { type ObjectStore, openObjectStore } from "./object-store.ts";
import { noSuchBucket, s3WireFormat } from "./s3-errors.ts";
import { findOperation } from "./s3-operations.ts";

/** S3 with the buckets of the template. */
export interface S3Service extends AwsService {
  readonly stores: ReadonlyMap<string, ObjectStore>;
  /** Calls the listener for each new object, as described at `ObjectCreatedListener`. */
  onObjectCreated(listener: ObjectCreatedListener): void;
}

/** Serves the template's buckets from folders below the data folder. */
export function createS3Service(template: Template, dataDirectory: string, log: Log): S3Service {
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
    return (isPlaced) => {
      for (const settle of settlements) settle(isPlaced);
    };
  };
  return {
    signingName: "s3",
    wireFormat: s3WireFormat,
    stores,
    onObjectCreated: (listener) => void listeners.push(listener),
    async handle(request, response) {
      const { bucket, key } = bucketAndKey(request);
      const operation = findOperation(request, { bucket, key });
      const store = stores.get(bucket);
      if (!store) {
        const existing = [...stores.keys()].join(", ");
        log(`s3: there is no bucket ${bucket} in the template; its buckets are ${existing}`);
        throw noSuchBucket(bucket);
      }
      await operation.run({ store, key, request, response, announce });
    },
  };
}
