import { ApiError } from "../../contract/api-error.ts";
import { limits } from "../../contract/limits.ts";
import { startUploadRoute } from "../../contract/upload-routes.ts";
import type { UploadAnswer } from "../../contract/uploads.ts";
import { uploadContentType } from "../../domain/blob.ts";
import { createBlobId } from "../../domain/identifiers.ts";
import { requestDigest } from "../../domain/request-digest.ts";
import type { Upload } from "../../domain/upload.ts";
import { created } from "../../http/answer.ts";
import { answerOnce } from "../../http/answer-once.ts";
import { requireBlobRoom } from "../../http/blob-room.ts";
import { tokenOperation } from "../../http/token-operation.ts";
import { stagedObjects } from "../../store/staged-objects.ts";
import { uploads } from "../../store/uploads.ts";

/** POST /api/blobs/uploads: remember what is to come, and sign an address for it. */
export const startUpload = tokenOperation(startUploadRoute, async (input) => {
  const { caller, body, nowMs, randomInt, act } = input;
  const toUpload = (id: string): Upload => ({
    id,
    ownerId: caller.userId,
    namespace: caller.namespace,
    filename: body.filename,
    contentType: uploadContentType(body.content_type),
    sizeBytes: body.size_bytes,
    createdAtMs: nowMs,
  });
  const request = {
    ...input,
    operation: startUploadRoute.id,
    digest: () => requestDigest(body),
    // An address is good for some minutes, and a secret: only the id is kept, and signed for again.
    presentAgain: async (kept: string) => {
      const { id } = JSON.parse(kept) as Pick<UploadAnswer, "id">;
      return JSON.stringify(await presentUpload(toUpload(id)));
    },
  };
  return answerOnce(request, async (keep) => {
    await requireBlobRoom(caller.userId, body.size_bytes);
    const upload = toUpload(createBlobId(randomInt));
    const isInserted = await uploads.insert(upload, act, keep(created({ id: upload.id })));
    if (!isInserted) throw new ApiError("unavailable", { retryAfterSeconds: 1 });
    return created(await presentUpload(upload), { blobId: upload.id });
  });
});

async function presentUpload(upload: Upload): Promise<UploadAnswer> {
  const target = await stagedObjects.presign(upload, limits.uploadUrlSeconds);
  return { id: upload.id, ...target, method: "PUT", expires_in: limits.uploadUrlSeconds };
}
