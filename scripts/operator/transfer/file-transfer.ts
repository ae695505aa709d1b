import { changeableFileAttributes } from "../../../functions/blobs/store.ts";
import {
  commitTransfer,
  type Transfer,
  type TransferOutcome,
} from "../../../functions/drops/drop-transfer.ts";
import { keys } from "../../../functions/table/keys.ts";
import { getItem, type Item, retryConflicts } from "../../../functions/table/table.ts";

/** Gives a file to another account, in one transaction. Its object and its address stay where they are. */
export async function transferFile(id: string, transfer: Transfer): Promise<TransferOutcome> {
  const { from, to } = transfer;
  return retryConflicts(async () => {
    const row = await getItem(keys.blob(from.userId, id));
    if (row === undefined) return { kind: "gone" };
    const things = {
      before: { remove: keys.blob(from.userId, id), ...unchanged(row) },
      after: { put: { ...row, ...keys.blob(to.userId, id) }, condition: "attribute_not_exists(pk)" },
      pointer: {
        key: keys.filePointer(row.namespace as string, id),
        update: "SET ownerId = :to ADD transferCount :one",
        condition: "attribute_not_exists(pk) OR ownerId = :from",
        values: { ":to": to.userId, ":from": from.userId, ":one": 1 },
      },
    };
    const counts = { drops: 0, pageBytes: 0, files: 1, fileBytes: row.sizeBytes as number };
    return commitTransfer(transfer, things, counts, { blobId: id });
  });
}

/** Condition that a file's row is unchanged. It has no revision, so all attributes that can change are compared. */
function unchanged(row: Item) {
  const conditions = changeableFileAttributes.map((name) =>
    row[name] === undefined ? `attribute_not_exists(${name})` : `${name} = :${name}`,
  );
  const seen = changeableFileAttributes.filter((name) => row[name] !== undefined);
  return {
    condition: ["attribute_exists(pk)", ...conditions].join(" AND "),
    ...(seen.length === 0 ? {} : { values: Object.fromEntries(seen.map((name) => [`:${name}`, row[name]])) }),
  };
}
