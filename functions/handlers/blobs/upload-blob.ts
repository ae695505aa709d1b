import { ApiError } from "../../contract/api-error.ts";
import { uploadBlobRoute } from "../../contract/routes.ts";
import { type Blob, blobObjectKey, servedAs, uploadContentType } from "../../domain/blob.ts";
import { createBlobId } from "../../domain/identifiers.ts";
import { created } from "../../http/answer.ts";
import { presentBlob } from "../../http/present-blob.ts";
import { singleHeader } from "../../http/request.ts";
import { tokenOperation } from "../../http/token-operation.ts";
import { blobObjects } from "../../store/blob-objects.ts";
import { blobs } from "../../store/blobs.ts";
import { type Caller, tokens } from "../../store/tokens.ts";

/** POST /api/blobs: store the body as a file and return its permanent URL. */
export const uploadBlob = tokenOperation(uploadBlobRoute, async (input) => {
  const { caller, request, query, body, site, nowMs, randomInt } = input;
  const id = createBlobId(randomInt);
  const objectKey = blobObjectKey(caller.namespace, id);
  const contentType = uploadContentType(singleHeader(request, "content-type"));
  // Object first: a row never points at a missing one.
  const sizeBytes = await blobObjects
    .put(objectKey, body, servedAs(query.filename, contentType))
    .catch((error: unknown) => refundInvalid(error, caller, nowMs));
  const blob: Blob = {
    id,
    ownerId: caller.userId,
    namespace: caller.namespace,
    filename: query.filename,
    contentType,
    sizeBytes,
    objectKey,
    createdAtMs: nowMs,
  };
  await insertOrRemove(blob);
  return created(presentBlob(site, blob));
});

/** An invalid request spends nothing, also where only its whole body tells: cut off, empty or too large. */
async function refundInvalid(error: unknown, { token }: Caller, spentAtMs: number): Promise<never> {
  if (error instanceof ApiError && error.status === 400) await tokens.refundWrite(token.hash, spentAtMs);
  throw error;
}

/** What is refused leaves nothing behind; the orphan check removes what a crash leaves. */
async function insertOrRemove(blob: Blob): Promise<void> {
  try {
    if (await blobs.insert(blob)) return;
  } catch (error) {
    if (error instanceof ApiError) await blobObjects.remove(blob.objectKey);
    throw error;
  }
  throw new ApiError("unavailable", { retryAfterSeconds: 1 });
}
