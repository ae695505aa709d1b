import { expect } from "vitest";
import { setHold } from "../../functions/administration/legal-holds.ts";
import { purgeTrashed, trashExpired } from "../../functions/drops/due-expiry.ts";
import { removeSurplus } from "../../functions/drops/version-removal.ts";
import { serviceAct } from "../../functions/table/audit.ts";
import { keys } from "../../functions/table/keys.ts";
import { getItem } from "../../functions/table/table.ts";
import { deleteItems, updateItem } from "../../functions/table/table-writes.ts";
import { givenAct } from "../support/given-act.ts";
import type { StepBetween } from "./call.ts";

/** Steps that are not calls: time passes for a drop, the service removes versions, an operator sets a hold. */
export const steps: Record<
  Exclude<StepBetween, "confirm-sign-in" | "send-file">,
  (params: StepParams) => Promise<unknown>
> = {
  "pass-time": passTime,
  "keep-versions": async ({ slug, keep }) =>
    (await removeSurplus(slug, keep, serviceAct("retention", Date.now()))).map(({ version }) => version),
  "set-hold": ({ userId, slug, isWanted }) =>
    setHold(slug === "" ? { ownerId: userId } : { ownerId: userId, slug }, isWanted === 1, givenAct()),
};

/** Parameters of a step. */
export interface StepParams {
  readonly userId: string;
  /** The empty string for the whole account. */
  readonly slug: string;
  readonly keep: number;
  readonly isWanted: number;
}

/** Advances one drop to its next change: its expiry, its move to the trash, or its purge. Other drops are unaffected. */
async function passTime({ userId: ownerId, slug }: StepParams): Promise<string> {
  const atMs = Date.now() - 1;
  const row = await getItem(keys.drop(ownerId, slug));
  if (row === undefined) {
    await setTime(keys.trashedDrop(ownerId, slug), "purgeAtMs", atMs);
    return (await purgeTrashed({ kind: "purge", atMs, slug, ownerId })) ?? "purged";
  }
  const expiresAtMs = Number(row.expiresAtMs);
  if (expiresAtMs <= atMs) {
    await trashExpired({ kind: "expired", atMs: expiresAtMs, slug, ownerId });
    return "trashed";
  }
  await setTime(keys.drop(ownerId, slug), "expiresAtMs", atMs);
  // The stream plans this work. It is deleted here, so that the drop stays expired until the next step.
  const due = keys.dueWork({ kind: "expired", atMs, slug, ownerId });
  await expect.poll(() => getItem(due)).toBeDefined();
  await deleteItems([due]);
  return "expired";
}

async function setTime(key: { pk: string; sk: string }, name: string, atMs: number): Promise<void> {
  const condition = `attribute_exists(${name})`;
  await updateItem({ key, update: `SET ${name} = :at`, condition, values: { ":at": atMs } });
}
