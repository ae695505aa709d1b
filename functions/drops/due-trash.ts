import type { DueTask } from "../background/due-work.ts";
import { serviceAct } from "../table/audit.ts";
import { keys } from "../table/keys.ts";
import { isHeld } from "../table/legal-hold.ts";
import { getItem } from "../table/table.ts";
import { findExpiring } from "./due-expiry.ts";
import { trashDays } from "./items.ts";
import { trash } from "./trash-store.ts";

/** Moves a drop that has expired to the trash. If the service has no trash, the drop is not moved. */
export const trashExpired: DueTask = async (work) => {
  const row = trashDays() === 0 ? undefined : await findExpiring(work);
  if (row === undefined) return;
  const { ownerId, slug } = work;
  const seenRevision = row.revision as number;
  const outcome = await trash.put(ownerId, slug, serviceAct("expire-drop", Date.now()), {
    reason: "expired",
    seenRevision,
  });
  if (outcome === "raced") throw new Error("The drop was changed in the meantime.");
};

/** Purges a drop whose time in the trash has ended. A drop on legal hold stays due, and is deleted after the hold. */
export const purgeTrashed: DueTask = async ({ ownerId, slug, atMs }) => {
  const found = await trash.find(ownerId, slug);
  // The drop was restored, or was restored and deleted again later.
  if (found?.purgeAtMs !== atMs) return undefined;
  if (isHeld(await getItem(keys.account(ownerId)), slug)) return "postponed";
  await trash.purge(ownerId, slug, serviceAct("purge-drop", Date.now()), atMs);
  return undefined;
};
