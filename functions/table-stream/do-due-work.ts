import { runDueWork } from "../background/due-work.ts";
import { invokedWorker } from "../background/worker.ts";
import { removeExpiredFile } from "../blobs/due-expiry.ts";
import { purgeTrashed, trashExpired } from "../drops/due-trash.ts";
import { tellExpiry } from "../events/expiry-events.ts";

/** Time reserved to finish a batch, in milliseconds. No batch begins when less time is left. */
const reserveMs = 20_000;

/** Runs due work. EventBridge Scheduler invokes this function every `dueWorkMinutes`, and the next execution continues unfinished work. */
export const doDueWork = invokedWorker("do-due-work", async (_event, context) => {
  const nowMs = Date.now();
  const stopAtMs = nowMs + context.getRemainingTimeInMillis() - reserveMs;
  const { done, errors } = await runDueWork(
    {
      expiring: tellExpiry,
      // The event is sent before the drop is removed.
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
  throw new Error(`${errors.length} of ${done + errors.length} due tasks failed.`, {
    cause: errors[0],
  });
});
