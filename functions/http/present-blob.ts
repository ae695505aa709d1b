import type { BlobAnswer } from "../contract/answers.ts";
import { blobUrl, type Site } from "../domain/addresses.ts";
import type { Blob } from "../domain/blob.ts";

/** A file on the wire; section "Blob" of the specification. */
export function presentBlob(site: Site, blob: Blob): BlobAnswer {
  return {
    id: blob.id,
    filename: blob.filename,
    content_type: blob.contentType,
    size_bytes: blob.sizeBytes,
    url: blobUrl(site, blob.namespace, blob.id),
    created_at: blob.createdAtMs,
  };
}
