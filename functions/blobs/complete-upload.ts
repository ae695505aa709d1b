import { ApiError } from "../http/errors.ts";
import { requestDigest, respondOnce, type StoredResponse } from "../http/idempotency.ts";
import { created } from "../http/response.ts";
import { tokenOperation } from "../http/token-operation.ts";
import type { Act } from "../table/audit.ts";
import type { RandomInt } from "../table/identifiers.ts";
import { type Blob, newObjectKey, servedAs, type Upload } from "./blob.ts";
import { completeUploadRoute } from "./rows.ts";
import { presentBlob } from "./schemas.ts";
import { stagedObjects } from "./staged-objects.ts";
import { blobs, requireBlobQuota, uploads } from "./store.ts";

/** POST /api/blobs/uploads/{id}/complete: the file that has arrived gets its permanent URL. */
export const completeUpload = tokenOperation(completeUploadRoute, async (input) => {
  const { caller, path, site, nowMs, act, randomInt } = input;
  const request = {
    ...input,
    operation: completeUploadRoute.id,
    digest: () => requestDigest({ id: path.id }),
  };
  return respondOnce(request, async (keep) => {
    const present = (blob: Blob) => created(presentBlob(site, blob));
    const upload = await uploads.find(caller.userId, path.id, nowMs);
    const outcome =
      upload &&
      (await makeBlob(toBlob(upload, act.atMs, randomInt), upload, act, (blob) => keep(present(blob))));
    if (outcome && "blob" in outcome) return present(outcome.blob);
    // Completed before, or by another call at the same time: the upload goes in the transaction that adds the file.
    const completed = await blobs.find(caller.userId, path.id);
    if (completed) return present(completed);
    throw outcome?.problem ?? new ApiError("not_found");
  });
});

/** Completes an upload: returns the file, or the problem of the uploaded bytes, or nothing if another call was faster. */
async function makeBlob(
  blob: Blob,
  upload: Upload,
  act: Act,
  keep: (blob: Blob) => StoredResponse | undefined,
): Promise<{ readonly blob: Blob } | { readonly problem: ApiError | undefined }> {
  await requireBlobQuota(upload.ownerId, upload.sizeBytes);
  const problem = await placeObject(upload, blob);
  if (problem !== undefined || !(await blobs.insert(blob, act, { upload, kept: keep(blob) })))
    return { problem };
  await stagedObjects.remove(upload);
  return { blob };
}

function toBlob({ createdAtMs: _, ...upload }: Upload, nowMs: number, randomInt: RandomInt): Blob {
  return { ...upload, objectKey: newObjectKey(upload, randomInt), createdAtMs: nowMs };
}

/**
 * Copies the object before the row is written, so that a row never points at a missing object. The orphan check removes objects
 * without a row. Returns the problem of the uploaded bytes, if any.
 */
async function placeObject(
  upload: Upload,
  { objectKey, filename, contentType }: Blob,
): Promise<ApiError | undefined> {
  const staged = await stagedObjects.find(upload);
  if (staged === undefined) return notArrived(upload, "nothing has arrived yet");
  if (staged.sizeBytes !== upload.sizeBytes) return notArrived(upload, `${staged.sizeBytes} have arrived`);
  const isCopied = await stagedObjects.copyTo(objectKey, upload, staged, servedAs(filename, contentType));
  return isCopied ? undefined : notArrived(upload, "they are there no more");
}

function notArrived({ sizeBytes }: Upload, what: string): ApiError {
  const message = `The upload is of ${sizeBytes} bytes, but ${what}. PUT the file to the address that the upload was started with, then complete it.`;
  return new ApiError("invalid_arg", { message, details: { bytes: sizeBytes } });
}
