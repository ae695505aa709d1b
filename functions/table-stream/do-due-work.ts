import { runDueWork } from "../background/due-work.ts";
import { invokedWorker } from "../background/worker.ts";
import { removeExpiredFile } from "../blobs/due-expiry.ts";
import { purgeTrashed, trashExpired } from "../drops/due-trash.ts";
import { tellExpiry } from "../events/expiry-events.ts";

/** The part of the function's time in which a batch that has begun ends. */
const reserveMs = 20_000;

/** Does what is due. EventBridge Scheduler invokes it at the rate of `dueWorkMinutes`; what is left is done at the next one. */
export const doDueWork = invokedWorker("do-due-work", async (_event, context) => {
  const nowMs = Date.now();
  const stopAtMs = nowMs + context.getRemainingTimeInMillis() - reserveMs;
  const { done, errors } = await runDueWork(
    {
      expiring: tellExpiry,
      // The event first: it is about a drop that is there.
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
