import type { ObjectMetadata } from "./object-file.ts";
import type { ObjectStore } from "./object-store.ts";

/** Event of a new object. */
export interface ObjectCreated {
  readonly bucket: string;
  readonly key: string;
  readonly sizeBytes: number;
  /** With the quotes of the header. */
  readonly etag: string;
  readonly eventName: "ObjectCreated:CompleteMultipartUpload" | "ObjectCreated:Copy" | "ObjectCreated:Put";
}

/**
 * Told of a new object when its bytes are durable and it is not in place yet. The function that it gives is told
 * whether the object was put in place, before the upload is acknowledged: so no end of the process comes between an
 * object and what is to be said of it.
 */
export type ObjectCreatedListener = (event: ObjectCreated) => (isPlaced: boolean) => void;

/** The store, announcing each object that is written. */
export function notifyingStore(
  store: ObjectStore,
  eventName: ObjectCreated["eventName"],
  announce: ObjectCreatedListener,
): ObjectStore {
  const announceObject = (key: string, { sizeBytes, etag }: ObjectMetadata) =>
    announce({ bucket: store.bucket, key, sizeBytes, etag, eventName });
  return {
    ...store,
    async write(key, options, fill) {
      let settle: (isPlaced: boolean) => void = () => {};
      let placed: ObjectMetadata | undefined;
      try {
        placed = await store.write(key, options, async (file) => {
          const metadata = await fill(file);
          settle = announceObject(key, metadata);
          return metadata;
        });
        return placed;
      } finally {
        settle(placed !== undefined);
      }
    },
  };
}
