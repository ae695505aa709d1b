import { ApiError } from "../contract/api-error.ts";
import { limits } from "../contract/limits.ts";
import type { Blob } from "../domain/blob.ts";
import { toBlobItem } from "./blob-items.ts";
import { keys } from "./keys.ts";
import { getItem } from "./table.ts";
import { transact } from "./transaction.ts";

/** Files, by owner and id: another owner's file is not found. */
export const blobs = {
  /**
   * Adds a file and counts its bytes, in one transaction. False where the id is taken.
   *
   * @throws ApiError `quota_exceeded` when the account would hold more than 1 GiB; then nothing is counted.
   */
  async insert(blob: Blob): Promise<boolean> {
    const outcome = await transact([
      { put: toBlobItem(blob), condition: "attribute_not_exists(pk)" },
      {
        key: keys.account(blob.ownerId),
        update: "ADD blobCount :one, blobBytes :bytes, countsRevision :one",
        condition: "blobBytes <= :room AND attribute_not_exists(deletingAtMs)",
        values: {
          ":one": 1,
          ":bytes": blob.sizeBytes,
          ":room": limits.blobBytesPerAccountMax - blob.sizeBytes,
        },
      },
    ]);
    if (outcome.committed) return true;
    if (!outcome.failed.has(1)) return false;
    throw new ApiError("quota_exceeded", {
      message: `These ${blob.sizeBytes} bytes would take the account over ${limits.blobBytesPerAccountMax}. Delete a file first.`,
      details: { bytes: blob.sizeBytes, bytes_max: limits.blobBytesPerAccountMax },
      retryAfterSeconds: limits.quotaRetryAfterSeconds,
    });
  },

  /** Deletes a file and counts its bytes off, in one transaction; its object goes after it. False where there is none. */
  async remove(ownerId: string, id: string): Promise<boolean> {
    const item = await getItem(keys.blob(ownerId, id));
    if (item === undefined) return false;
    const outcome = await transact([
      { remove: keys.blob(ownerId, id), condition: "attribute_exists(pk)" },
      {
        key: keys.account(ownerId),
        update: "ADD blobCount :minusOne, blobBytes :bytes, countsRevision :one",
        condition: "attribute_exists(pk)",
        values: { ":minusOne": -1, ":one": 1, ":bytes": -(item.sizeBytes as number) },
      },
    ]);
    return outcome.committed;
  },
};
