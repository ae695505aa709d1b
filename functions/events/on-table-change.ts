import pLimit from "p-limit";
import { collectFromChanges, type TableListener } from "../background/table-change.ts";
import { shareAcrossJobs } from "../background/worker.ts";
import { keys } from "../table/keys.ts";
import { getItem } from "../table/table.ts";
import type { DropEvent, EventSubject } from "./event.ts";
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
      tellAll(byDrop.map(([slug, ofDrop]) => ({ slug, told: ofDrop.map(({ found }) => found) }))),
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

/** Events of one drop in a batch. */
interface ToldDrop {
  readonly slug: string;
  readonly told: readonly StreamEvent[];
}

/** Maximum number of drops whose events are numbered concurrently. */
const numberedAtOnce = 16;

/**
 * Numbers and sends the events of drops, and returns the outcome of each drop's numbering.
 *
 * @throws Error if a queue does not accept its messages
 */
async function tellAll(drops: readonly ToldDrop[]): Promise<readonly PromiseSettledResult<unknown>[]> {
  const limit = pLimit(numberedAtOnce);
  const numberings = await Promise.allSettled(drops.map((drop) => limit(numberTold, drop)));
  const events = numberings.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
  await sendEvents(events);
  return numberings;
}

async function numberTold({ slug, told }: ToldDrop): Promise<DropEvent[]> {
  const happenings = (await Promise.all(told.map(complete))).filter((one) => one !== undefined);
  return numberEvents(slug, happenings);
}

/**
 * Adds the owner to an event. Returns undefined if the account is gone, if the drop was moved to another account, or if its expiry was
 * already reported.
 */
async function complete(told: StreamEvent): Promise<EventSubject | undefined> {
  const { ownerId = await findOwner(told.slug) } = told;
  if (ownerId === undefined) return undefined;
  if (
    told.kind === "drop.deleted" &&
    ((await isGivenAway(told.slug, ownerId)) || (await isExpiredInTrash(told.slug, ownerId)))
  )
    return undefined;
  return { ...told, ownerId };
}

async function findOwner(slug: string): Promise<string | undefined> {
  return (await getItem(keys.pointer(slug)))?.ownerId as string | undefined;
}

/** Recognizes a drop in the trash whose expiry `drop.expired` has already reported. */
async function isExpiredInTrash(slug: string, ownerId: string): Promise<boolean> {
  return (await getItem(keys.trashedDrop(ownerId, slug)))?.reason === "expired";
}

/** Recognizes a drop that an operator transferred to another account. Its events are reported from the row in the new account. */
async function isGivenAway(slug: string, formerOwnerId: string): Promise<boolean> {
  const ownerId = await findOwner(slug);
  if (ownerId === undefined || ownerId === formerOwnerId) return false;
  return (await getItem(keys.drop(ownerId, slug))) !== undefined;
}
