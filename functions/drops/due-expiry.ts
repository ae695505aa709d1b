import { type DueTask, dueWorkListener } from "../background/due-work.ts";
import type { TableChange, TableListener } from "../background/table-change.ts";
import { serviceAct } from "../table/audit.ts";
import { type DueWork, isDropSubject, keys } from "../table/keys.ts";
import { isHeld } from "../table/legal-hold.ts";
import { getItem, type Item } from "../table/table.ts";
import { trashDays } from "./items.ts";
import { trash } from "./trash-store.ts";

const noticeMs = 3 * 86_400_000;

/** Schedules the expiry of drops, and the purge of drops in the trash. */
export const expiryListener: TableListener = dueWorkListener("expiry", readExpiryWork);

/** Schedules the expiry or purge of a drop. An expiry in less than three days gets no notice, because the owner has just set it. */
export function readExpiryWork({ subject, before, after }: TableChange): readonly DueWork[] {
  if (!isDropSubject(subject) || after === undefined) return [];
  const drop = { slug: subject.slug, ownerId: subject.userId };
  if (subject.kind === "trashed-drop")
    return before === undefined ? [{ kind: "purge", atMs: Number(after.purgeAtMs), ...drop }] : [];
  const { expiresAtMs, updatedAtMs } = after;
  if (typeof expiresAtMs !== "number" || expiresAtMs === before?.expiresAtMs) return [];
  const noticeAtMs = expiresAtMs - noticeMs;
  return [
    ...(noticeAtMs > Number(updatedAtMs) ? [{ kind: "expiring", atMs: noticeAtMs, ...drop } as const] : []),
    { kind: "expired", atMs: expiresAtMs, ...drop },
  ];
}

/** Reads the row of a drop whose expiry notice or expiry is due. Returns undefined if the drop was deleted or its expiry changed. */
export async function findExpiring({ kind, atMs, ownerId, slug }: DueWork): Promise<Item | undefined> {
  const row = await getItem(keys.drop(ownerId, slug));
  const expiresAtMs = kind === "expiring" ? atMs + noticeMs : atMs;
  return row?.expiresAtMs === expiresAtMs ? row : undefined;
}

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
