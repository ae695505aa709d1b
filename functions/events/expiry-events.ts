import type { DueTask } from "../background/due-work.ts";
import { findExpiring } from "../drops/due-expiry.ts";
import { isExpired } from "../policies/access.ts";
import { eventIdOf } from "./event.ts";
import { numberEvents } from "./event-numbers.ts";
import { sendEvents } from "./send-events.ts";

/** Sends the event of a drop that expires soon or has expired. An event that is sent again has the same id and number. */
export const tellExpiry: DueTask = async (work) => {
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
