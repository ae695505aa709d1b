import { type DueTask, dueWorkListener } from "../background/due-work.ts";
import type { TableChange, TableListener } from "../background/table-change.ts";
import { serviceAct } from "../table/audit.ts";
import { type DueWork, keys } from "../table/keys.ts";
import { isHeld } from "../table/legal-hold.ts";
import { getItem } from "../table/table.ts";
import { blobs, toBlob } from "./store.ts";

/** Plans the removal of files that expire. */
export const fileExpiryListener: TableListener = dueWorkListener("file-expiry", readFileExpiry);

/** Plans the removal of a file whose expiry was set. The removal at its old expiry stays planned, and does nothing. */
function readFileExpiry({ subject, before, after }: TableChange): readonly DueWork[] {
  if (subject?.kind !== "blob" || typeof after?.expiresAtMs !== "number") return [];
  if (after.expiresAtMs === before?.expiresAtMs) return [];
  const { id, ownerId } = toBlob(after);
  return [{ kind: "expired-file", atMs: after.expiresAtMs, slug: id, ownerId }];
}

/** Deletes an expired file, which is already unreadable but still counts to its account's bytes. A file of an account on hold stays due. */
export const removeExpiredFile: DueTask = async ({ ownerId, slug: id, atMs }) => {
  if (isHeld(await getItem(keys.account(ownerId)))) return "postponed";
  await blobs.remove(ownerId, id, serviceAct("expire-file", Date.now()), { expiresAtMs: atMs });
  return undefined;
};
