import { ApiError } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import { newExpiry, newVisibility } from "../drops/drop-access.ts";
import { requestDigest, respondOnce } from "../http/idempotency.ts";
import { created } from "../http/response.ts";
import { tokenOperation } from "../http/token-operation.ts";
import { createBlobId } from "../table/identifiers.ts";
import { type Upload, uploadContentType } from "./blob.ts";
import { startUploadRoute } from "./rows.ts";
import type { UploadResponse } from "./schemas.ts";
import { stagedObjects } from "./staged-objects.ts";
import { requireBlobQuota, uploads } from "./store.ts";

/** POST /api/blobs/uploads: stores the declaration of a file, and returns a signed URL for its upload. */
export const startUpload = tokenOperation(startUploadRoute, (input) => {
  const { caller, body, nowMs, randomInt, act } = input;
  const visibility = newVisibility(body, "file");
  const expiresAtMs = newExpiry(body, nowMs);
  const toUpload = (id: string): Upload => ({
    id,
    ownerId: caller.userId,
    namespace: caller.namespace,
    filename: body.filename,
    contentType: uploadContentType(body.content_type),
    sizeBytes: body.size_bytes,
    visibility,
    expiresAtMs,
    createdAtMs: nowMs,
  });
  const request = {
    ...input,
    operation: startUploadRoute.id,
    digest: () => requestDigest(body),
    // The URL is a secret that expires within minutes. Only the id is stored, and a repeated request gets a new URL.
    presentAgain: async (kept: string) => {
      const { id } = JSON.parse(kept) as Pick<UploadResponse, "id">;
      return JSON.stringify(await presentUpload(toUpload(id)));
    },
  };
  return respondOnce(request, async (keep) => {
    await requireBlobQuota(caller.userId, body.size_bytes);
    const upload = toUpload(createBlobId(randomInt));
    const isInserted = await uploads.insert(upload, act, keep(created({ id: upload.id })));
    if (!isInserted) throw new ApiError("unavailable", { retryAfterSeconds: 1 });
    return created(await presentUpload(upload), { blobId: upload.id });
  });
});

async function presentUpload(upload: Upload): Promise<UploadResponse> {
  const target = await stagedObjects.presign(upload, limits.uploadUrlSeconds);
  return { id: upload.id, ...target, method: "PUT", expires_in: limits.uploadUrlSeconds };
}
