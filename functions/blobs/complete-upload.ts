import { ApiError } from "../core/errors.ts";
import { requestDigest, respondOnce } from "../http/idempotency.ts";
import { created } from "../http/response.ts";
import { tokenOperation } from "../http/token-operation.ts";
import { reviewFile, type SecretReview, scannedFileBytesMax, withSecrets } from "../secrets/secret-review.ts";
import type { Act } from "../table/audit.ts";
import type { StoredResponse } from "../table/audit-trail.ts";
import type { RandomInt } from "../table/identifiers.ts";
import { type Blob, newObjectKey, servedAs, type Upload } from "./blob.ts";
import { completeUploadRoute } from "./rows.ts";
import { presentBlob } from "./schemas.ts";
import { stagedObjects } from "./staged-objects.ts";
import { blobs, requireBlobQuota, uploads } from "./store.ts";

/** POST /api/blobs/uploads/{id}/complete: publishes an uploaded file at its permanent URL. */
export const completeUpload = tokenOperation(completeUploadRoute, async (input) => {
  const { caller, path, query, site, nowMs } = input;
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
      (await makeBlob(upload, { ...input, reason: query.allow_secrets }, (blob) => keep(present(blob))));
    if (outcome && "blob" in outcome) return withSecrets(present(outcome.blob), outcome.review);
    // One transaction adds the file and removes the upload, so a missing upload may already have been completed by a concurrent call.
    const completed = await blobs.find(caller.userId, path.id, nowMs);
    if (completed) return present(completed);
    throw outcome?.problem ?? new ApiError("not_found");
  });
});

interface CompletionInput {
  readonly act: Act;
  readonly randomInt: RandomInt;
  readonly reason: string | undefined;
}

type Completion =
  | { readonly blob: Blob; readonly review: SecretReview }
  | { readonly problem: ApiError | undefined };

/**
 * Returns the completed file, or the problem with its bytes, or neither if a concurrent call completed the upload. Copies the object first,
 * so that a row never refers to a missing object. The orphan check removes objects without a row.
 *
 * @throws ApiError `secrets_found`, `invalid_arg` or `quota_exceeded`
 */
async function makeBlob(
  upload: Upload,
  { act, randomInt, reason }: CompletionInput,
  keep: (blob: Blob) => StoredResponse | undefined,
): Promise<Completion> {
  await requireBlobQuota(upload.ownerId, upload.sizeBytes);
  const staged = await stagedObjects.find(upload);
  if (staged === undefined) return notArrived(upload, "nothing has arrived yet");
  if (staged.sizeBytes !== upload.sizeBytes)
    return notArrived(upload, `${staged.sizeBytes} bytes have arrived`);
  const start = await stagedObjects.readStart(upload, staged, scannedFileBytesMax);
  if (start === undefined) return notArrived(upload, "the file was removed");
  const review = reviewFile(start, { isCut: upload.sizeBytes > scannedFileBytesMax, act, reason });
  const blob = toBlob(upload, act.atMs, randomInt);
  const served = servedAs(blob.filename, blob.contentType);
  const isCopied = await stagedObjects.copyTo(blob.objectKey, upload, staged, served);
  if (!isCopied) return notArrived(upload, "the file was removed");
  if (!(await blobs.insert(blob, review.act, { upload, kept: keep(blob) }))) return { problem: undefined };
  await stagedObjects.remove(upload);
  return { blob, review };
}

function toBlob({ createdAtMs: _, ...upload }: Upload, nowMs: number, randomInt: RandomInt): Blob {
  return { ...upload, objectKey: newObjectKey(upload, randomInt), createdAtMs: nowMs };
}

function notArrived({ sizeBytes }: Upload, what: string): { readonly problem: ApiError } {
  const message = `The declared size is ${sizeBytes} bytes, but ${what}. PUT the file to the URL in the response that started the upload, then complete it.`;
  return { problem: new ApiError("invalid_arg", { message, details: { bytes: sizeBytes } }) };
}
