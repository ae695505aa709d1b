import { unmarshall } from "@aws-sdk/util-dynamodb";
import { ApiError } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import { accounts } from "../people/accounts.ts";
import {
  canChange,
  type Expiring,
  isExpiredRow,
  isOpenToAll,
  toVisibility,
  visibilityAttributes,
} from "../policies/access.ts";
import type { Act } from "../table/audit.ts";
import { auditWrite, type StoredResponse, transactOnce } from "../table/audit-trail.ts";
import { keys, ranges } from "../table/keys.ts";
import { isAccountNotHeld, refuseHeld } from "../table/legal-hold.ts";
import { accountSuspended, isNotSuspended, isSuspended } from "../table/suspension.ts";
import { getItem, type Item, queryRaw, type RawItem } from "../table/table.ts";
import { transact, updateItem } from "../table/table-writes.ts";
import { type Blob, type ListedBlob, type Upload, uploadExpiresAtMs } from "./blob.ts";

interface BlobInsertionOptions {
  /** The upload that the insertion completes. @default - none */
  readonly upload?: Upload;
  /** The response to store. @default - none */
  readonly kept?: StoredResponse | undefined;
}

function blobQuotaExceeded(blobCount: number, sizeBytes: number): ApiError {
  if (blobCount >= limits.blobsPerAccountMax) {
    return new ApiError("quota_exceeded", {
      message: `The account has reached the limit of ${limits.blobsPerAccountMax} files. Delete one first.`,
      details: { blobs_max: limits.blobsPerAccountMax },
    });
  }
  return new ApiError("quota_exceeded", {
    message: `With this file of ${sizeBytes} bytes, the account's files would exceed ${limits.blobBytesPerAccountMax} bytes. Delete a file first.`,
    details: { bytes: sizeBytes, bytes_max: limits.blobBytesPerAccountMax },
  });
}

