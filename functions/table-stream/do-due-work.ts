import { runDueWork } from "../background/due-work.ts";
import { invokedWorker } from "../background/worker.ts";
import { removeExpiredFile } from "../blobs/due-expiry.ts";
import { purgeTrashed, trashExpired } from "../drops/due-trash.ts";
import { tellExpiry } from "../events/expiry-events.ts";

/** Time reserved for a batch that has begun. */
const reserveMs = 20_000;

/** Runs due work every `dueWorkMinutes`, invoked by EventBridge Scheduler. Each run leaves unfinished work to the next. */
export const doDueWork = invokedWorker("do-due-work", async (_event, context) => {
  const nowMs = Date.now();
  const stopAtMs = nowMs + context.getRemainingTimeInMillis() - reserveMs;
  const { done, errors } = await runDueWork(
    {
      expiring: tellExpiry,
      // The event is sent first, while its drop still exists.
      expired: async (work) => {
        await tellExpiry(work);
        await trashExpired(work);
      },
      "expired-file": removeExpiredFile,
      purge: purgeTrashed,
    },
    { nowMs, stopAtMs },
  );
  if (errors.length === 0) return;
  throw new Error(`${errors.length} of ${done + errors.length} pieces of due work failed.`, {
    cause: errors[0],
  });
});
