import type { ObjectMetadata } from "./object-file.ts";
import type { ObjectStore } from "./object-store.ts";

/** Event that is sent when an object has been created. */
export interface ObjectCreated {
  readonly bucket: string;
  readonly key: string;
  readonly sizeBytes: number;
  /** ETag of the object, including the quotes. */
  readonly etag: string;
  readonly eventName: "ObjectCreated:CompleteMultipartUpload" | "ObjectCreated:Copy" | "ObjectCreated:Put";
}

/**
 * Listener that is called for a new object after its bytes are durable, but before the object can be read. The returned function receives
 * the outcome before the upload is acknowledged, so that a crash cannot lose the notification.
 */
export type ObjectCreatedListener = (event: ObjectCreated) => (isStored: boolean) => void;

/** Wraps a store, and announces each object that is written. */
export function notifyingStore(
  store: ObjectStore,
  eventName: ObjectCreated["eventName"],
  announce: ObjectCreatedListener,
): ObjectStore {
  return {
    ...store,
    async write(key, options, fill) {
      let settle: (isStored: boolean) => void = () => {};
      let stored: ObjectMetadata | undefined;
      try {
        stored = await store.write(key, options, async (file) => {
          const metadata = await fill(file);
          const { sizeBytes, etag } = metadata;
          settle = announce({ bucket: store.bucket, key, sizeBytes, etag, eventName });
          return metadata;
        });
        return stored;
      } finally {
        settle(stored !== undefined);
      }
    },
  };
}
