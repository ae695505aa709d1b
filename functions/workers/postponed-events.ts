import type { SQSRecord } from "aws-lambda";
import { type DropEvent, eventKinds } from "../events/event.ts";
import { putOnBus } from "../events/event-bus.ts";
import { delaySeconds, isWorthAnother, pauseSeconds } from "../events/patience.ts";
import { writeFault } from "../platform/log.ts";
import { sendLater } from "./follow-up-queue.ts";
import type { Job } from "./worker.ts";

/** The first pause; docs/adr/0072-events.md. */
const firstPauseSeconds = 5;

/** A message is 1 MiB at most, and an event some hundred bytes. */
const eventsPerMessageMax = 100;

/** Events that the account's bus has not taken, as the queue carries them. */
interface PostponedEvents {
  readonly events: readonly DropEvent[];
  /** How often they were tried. */
  readonly tries: number;
  /** When that was first. */
  readonly sinceMs: number;
  readonly dueAtMs: number;
}

/** Puts events that the bus has not taken into the queue of what is done later. */
export async function tellLater(events: readonly DropEvent[], nowMs: number): Promise<void> {
  for (let start = 0; start < events.length; start += eventsPerMessageMax) {
    const some = events.slice(start, start + eventsPerMessageMax);
    await postpone(
      { events: some, tries: 1, sinceMs: nowMs, dueAtMs: nowMs + firstPauseSeconds * 1000 },
      nowMs,
    );
  }
}

/** Whether a message of the queue is one of these. */
export function isOfEvents(message: object): boolean {
  return "kind" in message && message.kind === "events";
}

/** Tells of what the bus did not take before, each message by itself. */
export function postponedEvents(messages: readonly SQSRecord[]): Job<SQSRecord>[] {
  return messages.map((message) => ({
    sources: [message],
    run: () => tellAgain(parseMessage(message.body), Date.now()),
  }));
}

async function tellAgain(postponed: PostponedEvents, nowMs: number): Promise<void> {
  if (postponed.dueAtMs > nowMs) return postpone(postponed, nowMs);
  const { left, error } = await putOnBus(postponed.events);
  if (left.length === 0) return;
  const { sinceMs, tries } = postponed;
  const dueAtMs = nowMs + pauseSeconds(tries + 1, firstPauseSeconds) * 1000;
  if (!isWorthAnother(sinceMs, dueAtMs)) {
    throw new Error(`The event bus has not taken ${left.length} events in a day.`, { cause: error });
  }
  writeFault({ level: "warn", operation: "follow-up", event: "events-postponed", count: left.length }, error);
  await postpone({ events: left, tries: tries + 1, sinceMs, dueAtMs }, nowMs);
}

async function postpone(postponed: PostponedEvents, nowMs: number): Promise<void> {
  await sendLater(JSON.stringify({ kind: "events", ...postponed }), delaySeconds(postponed.dueAtMs, nowMs));
}

/** @throws Error when the message is none of these */
function parseMessage(text: string): PostponedEvents {
  const { events, tries, sinceMs, dueAtMs } = Object(JSON.parse(text));
  const areNumbers = [tries, sinceMs, dueAtMs].every(Number.isSafeInteger);
  const isEvent = (one: DropEvent) => eventKinds.includes(one?.kind) && Number.isSafeInteger(one.number);
  if (areNumbers && Array.isArray(events) && events.every(isEvent))
    return { events, tries, sinceMs, dueAtMs };
  throw new Error("The message tells of no events.");
}
