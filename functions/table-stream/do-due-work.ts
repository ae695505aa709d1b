import { type DueTask, runDueWork } from "../background/due-work.ts";
import { invokedWorker } from "../background/worker.ts";
import { removeExpiredFile } from "../blobs/due-expiry.ts";
import { findExpiring, purgeTrashed, trashExpired } from "../drops/due-expiry.ts";
import { eventIdOf } from "../events/event.ts";
import { numberEvents } from "../events/event-numbers.ts";
import { sendEvents } from "../events/send-events.ts";
import { isExpired } from "../policies/access.ts";

/** Time reserved to finish a batch, in milliseconds. No batch begins when less time is left. */
const reserveMs = 20_000;

/** Runs due work. EventBridge Scheduler invokes this function every `dueWorkMinutes`, and the next execution continues unfinished work. */
export const doDueWork = invokedWorker("do-due-work", async (_event, context) => {
  const nowMs = Date.now();
  const stopAtMs = nowMs + context.getRemainingTimeInMillis() - reserveMs;
  const { done, errors } = await runDueWork(
    {
      expiring: sendExpiryEvent,
      // The event is sent before the drop is removed.
      expired: async (work) => {
        await sendExpiryEvent(work);
        await trashExpired(work);
      },
      "expired-file": removeExpiredFile,
      purge: purgeTrashed,
    },
    { nowMs, stopAtMs },
  );
  if (errors.length === 0) return;
  throw new Error(`${errors.length} of ${done + errors.length} due tasks failed.`, { cause: errors[0] });
});

/** Sends the event of a drop that expires soon or has expired. An event that is sent again has the same id and number. */
const sendExpiryEvent: DueTask = async (work) => {
  const row = await findExpiring(work);
  if (row === undefined) return;
  const { slug, ownerId, atMs } = work;
  const expiresAtMs = Number(row.expiresAtMs);
  // Skips a notice that is days late, because it could arrive after the event of the expiry itself.
  if (work.kind === "expiring" && isExpired({ expiresAtMs }, Date.now())) return;
  const kind = work.kind === "expiring" ? "drop.expiring" : "drop.expired";
  const id = eventIdOf(`${slug} ${ownerId} ${expiresAtMs}`, kind);
  await sendEvents(await numberEvents(slug, [{ id, kind, slug, ownerId, atMs, expiresAtMs }]));
};