/** Stores files by owner and id. Another owner's file is not found. */
export const blobs = {
  /** Finds a file, or undefined if it is missing or has expired. */
  async find(ownerId: string, id: string, nowMs: number): Promise<Blob | undefined> {
    const item = await getItem(keys.blob(ownerId, id));
    const blob = item && toBlob(item);
    return blob && canChange(blob, ownerId, nowMs) ? blob : undefined;
  },

  /** Lists the rows of an account's unexpired files, newest first. They are not converted here, because there may be 10,000. */
  async listRows(ownerId: string, nowMs: number): Promise<RawItem[]> {
    const all = await queryRaw(ranges.blobs(ownerId), { attributes: shownAttributes });
    const rows = all.filter((row) => !isExpiredRow(row, nowMs));
    const createdAtMsOf = ({ createdAtMs }: RawItem) => Number(createdAtMs?.N);
    // Files with the same time keep the order of their ids, so that pages do not overlap.
    return rows.sort((one, other) => createdAtMsOf(other) - createdAtMsOf(one));
  },

  /**
   * Adds a file, counts its bytes and ends its upload, in one transaction. Returns false if the id is taken or the upload has ended.
   *
   * @throws ApiError `quota_exceeded`, or `forbidden` if the account was suspended; ResponseStoredError
   */
  async insert(blob: Blob, act: Act, { upload, kept }: BlobInsertionOptions = {}): Promise<boolean> {
    const writes = {
      file: { put: toBlobItem(blob), condition: "attribute_not_exists(pk)" },
      account: {
        key: keys.account(blob.ownerId),
        update: "ADD blobCount :one, blobBytes :bytes, countsRevision :one",
        condition: `blobCount < :most AND blobBytes <= :quota AND attribute_not_exists(deletingAtMs) AND ${isNotSuspended}`,
        values: {
          ":one": 1,
          ":bytes": blob.sizeBytes,
          ":most": limits.blobsPerAccountMax,
          ":quota": limits.blobBytesPerAccountMax - blob.sizeBytes,
        },
      },
      // An upload is completed only once. A slow completion must not restore a file that has been deleted in the meantime.
      upload: upload && {
        remove: keys.upload(upload.ownerId, upload.id),
        condition: "attribute_exists(pk)",
      },
    };
    const subject = { ownerId: blob.ownerId, blobId: blob.id };
    const outcome = await transactOnce(writes, { act, subject, kept });
    if (outcome.committed) return true;
    if (outcome.failed.has("file") || outcome.failed.has("upload")) return false;
    const account = outcome.failed.get("account");
    if (isSuspended(account)) throw accountSuspended();
    throw blobQuotaExceeded(Number(account?.blobCount ?? 0), blob.sizeBytes);
  },

  /** Changes the readers and the expiry of a file. Returns false if the file has been deleted or changed since it was read. */
  async setAccess(before: Blob, after: FileAccess, act: Act): Promise<boolean> {
    const { ownerId, id } = before;
    const outcome = await transact([
      { key: keys.blob(ownerId, id), ...accessUpdate(before, after, act.atMs) },
      auditWrite(act, { ownerId, blobId: id }),
    ]);
    return outcome.committed;
  },

  /** Stores a file's new object key. Returns false if the visibility changed or the file was deleted, and true if the key is already stored. */
  async setObjectKey(blob: Blob, objectKey: string): Promise<boolean> {
    const isOpen = "(attribute_not_exists(visibility) OR visibility = :unlisted)";
    const { updated, item } = await updateItem({
      key: keys.blob(blob.ownerId, blob.id),
      update: "SET objectKey = :new",
      condition: `objectKey = :old AND ${isOpenToAll(blob) ? isOpen : `attribute_exists(pk) AND NOT ${isOpen}`}`,
      values: { ":new": objectKey, ":old": blob.objectKey, ":unlisted": "unlisted" },
    });
    return updated || item?.objectKey === objectKey;
  },

  /**
   * Deletes a file and subtracts its bytes, in one transaction. Its object is removed later. Returns false for a missing file or another
   * expiry.
   *
   * @throws ApiError `forbidden` if the account is on legal hold
   */
  async remove(ownerId: string, id: string, act: Act, expiring?: Required<Expiring>): Promise<boolean> {
    const item = await getItem(keys.blob(ownerId, id));
    if (item === undefined || (expiring && item.expiresAtMs !== expiring.expiresAtMs)) return false;
    const outcome = await transact({
      file: {
        remove: keys.blob(ownerId, id),
        condition: `attribute_exists(pk)${expiring ? " AND expiresAtMs = :at" : ""}`,
        ...(expiring ? { values: { ":at": expiring.expiresAtMs } } : {}),
      },
      account: {
        key: keys.account(ownerId),
        update: "ADD blobCount :minusOne, blobBytes :bytes, countsRevision :one",
        condition: `attribute_exists(pk) AND ${isAccountNotHeld}`,
        values: { ":minusOne": -1, ":one": 1, ":bytes": -(item.sizeBytes as number) },
      },
      line: auditWrite(act, { ownerId, blobId: id }),
    });
    if (!outcome.committed) refuseHeld(outcome.failed.get("account"));
    return outcome.committed;
  },
};

const shownAttributes = [
  "pk",
  "sk",
  "namespace",
  "filename",
  "contentType",
  "sizeBytes",
  "visibility",
  "readers",
  "createdAtMs",
  "expiresAtMs",
] as const;

/** Converts a row of `listRows` to a file without its object key. */
export function toListedBlob(row: RawItem): ListedBlob {
  return toBlob(unmarshall(row));
}

/** Attributes of a file's row that can change. The row is copied only if all of them are unchanged. */
export const changeableFileAttributes = [
  "changedAtMs",
  "expiresAtMs",
  "objectKey",
  "readers",
  "visibility",
] as const;

/** Converts a file to its item. */
export function toBlobItem(blob: Blob): Item {
  const { id, ownerId, visibility, ...attributes } = blob;
  return { ...keys.blob(ownerId, id), ...attributes, ...visibilityAttributes(visibility) };
}

