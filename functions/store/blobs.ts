import { ApiError } from "../contract/api-error.ts";
import { limits } from "../contract/limits.ts";
import type { Account } from "../domain/account.ts";
import type { Act } from "../domain/audit.ts";
import type { Blob } from "../domain/blob.ts";
import type { Upload } from "../domain/upload.ts";
import { auditWrite } from "./audit-trail.ts";
import { toBlob, toBlobItem } from "./blob-items.ts";
import { type KeptAnswer, keepingWrite, requireNotKept } from "./kept-answers.ts";
import { keys } from "./keys.ts";
import { accountSuspended, isNotSuspended, isSuspended } from "./suspension.ts";
import { getItem } from "./table.ts";
import { type TransactionWrite, transact } from "./transaction.ts";

/** What an account has of files. */
type BlobCounts = Pick<Account, "blobCount" | "blobBytes">;

/** What may go into the transaction of an insertion beside the file. */
export interface BlobInsertionOptions {
  /** Ends with it. @default - it comes from none */
  readonly upload?: Upload;
  /** The answer to keep. @default - none */
  readonly kept?: KeptAnswer | undefined;
}

/** Whether an account has room for one file more, of so many bytes. */
export function hasBlobRoom({ blobCount, blobBytes }: BlobCounts, sizeBytes: number): boolean {
  return blobCount < limits.blobsPerAccountMax && blobBytes + sizeBytes <= limits.blobBytesPerAccountMax;
}

/** The refusal of a file that its account, as it was seen, has no room for. */
export function blobQuotaExceeded({ blobCount }: Pick<BlobCounts, "blobCount">, sizeBytes: number): ApiError {
  if (blobCount >= limits.blobsPerAccountMax) {
    return new ApiError("quota_exceeded", {
      message: `The account has ${limits.blobsPerAccountMax} files, the most there can be. Delete one first.`,
      details: { blobs_max: limits.blobsPerAccountMax },
      retryAfterSeconds: limits.quotaRetryAfterSeconds,
    });
  }
  return new ApiError("quota_exceeded", {
    message: `These ${sizeBytes} bytes would take the account over ${limits.blobBytesPerAccountMax}. Delete a file first.`,
    details: { bytes: sizeBytes, bytes_max: limits.blobBytesPerAccountMax },
    retryAfterSeconds: limits.quotaRetryAfterSeconds,
  });
}

/** Files, by owner and id: another owner's file is not found. */
export const blobs = {
  /** The file, or undefined. */
  async find(ownerId: string, id: string): Promise<Blob | undefined> {
    const item = await getItem(keys.blob(ownerId, id));
    return item && toBlob(item);
  },

  /**
   * Adds a file and counts its bytes, in one transaction, which ends the upload that it comes from. False where the id
   * is taken, or the upload has ended before.
   *
   * @throws ApiError `quota_exceeded` when the account would hold more than 10,000 files or 1 GiB, `forbidden` when it
   * was suspended, AnswerKeptError; then nothing is counted.
   */
  async insert(blob: Blob, act: Act, { upload, kept }: BlobInsertionOptions = {}): Promise<boolean> {
    const writes: TransactionWrite[] = [
      { put: toBlobItem(blob), condition: "attribute_not_exists(pk)" },
      {
        key: keys.account(blob.ownerId),
        update: "ADD blobCount :one, blobBytes :bytes, countsRevision :one",
        condition: `blobCount < :most AND blobBytes <= :room AND attribute_not_exists(deletingAtMs) AND ${isNotSuspended}`,
        values: {
          ":one": 1,
          ":bytes": blob.sizeBytes,
          ":most": limits.blobsPerAccountMax,
          ":room": limits.blobBytesPerAccountMax - blob.sizeBytes,
        },
      },
      // Once only: a completion that was slow must not bring back a file that was deleted meanwhile.
      ...(upload
        ? [{ remove: keys.upload(upload.ownerId, upload.id), condition: "attribute_exists(pk)" }]
        : []),
    ];
    const line = auditWrite(act, { ownerId: blob.ownerId, blobId: blob.id });
    const outcome = await transact([...writes, ...(kept ? [keepingWrite(kept)] : []), line]);
    if (outcome.committed) return true;
    requireNotKept(outcome.failed, writes.length);
    if (outcome.failed.has(0) || outcome.failed.has(2)) return false;
    if (isSuspended(outcome.failed.get(1))) throw accountSuspended();
    throw blobQuotaExceeded({ blobCount: Number(outcome.failed.get(1)?.blobCount ?? 0) }, blob.sizeBytes);
  },

  /** Deletes a file and counts its bytes off, in one transaction; its object goes after it. False where there is none. */
  async remove(ownerId: string, id: string, act: Act): Promise<boolean> {
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
      auditWrite(act, { ownerId, blobId: id }),
    ]);
    return outcome.committed;
  },
};
