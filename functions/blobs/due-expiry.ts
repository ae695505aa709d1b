import { type DueTask, dueWorkListener } from "../background/due-work.ts";
import type { TableChange, TableListener } from "../background/table-change.ts";
import { serviceAct } from "../table/audit.ts";
import { type DueWork, keys } from "../table/keys.ts";
import { isHeld } from "../table/legal-hold.ts";
import { getItem } from "../table/table.ts";
import { blobs, toBlob } from "./store.ts";

/** Listener that schedules the removal of files that expire. */
export const fileExpiryListener: TableListener = dueWorkListener("file-expiry", readFileExpiry);

/** Reads the removal to schedule from a change that set a file's expiry. A removal scheduled for the previous expiry will do nothing. */
function readFileExpiry({ subject, before, after }: TableChange): readonly DueWork[] {
  if (subject?.kind !== "blob" || typeof after?.expiresAtMs !== "number") return [];
  if (after.expiresAtMs === before?.expiresAtMs) return [];
  const { id, ownerId } = toBlob(after);
  return [{ kind: "expired-file", atMs: after.expiresAtMs, slug: id, ownerId }];
}

/** Deletes an expired file. Until then, the file is unreadable but counts towards the quota. On legal hold, the removal is postponed. */
export const removeExpiredFile: DueTask = async ({ ownerId, slug: id, atMs }) => {
  if (isHeld(await getItem(keys.account(ownerId)))) return "postponed";
  await blobs.remove(ownerId, id, serviceAct("expire-file", Date.now()), { expiresAtMs: atMs });
  return undefined;
};
