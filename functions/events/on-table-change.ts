import pLimit from "p-limit";
import { collectFromChanges, type TableListener } from "../background/table-change.ts";
import { shareAcrossJobs } from "../background/worker.ts";
import { writeFault } from "../http/log.ts";
import { keys } from "../table/keys.ts";
import { getItem } from "../table/table.ts";
import type { DropEvent, EventSubject } from "./event.ts";
import { putOnBus } from "./event-bus.ts";
import { numberEvents } from "./event-numbers.ts";
import { postponeBusEvents } from "./postponed-events.ts";
import { readStreamEvents, type StreamEvent } from "./stream-events.ts";
import { endpointIdOf, endpointsFor } from "./webhook.ts";
import { queueDeliveries } from "./webhook-queue.ts";

/**
 * Events' part of the table's stream: numbers each drop's events in the order of its changes and sends a batch together. If the
 * event bus does not respond, the events are sent later, without delaying the stream.
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

/** Drops whose events are numbered at the same time. */
const numberedAtOnce = 16;

/**
 * Tells the events of all drops that have their numbers, and gives the outcome of each drop's numbering.
 *
 * @throws Error where a queue does not take what it is to take
 */
async function tellAll(drops: readonly ToldDrop[]): Promise<readonly PromiseSettledResult<unknown>[]> {
  const limit = pLimit(numberedAtOnce);
  const numberings = await Promise.allSettled(drops.map((drop) => limit(numberTold, drop)));
  const events = numberings.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
  // Neither waits for the other, nor keeps it from being done.
  const settled = await Promise.allSettled([tellBus(events), tellWebhooks(events, Date.now())]);
  const failed = settled.find((one) => one.status === "rejected");
  if (failed) throw failed.reason;
  return numberings;
}

async function numberTold({ slug, told }: ToldDrop): Promise<DropEvent[]> {
  const happenings = (await Promise.all(told.map(complete))).filter((one) => one !== undefined);
  return numberEvents(slug, happenings);
}

/** Skips an address that was removed from the settings. */
async function tellWebhooks(events: readonly DropEvent[], nowMs: number): Promise<void> {
  const deliveries = events.flatMap((event) =>
    endpointsFor(event).map((endpoint) => ({
      endpointId: endpointIdOf(endpoint),
      event,
      tries: 0,
      sinceMs: nowMs,
      dueAtMs: nowMs,
    })),
  );
  await queueDeliveries(deliveries, nowMs);
}

async function tellBus(events: readonly DropEvent[]): Promise<void> {
  const { left, error } = await putOnBus(events);
  if (left.length === 0) return;
  writeFault(
    { level: "warn", operation: "track-drops", event: "events-postponed", count: left.length },
    error,
  );
  await postponeBusEvents(left, Date.now());
}

/** Adds the owner; undefined if the account is gone, or if the drop was moved to another account. */
async function complete(told: StreamEvent): Promise<EventSubject | undefined> {
  const { ownerId = await findOwner(told.slug) } = told;
  if (ownerId === undefined) return undefined;
  if (told.kind === "drop.deleted" && (await isGivenAway(told.slug, ownerId))) return undefined;
  return { ...told, ownerId };
}

async function findOwner(slug: string): Promise<string | undefined> {
  return (await getItem(keys.pointer(slug)))?.ownerId as string | undefined;
}

/** An operator gave it to another account, whose row of it tells of that. */
async function isGivenAway(slug: string, formerOwnerId: string): Promise<boolean> {
  const ownerId = await findOwner(slug);
  if (ownerId === undefined || ownerId === formerOwnerId) return false;
  return (await getItem(keys.drop(ownerId, slug))) !== undefined;
}
