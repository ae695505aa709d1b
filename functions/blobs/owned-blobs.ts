import { isDeepStrictEqual } from "node:util";
import { ApiError } from "../http/errors.ts";
import { ResponseStoredError, type StoredResponse } from "../http/idempotency.ts";
import type { ByteBody } from "../http/request.ts";
import {
  changedVisibility,
  newVisibility,
  requireAllowed,
  type VisibilityChange,
} from "../identity/visibility.ts";
import type { Act } from "../table/audit.ts";
import { createBlobId, type RandomInt } from "../table/identifiers.ts";
import { type Blob, isInItsFolder, newObjectKey, servedAs } from "./blob.ts";
import { discardObject, putObject } from "./objects.ts";
import { blobs } from "./store.ts";

// What an owner does to files, by whichever way it is asked: the API's operations, and the owner's own pages.

/** A file to be made. */
export interface NewBlob extends VisibilityChange {
  readonly owner: { readonly userId: string; readonly namespace: string };
  readonly filename: string;
  readonly contentType: string;
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
  const visibility = newVisibility(chosen, "file");
  const id = createBlobId(randomInt);
  const { namespace } = owner;
  const objectKey = newObjectKey({ namespace, id, visibility }, randomInt);
  // Object first: a row never points at a missing one.
  const sizeBytes = await putObject({ namespace, id, objectKey }, body, servedAs(filename, contentType));
  const blob: Blob = {
    id,
    ownerId: owner.userId,
    namespace,
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

/** Discards the object after a refusal or a replay. The orphan check removes what a crash leaves. */
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

/** Others may change it at the same time, each of whom succeeds once. */
const attemptsMax = 8;

/**
 * Changes who may read a file; what is undefined stays as it is. Its bytes go where that wants them when the change comes out of
 * the table's stream: `functions/blobs/on-table-change.ts`.
 *
 * @throws ApiError `not_found`, `invalid_arg` as `changedVisibility` and `requireAllowed` do
 */
export async function editOwnedBlob(
  ownerId: string,
  id: string,
  change: VisibilityChange,
  act: Act,
): Promise<Blob> {
  if (change.visibility !== undefined) requireAllowed({ kind: change.visibility }, "file");
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const found = await blobs.find(ownerId, id);
    if (found === undefined) throw new ApiError("not_found");
    if (change.visibility === undefined && change.readers === undefined) return found;
    const visibility = changedVisibility(found.visibility, change, "file");
    requireAllowed(visibility, "file");
    // The same again, such as by who got no response, writes nothing; but where it is stuck, it is told of once more.
    if (isDeepStrictEqual(visibility, found.visibility) && !isStuck(found, act.atMs)) return found;
    if (await blobs.setVisibility(found, visibility, act)) return { ...found, visibility };
  }
  throw new ApiError("unavailable", { retryAfterSeconds: 1 });
}

/** Longer than any move takes that has not failed for good, or was not to be made while the account was suspended. */
const moveMsMax = 60_000;

function isStuck(file: Blob, nowMs: number): boolean {
  return !isInItsFolder(file) && nowMs - (file.changedAtMs ?? 0) > moveMsMax;
}
