import { concurrentExecutionsDefault, environmentNames, findEnvironment } from "../core/environment.ts";
import { writeFault } from "../core/log.ts";
import { keys } from "./keys.ts";
import { getItem, type Item, RetryableError, retryConflicts } from "./table.ts";
import { isUnchanged, updateItem } from "./table-writes.ts";

/** A long poll that waits for comments or answers until `untilMs`. */
interface Wait {
  readonly id: string;
  readonly ownerId: string;
  readonly untilMs: number;
}

/** Time after the end of a long poll until its slot becomes free, even if the function was terminated. */
const graceMs = 5_000;
const keptSeconds = 3_600;

/** Maximum number of concurrent long polls. All long polls update one table item, so more would cause too many write conflicts. */
const slotsMax = 50;

/**
 * Returns the maximum number of concurrent long polls: for all accounts, a tenth of the AWS account's limit on concurrent functions; for
 * one account, two thirds of that number; see docs/adr/0070-feedback.md.
 */
function slots(): { readonly ofAll: number; readonly ofAccount: number } {
  const limit = Number(findEnvironment(environmentNames.concurrentExecutions) ?? concurrentExecutionsDefault);
  const ofAll = Math.min(slotsMax, Math.max(1, Math.floor(limit / 10)));
  return { ofAll, ofAccount: Math.ceil((ofAll * 2) / 3) };
}

/** Slots for concurrent long polls. */
export const longPollSlots = {
  /**
   * Reserves a slot for a long poll, and returns a function that releases the slot. Returns undefined if no slot is free or the write
   * fails. The call must then respond immediately.
   */
  async begin({ id, ownerId, untilMs }: Wait, nowMs: number): Promise<(() => Promise<void>) | undefined> {
    const wait = { id, ownerId, untilMs: untilMs + graceMs };
    const isTaken = await change(
      (others) => (hasPlace(others, ownerId) ? [...others, wait] : undefined),
      nowMs,
    );
    if (!isTaken) return undefined;
    return async () => {
      await change((all) => all.filter((one) => one.id !== id), nowMs);
    };
  },
};

function hasPlace(others: readonly Wait[], ownerId: string): boolean {
  const own = others.filter((one) => one.ownerId === ownerId);
  const { ofAll, ofAccount } = slots();
  return others.length < ofAll && own.length < ofAccount;
}

/** Replaces the stored list of long polls with the result of `next`. Returns false if `next` returns undefined or the write fails. */
async function change(
  next: (waiting: readonly Wait[]) => readonly Wait[] | undefined,
  nowMs: number,
): Promise<boolean> {
  try {
    return await retryConflicts(async () => {
      const item = await getItem(keys.feedbackWaits());
      const waiting = next(toWaits(item).filter(({ untilMs }) => untilMs > nowMs));
      if (waiting === undefined) return false;
      const seen = item?.revision as number | undefined;
      const { updated } = await updateItem({
        key: keys.feedbackWaits(),
        update: "SET waiting = :waiting, revision = :next, #ttl = :ttl",
        condition: isUnchanged("revision", seen),
        names: { "#ttl": "ttl" },
        values: {
          ":waiting": waiting,
          ":next": (seen ?? 0) + 1,
          ":ttl": Math.ceil(nowMs / 1000) + keptSeconds,
          ...(seen === undefined ? {} : { ":seen": seen }),
        },
      });
      if (!updated) throw new RetryableError();
      return true;
    });
  } catch (error) {
    writeFault({ level: "warn", operation: "list-feedback", event: "wait-not-counted" }, error);
    return false;
  }
}

function toWaits(item: Item | undefined): readonly Wait[] {
  return (item?.waiting ?? []) as Wait[];
}
