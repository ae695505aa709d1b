import type { Act } from "../platform/audit.ts";
import { ApiError } from "../platform/errors.ts";
import { ResponseStoredError, type StoredResponse } from "../platform/idempotency-store.ts";
import { createBlobId, type RandomInt } from "../platform/identifiers.ts";
import type { ByteBody } from "../platform/request.ts";
import { type Blob, blobObjectKey, servedAs } from "./blob.ts";
import { discardObject, putObject } from "./objects.ts";
import { blobs } from "./store.ts";
import { type FileVisibility, newFileVisibility, requireAllowedFile } from "./visibility.ts";

// What an owner does to files, by whichever way it is asked: the API's operations, and the owner's own pages.

/** A file to be made. */
export interface NewBlob {
  readonly owner: { readonly userId: string; readonly namespace: string };
  readonly filename: string;
  readonly contentType: string;
  /** @default - as the operator says */
  readonly visibility?: FileVisibility | undefined;
  readonly body: ByteBody;
}

/**
 * Stores a file, and what is to be kept of the response to it. Nothing is left of one that is refused.
 *
 * @throws ApiError `invalid_arg`, `empty_blob`, `blob_too_large`, `quota_exceeded`; ResponseStoredError
 */
export async function storeOwnedBlob(
  { owner, filename, contentType, body, ...chosen }: NewBlob,
  { act, randomInt }: { readonly act: Act; readonly randomInt: RandomInt },
  keep: (blob: Blob) => StoredResponse | undefined,
): Promise<Blob> {
  const visibility = newFileVisibility(chosen.visibility);
  const id = createBlobId(randomInt);
  const objectKey = blobObjectKey(owner.namespace, id);
  // Object first: a row never points at a missing one.
  const sizeBytes = await putObject(objectKey, body, servedAs(filename, contentType));
  const blob: Blob = {
    id,
    ownerId: owner.userId,
    namespace: owner.namespace,
    filename,
    contentType,
    sizeBytes,
    visibility,
    objectKey,
    createdAtMs: act.atMs,
  };
  await insertOrDiscard(blob, act, keep(blob));
  return blob;
}

/**
 * Changes who may read a file; undefined leaves it as it is.
 *
 * @throws ApiError `not_found`, `invalid_arg`
 */
export async function editOwnedBlob(
  ownerId: string,
  id: string,
  visibility: FileVisibility | undefined,
  act: Act,
): Promise<Blob> {
  if (visibility !== undefined) requireAllowedFile(visibility);
  const found = await blobs.find(ownerId, id);
  if (found === undefined) throw new ApiError("not_found");
  // The same again, such as by who got no response, writes nothing.
  if (visibility === undefined || visibility === found.visibility) return found;
  const isChanged = await blobs.setVisibility(found, visibility, act);
  if (!isChanged) throw new ApiError("not_found");
  return { ...found, visibility };
}

/** What is refused, or was made before, leaves nothing behind; the orphan check removes what a crash leaves. */
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
