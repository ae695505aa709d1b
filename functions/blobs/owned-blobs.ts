import { ApiError } from "../core/errors.ts";
import { type ExpiryChange, newExpiry, newVisibility, type VisibilityChange } from "../drops/drop-access.ts";
import type { ByteBody } from "../http/request.ts";
import type { Act } from "../table/audit.ts";
import { ResponseStoredError, type StoredResponse } from "../table/audit-trail.ts";
import { createBlobId, type RandomInt } from "../table/identifiers.ts";
import { type Blob, newObjectKey, servedAs } from "./blob.ts";
import { discardObject, putObject } from "./objects.ts";
import { blobs } from "./store.ts";

interface NewBlob extends VisibilityChange, ExpiryChange {
  readonly owner: { readonly userId: string; readonly namespace: string };
  readonly filename: string;
  readonly contentType: string;
  readonly body: ByteBody;
}

/**
 * Stores a file and its idempotency record. If the file is refused, no object remains.
 *
 * @throws ApiError `invalid_arg`, `empty_blob`, `blob_too_large`, `quota_exceeded`; ResponseStoredError
 */
export async function storeOwnedBlob(
  { owner, filename, contentType, body, ...chosen }: NewBlob,
  { act, randomInt }: { readonly act: Act; readonly randomInt: RandomInt },
  keep: (blob: Blob) => StoredResponse | undefined,
): Promise<Blob> {
  const visibility = newVisibility(chosen, "file");
  const expiresAtMs = newExpiry(chosen, act.atMs);
  const id = createBlobId(randomInt);
  const { namespace } = owner;
  const objectKey = newObjectKey({ namespace, id, visibility }, randomInt);
  // The object is stored first, so that a row never refers to a missing object.
  const sizeBytes = await putObject(
    { namespace, id, objectKey, expiresAtMs },
    body,
    servedAs(filename, contentType),
  );
  const blob: Blob = {
    id,
    ownerId: owner.userId,
    namespace,
    filename,
    contentType,
    sizeBytes,
    visibility,
    expiresAtMs,
    objectKey,
    createdAtMs: act.atMs,
  };
  await insertOrDiscard(blob, act, keep(blob));
  return blob;
}

/** Inserts a file's row. Removes its object if the row is refused. After a crash, the orphan check removes the object. */
async function insertOrDiscard(blob: Blob, act: Act, kept: StoredResponse | undefined): Promise<void> {
  try {
    if (await blobs.insert(blob, act, { kept })) return;
  } catch (error) {
    if (error instanceof ApiError || error instanceof ResponseStoredError)
      await discardObject(blob.objectKey);
    throw error;
  }
  throw new ApiError("unavailable", { retryAfterSeconds: 1 });
}
