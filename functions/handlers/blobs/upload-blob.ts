import { ApiError } from "../../contract/api-error.ts";
import { uploadBlobRoute } from "../../contract/blob-routes.ts";
import { limits } from "../../contract/limits.ts";
import type { Act } from "../../domain/audit.ts";
import { type Blob, blobObjectKey, servedAs, uploadContentType } from "../../domain/blob.ts";
import { createBlobId } from "../../domain/identifiers.ts";
import { requestDigest } from "../../domain/request-digest.ts";
import { created, type HttpAnswer } from "../../http/answer.ts";
import { answerOnce, type Keep } from "../../http/answer-once.ts";
import { hashedBody } from "../../http/hashed-body.ts";
import { refundInvalid } from "../../http/invalid-refund.ts";
import { presentBlob } from "../../http/present-blob.ts";
import { type HttpRequest, singleHeader } from "../../http/request.ts";
import { type TokenOperationInput, tokenOperation } from "../../http/token-operation.ts";
import { blobObjects } from "../../store/blob-objects.ts";
import { blobs } from "../../store/blobs.ts";
import { AnswerKeptError, type KeptAnswer } from "../../store/kept-answers.ts";

/** POST /api/blobs: store the body as a file and return its permanent URL. */
export const uploadBlob = tokenOperation(uploadBlobRoute, (input) =>
  uploadOnce(input).catch((error) =>
    // Cut off, empty or too large: only the whole body tells.
    refundInvalid(error, input.caller),
  ),
);

async function uploadOnce(input: TokenOperationInput<typeof uploadBlobRoute>): Promise<HttpAnswer> {
  const { request, query, idempotencyKey } = input;
  const contentType = readContentType(request);
  const hashed = hashedBody(input.body);
  const body = idempotencyKey === undefined ? input.body : hashed.body;
  const repeatable = {
    ...input,
    operation: uploadBlobRoute.id,
    digest: () => requestDigest({ ...query, contentType, sha256: hashed.digest() }),
    readRest: hashed.drain,
  };
  return answerOnce(repeatable, (keep) => storeBlob({ ...input, body }, contentType, keep));
}

/** As long as an upload in steps may say it. */
function readContentType(request: HttpRequest): string {
  const contentType = uploadContentType(singleHeader(request, "content-type"));
  const charactersMax = limits.contentTypeCharactersMax;
  if (contentType.length <= charactersMax) return contentType;
  throw new ApiError("invalid_arg", {
    message: `The Content-Type has ${contentType.length} characters; at most ${charactersMax} are allowed.`,
    details: { header: "content-type", characters: contentType.length, characters_max: charactersMax },
  });
}

async function storeBlob(
  { caller, query, body, site, nowMs, randomInt, act }: TokenOperationInput<typeof uploadBlobRoute>,
  contentType: string,
  keep: Keep,
): Promise<HttpAnswer> {
  const id = createBlobId(randomInt);
  const objectKey = blobObjectKey(caller.namespace, id);
  // Object first: a row never points at a missing one.
  const sizeBytes = await blobObjects.put(objectKey, body, servedAs(query.filename, contentType));
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
  const answer = created(presentBlob(site, blob), { blobId: id });
  await insertOrDiscard(blob, act, keep(answer));
  return answer;
}

/** What is refused, or was made before, leaves nothing behind; the orphan check removes what a crash leaves. */
async function insertOrDiscard(blob: Blob, act: Act, kept: KeptAnswer | undefined): Promise<void> {
  try {
    if (await blobs.insert(blob, act, { kept })) return;
  } catch (error) {
    if (error instanceof ApiError || error instanceof AnswerKeptError)
      await blobObjects.discard(blob.objectKey);
    throw error;
  }
  throw new ApiError("unavailable", { retryAfterSeconds: 1 });
}
