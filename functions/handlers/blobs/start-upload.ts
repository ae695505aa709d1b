import { ApiError } from "../../contract/api-error.ts";
import { limits } from "../../contract/limits.ts";
import { startUploadRoute } from "../../contract/upload-routes.ts";
import type { UploadAnswer } from "../../contract/uploads.ts";
import { uploadContentType } from "../../domain/blob.ts";
import { createBlobId } from "../../domain/identifiers.ts";
import type { Upload } from "../../domain/upload.ts";
import { created } from "../../http/answer.ts";
import { requireBlobRoom } from "../../http/blob-room.ts";
import { tokenOperation } from "../../http/token-operation.ts";
import { stagedObjects } from "../../store/staged-objects.ts";
import { uploads } from "../../store/uploads.ts";

/** POST /api/blobs/uploads: remember what is to come, and sign an address for it. */
export const startUpload = tokenOperation(startUploadRoute, async (input) => {
  const { caller, body, nowMs, randomInt } = input;
  await requireBlobRoom(caller.userId, body.size_bytes);
  const upload: Upload = {
    id: createBlobId(randomInt),
    ownerId: caller.userId,
    namespace: caller.namespace,
    filename: body.filename,
    contentType: uploadContentType(body.content_type),
    sizeBytes: body.size_bytes,
    createdAtMs: nowMs,
  };
  const isInserted = await uploads.insert(upload);
  if (!isInserted) throw new ApiError("unavailable", { retryAfterSeconds: 1 });
  const target = await stagedObjects.presign(upload, limits.uploadUrlSeconds);
  const answer: UploadAnswer = {
    id: upload.id,
    ...target,
    method: "PUT",
    expires_in: limits.uploadUrlSeconds,
  };
  return created(answer);
});
