import { createHash } from "node:crypto";
import { ApiError } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import { requestDigest, respondOnce, type StoreResponse } from "../http/idempotency.ts";
import { type ByteBody, type HttpRequest, singleHeader } from "../http/request.ts";
import { created, type HttpResponse } from "../http/response.ts";
import { quote } from "../http/schemas.ts";
import { type TokenOperationInput, tokenOperation } from "../http/token-operation.ts";
import { withWarnings } from "../http/warnings.ts";
import { reviewBody, withSecrets } from "../secrets/secret-review.ts";
import { type Blob, defaultContentType, uploadContentType } from "./blob.ts";
import { storeOwnedBlob } from "./owned-blobs.ts";
import { uploadBlobRoute } from "./rows.ts";
import { presentBlob } from "./schemas.ts";

/** POST /api/blobs: stores the body as a file and returns its permanent URL. */
export const uploadBlob = tokenOperation(uploadBlobRoute, async (input) =>
  withWarnings(await uploadOnce(input), warnAboutType(input.query.filename, readContentType(input.request))),
);

/** Content types by extension, for files that browsers should display. Callers often upload such files without a content type. */
const shownTypes: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  svg: "image/svg+xml",
  mp4: "video/mp4",
  mp3: "audio/mpeg",
};

function warnAboutType(filename: string, contentType: string): readonly string[] {
  const type = shownTypes[filename.slice(filename.lastIndexOf(".") + 1).toLowerCase()];
  if (type === undefined || contentType !== defaultContentType) return [];
  return [
    `${quote(filename)} is served as ${contentType}, which browsers download instead of showing it. To have it shown, upload it again with Content-Type: ${type}.`,
  ];
}

async function uploadOnce(input: TokenOperationInput<typeof uploadBlobRoute>): Promise<HttpResponse> {
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
  return respondOnce(repeatable, (keep) => storeBlob({ ...input, body }, contentType, keep));
}

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
  { caller, query, body, site, randomInt, act }: TokenOperationInput<typeof uploadBlobRoute>,
  contentType: string,
  keep: StoreResponse,
): Promise<HttpResponse> {
  const { filename, visibility, readers, expires_at, expires_in_days } = query;
  const respond = (blob: Blob) => created(presentBlob(site, blob), { blobId: blob.id });
  const { review, body: reviewed } = await reviewBody(body, { act, reason: query.allow_secrets });
  const chosen = { visibility, readers, expires_at, expires_in_days };
  const made = { owner: caller, filename, contentType, ...chosen, body: reviewed };
  const blob = await storeOwnedBlob(made, { act: review.act, randomInt }, (stored) => keep(respond(stored)));
  return withSecrets(respond(blob), review);
}

/** Hashes a body while it is read. The digest is complete after the whole body was read. */
function hashedBody(body: ByteBody) {
  const hash = createHash("sha256");
  let digest: string | undefined;
  let isRead = body.bytes !== undefined;
  async function* stream(): AsyncGenerator<Uint8Array> {
    isRead = true;
    for await (const piece of body.stream()) {
      hash.update(piece);
      yield piece;
    }
  }
  return {
    body: { ...body, stream },
    /** Reads the body to its end, unless other code has read it. */
    drain: () => (isRead ? Promise.resolve() : drain(stream())),
    /** Returns the SHA-256 in hex. */
    digest: () => {
      digest ??= (body.bytes === undefined ? hash : hash.update(body.bytes)).digest("hex");
      return digest;
    },
  };
}

/** Reads a body to its end. @throws ApiError `empty_blob` or `blob_too_large`, as for a body that is stored */
async function drain(pieces: AsyncIterable<Uint8Array>): Promise<void> {
  let sizeBytes = 0;
  for await (const piece of pieces) {
    sizeBytes += piece.byteLength;
    if (sizeBytes > limits.blobBytesMax)
      throw new ApiError("blob_too_large", { details: { bytes_max: limits.blobBytesMax } });
  }
  if (sizeBytes === 0) throw new ApiError("empty_blob");
}
