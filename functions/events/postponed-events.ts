import type { SQSRecord } from "aws-lambda";
import { postponedWork } from "../background/postponed-work.ts";
import type { Job } from "../background/worker.ts";
import { auditEventKind, type BusEvent, eventKinds } from "./event.ts";
import { putOnBus } from "./event-bus.ts";

/** The number of events in a message: a message has 1 MiB at most, and an event some hundred bytes. */
const eventsPerMessageMax = 100;

/** Events that the account's bus has not accepted. */
export const eventWork = postponedWork<{ readonly events: readonly BusEvent[] }>("events", ({ events }) =>
  Array.isArray(events) && events.every(isEvent) ? { events } : undefined,
);

function isEvent(one: BusEvent): boolean {
  return one?.kind === auditEventKind
    ? typeof one.line?.id === "string"
    : eventKinds.includes(one?.kind) && Number.isSafeInteger(one.number);
}

/** Puts events that the account's bus has not accepted into the follow-up queue. */
export async function postponeBusEvents(events: readonly BusEvent[]): Promise<void> {
  for (let start = 0; start < events.length; start += eventsPerMessageMax)
    await eventWork.postpone({ events: events.slice(start, start + eventsPerMessageMax) });
}

/** Sends events to the bus again, one message at a time. */
export function postponedEvents(messages: readonly SQSRecord[]): Job<SQSRecord>[] {
  return eventWork.jobs(messages, async ({ events }) => {
    const { left, error } = await putOnBus(events);
    if (left.length === 0) return undefined;
    const givenUp = `The event bus has not taken ${left.length} events in a day.`;
    return { left: { events: left }, error, log: { event: "events-postponed", count: left.length }, givenUp };
  });
}
