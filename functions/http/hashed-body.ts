import { createHash } from "node:crypto";
import { ApiError } from "../contract/api-error.ts";
import { limits } from "../contract/limits.ts";
import type { ByteBody } from "../store/blob-objects.ts";

/** A body whose sha256 is known when it has been read. */
export interface HashedBody {
  readonly body: ByteBody;
  /** Reads it where nobody else has. */
  readonly drain: () => Promise<void>;
  /** In hex. */
  readonly digest: () => string;
}

/** Hashes a body while it is read. */
export function hashedBody(body: ByteBody): HashedBody {
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
    drain: () => (isRead ? Promise.resolve() : drain(stream())),
    digest: () => {
      digest ??= (body.bytes === undefined ? hash : hash.update(body.bytes)).digest("hex");
      return digest;
    },
  };
}

/** @throws ApiError `empty_blob` or `blob_too_large`, as for a body that is stored */
async function drain(pieces: AsyncIterable<Uint8Array>): Promise<void> {
  let sizeBytes = 0;
  for await (const piece of pieces) {
    sizeBytes += piece.byteLength;
    if (sizeBytes > limits.blobBytesMax)
      throw new ApiError("blob_too_large", { details: { bytes_max: limits.blobBytesMax } });
  }
  if (sizeBytes === 0) throw new ApiError("empty_blob");
}
