import pLimit from "p-limit";
import { collectFromChanges, type TableListener } from "../background/table-change.ts";
import { shareAcrossJobs } from "../background/worker.ts";
import { keys } from "../table/keys.ts";
import { getItem } from "../table/table.ts";
import type { EventSubject } from "./event.ts";
import { numberEvents } from "./event-numbers.ts";
import { sendEvents } from "./send-events.ts";
import { readStreamEvents, type StreamEvent } from "./stream-events.ts";

/**
 * Listener that numbers each drop's events in the order of its changes, and sends the events of a batch together. If the event bus does not
 * respond, the events are sent later, without delaying the stream.
 */
export const eventsListener: TableListener = {
  feature: "events",
  onTableChange(changes) {
    const byDrop = [
      ...Map.groupBy(collectFromChanges("events", changes, readStreamEvents), ({ found }) => found.slug),
    ];
    const numberings = shareAcrossJobs(() =>
      sendAll(byDrop.map(([slug, ofDrop]) => ({ slug, events: ofDrop.map(({ found }) => found) }))),
    );
    return byDrop.map(([, ofDrop], index) => ({
      sources: [...new Set(ofDrop.map(({ change }) => change))],
      run: async () => {
        const numbering = (await numberings())[index];
        if (numbering?.status === "rejected") throw numbering.reason;
      },
    }));
  },
};

/** Maximum number of drops whose events are numbered concurrently. */
const numberedAtOnce = 16;

/**
 * Numbers and sends the events of drops, and returns the outcome of each drop's numbering.
 *
 * @throws Error if a queue does not accept its messages
 */
async function sendAll(drops: readonly { readonly slug: string; readonly events: readonly StreamEvent[] }[]) {
  const limit = pLimit(numberedAtOnce);
  const numberDrop = async ({ slug, events }: (typeof drops)[number]) => {
    const complete = await Promise.all(events.map(addOwner));
    return numberEvents(
      slug,
      complete.filter((one) => one !== undefined),
    );
  };
  const numberings = await Promise.allSettled(drops.map((drop) => limit(numberDrop, drop)));
  await sendEvents(numberings.flatMap((one) => (one.status === "fulfilled" ? one.value : [])));
  return numberings;
}

/**
 * Adds the owner to an event. Returns undefined if the account is gone, if the drop was moved to another account, or if its expiry was
 * already reported.
 */
async function addOwner(event: StreamEvent): Promise<EventSubject | undefined> {
  const { kind, slug, ownerId = await findOwner(slug) } = event;
  if (ownerId === undefined) return undefined;
  const isSkipped =
    kind === "drop.deleted" && ((await isMoved(slug, ownerId)) || (await isExpiredInTrash(slug, ownerId)));
  return isSkipped ? undefined : { ...event, ownerId };
}

async function findOwner(slug: string): Promise<string | undefined> {
  return (await getItem(keys.pointer(slug)))?.ownerId as string | undefined;
}

/** Recognizes a drop in the trash whose expiry `drop.expired` has already reported. */
async function isExpiredInTrash(slug: string, ownerId: string): Promise<boolean> {
  return (await getItem(keys.trashedDrop(ownerId, slug)))?.reason === "expired";
}

/** Recognizes a drop that an operator transferred to another account. Its events are reported from the row in the new account. */
async function isMoved(slug: string, formerOwnerId: string): Promise<boolean> {
  const ownerId = await findOwner(slug);
  if (ownerId === undefined || ownerId === formerOwnerId) return false;
  return (await getItem(keys.drop(ownerId, slug))) !== undefined;
}