type FileAccess = Pick<Blob, "expiresAtMs" | "visibility">;

function accessAttributes({ visibility, expiresAtMs }: FileAccess): Item {
  return { ...visibilityAttributes(visibility), ...(expiresAtMs === undefined ? {} : { expiresAtMs }) };
}

/**
 * Creates the update of a file's readers and expiry, which requires the values in `before`. Even an update without changes sets the time,
 * so that the table's stream reports it.
 */
function accessUpdate(before: FileAccess, after: FileAccess, nowMs: number) {
  const [old, next] = [accessAttributes(before), accessAttributes(after)];
  const names = ["visibility", "readers", "expiresAtMs"];
  const set = ["changedAtMs = :now", ...Object.keys(next).map((name) => `${name} = :${name}`)];
  const remove = names.filter((name) => !(name in next));
  const isSame = names.map((name) =>
    name in old ? `${name} = :old_${name}` : `attribute_not_exists(${name})`,
  );
  const valuesOf = (prefix: string, attributes: Item) =>
    Object.fromEntries(Object.entries(attributes).map(([name, value]) => [prefix + name, value]));
  return {
    update: `SET ${set.join(", ")}${remove.length > 0 ? ` REMOVE ${remove.join(", ")}` : ""}`,
    condition: ["attribute_exists(pk)", ...isSame].join(" AND "),
    values: { ":now": nowMs, ...valuesOf(":", next), ...valuesOf(":old_", old) },
  };
}

/** Converts an item to a file or an upload. An upload has no object key. */
export function toBlob(item: Item): Blob {
  return {
    id: (item.sk as string).split("#")[1] ?? "",
    ownerId: (item.pk as string).slice("USER#".length),
    namespace: item.namespace as string,
    filename: item.filename as string,
    contentType: item.contentType as string,
    sizeBytes: item.sizeBytes as number,
    visibility: toVisibility(item),
    objectKey: item.objectKey as string,
    createdAtMs: item.createdAtMs as number,
    changedAtMs: item.changedAtMs as number | undefined,
    expiresAtMs: item.expiresAtMs as number | undefined,
  };
}

/** Stores started uploads by owner and id. */
export const uploads = {
  /** Stores the declaration of an upload until it expires. Returns false if the id is taken. @throws ResponseStoredError */
  async insert(upload: Upload, act: Act, kept?: StoredResponse): Promise<boolean> {
    const { ownerId, id, visibility, ...rest } = upload;
    const attributes = { ...rest, ...visibilityAttributes(visibility) };
    const ttl = Math.ceil(uploadExpiresAtMs(upload) / 1000);
    const write = {
      put: { ...keys.upload(ownerId, id), ...attributes, ttl },
      condition: "attribute_not_exists(pk)",
    };
    const subject = { ownerId, blobId: id };
    return (await transactOnce({ write }, { act, subject, kept })).committed;
  },

  /** Finds an upload. Returns undefined if the upload does not exist or has expired. */
  async find(ownerId: string, id: string, nowMs: number): Promise<Upload | undefined> {
    const item = await getItem(keys.upload(ownerId, id));
    const upload = item && toBlob(item);
    return upload && uploadExpiresAtMs(upload) > nowMs ? upload : undefined;
  },
};

/**
 * Refuses a file early if it exceeds the account's quota. The transaction that adds the file makes the final check.
 *
 * @throws ApiError `quota_exceeded`; `unauthorized` if the account is deleted
 */
export async function requireBlobQuota(userId: string, sizeBytes: number): Promise<void> {
  const account = await accounts.find(userId);
  if (account === undefined) throw new ApiError("unauthorized");
  const { blobCount, blobBytes } = account;
  const isFull = blobCount >= limits.blobsPerAccountMax;
  if (isFull || blobBytes + sizeBytes > limits.blobBytesPerAccountMax)
    throw blobQuotaExceeded(blobCount, sizeBytes);
}
