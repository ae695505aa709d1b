import type { SQSRecord } from "aws-lambda";
import { firstRetry, nextRetry, postpone, type Retry, toRetry } from "../background/postponed-work.ts";
import type { Job } from "../background/worker.ts";
import { writeFault } from "../core/log.ts";
import { auditEventKind, type BusEvent, eventKinds } from "./event.ts";
import { putOnBus } from "./event-bus.ts";

/** The kind of these messages in the follow-up queue. */
export const postponedEventsKind = "events";

/** The number of events in a message: a message has 1 MiB at most, and an event some hundred bytes. */
const eventsPerMessageMax = 100;

/** Puts events that the account's bus has not accepted into the follow-up queue. */
export async function postponeBusEvents(events: readonly BusEvent[], nowMs: number): Promise<void> {
  for (let start = 0; start < events.length; start += eventsPerMessageMax) {
    await postponeEvents(events.slice(start, start + eventsPerMessageMax), firstRetry(nowMs), nowMs);
  }
}

/** Sends events to the bus again, one message at a time. */
export function postponedEvents(messages: readonly SQSRecord[]): Job<SQSRecord>[] {
  return messages.map((message) => ({
    sources: [message],
    run: () => tellAgain(parseMessage(message.body), Date.now()),
  }));
}

interface PostponedEvents {
  readonly events: readonly BusEvent[];
  readonly retry: Retry;
}

async function tellAgain({ events, retry }: PostponedEvents, nowMs: number): Promise<void> {
  if (retry.dueAtMs > nowMs) return postponeEvents(events, retry, nowMs);
  const { left, error } = await putOnBus(events);
  if (left.length === 0) return;
  const next = nextRetry(retry, nowMs);
  if (next === undefined) {
    throw new Error(`The event bus has not taken ${left.length} events in a day.`, { cause: error });
  }
  writeFault({ level: "warn", operation: "follow-up", event: "events-postponed", count: left.length }, error);
  await postponeEvents(left, next, nowMs);
}

function postponeEvents(events: readonly BusEvent[], retry: Retry, nowMs: number): Promise<void> {
  return postpone(postponedEventsKind, { events }, retry, nowMs);
}

/**
 * @throws Error if the message has no events
 */
function parseMessage(text: string): PostponedEvents {
  const { events, ...rest } = Object(JSON.parse(text));
  const retry = toRetry(rest);
  const isEvent = (one: BusEvent) =>
    one?.kind === auditEventKind
      ? typeof one.line?.id === "string"
      : eventKinds.includes(one?.kind) && Number.isSafeInteger(one.number);
  if (retry !== undefined && Array.isArray(events) && events.every(isEvent)) return { events, retry };
  throw new Error("The message has no events.");
}
