import { EventBridgeClient, PutEventsCommand } from "@aws-sdk/client-eventbridge";
import type { SQSRecord } from "aws-lambda";
import { postponedWork } from "../background/postponed-work.ts";
import type { Job } from "../background/worker.ts";
import { environmentNames, readEnvironment } from "../core/environment.ts";
import { writeFault } from "../core/log.ts";
import { timeouts, withoutUnusedMiddleware } from "../table/aws-client.ts";
import { auditEventKind, type BusEvent, eventKinds, eventSource, presentBusEvent } from "./event.ts";

/** Client with short timeouts. Events that the bus does not accept quickly are postponed, so that they do not delay other work. */
const eventBridge = withoutUnusedMiddleware(
  new EventBridgeClient({ maxAttempts: 2, requestHandler: timeouts(1_500) }),
);

/** Maximum number of entries in one PutEvents; see Amazon EventBridge API reference. */
const entriesMax = 10;

/** Events that the bus refused, and the first error. */
interface BusOutcome {
  readonly left: readonly BusEvent[];
  /** @default - all events were accepted */
  readonly error?: unknown;
}

/** Maximum number of events in a queue message. A message has at most 1 MiB, and an event has a few hundred bytes. */
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

/** Sends events to the bus. Refused events are sent later. @throws Error if the queue does not accept its messages */
export async function sendToBus(events: readonly BusEvent[]): Promise<void> {
  const { left, error } = await putOnBus(events);
  if (left.length === 0) return;
  writeFault({ level: "warn", event: "events-postponed", count: left.length }, error);
  for (let start = 0; start < left.length; start += eventsPerMessageMax)
    await eventWork.postpone({ events: left.slice(start, start + eventsPerMessageMax) });
}

/** Creates one job per message, which sends the message's events to the bus again. */
export function postponedEvents(messages: readonly SQSRecord[]): Job<SQSRecord>[] {
  return eventWork.jobs(messages, async ({ events }) => {
    const { left, error } = await putOnBus(events);
    if (left.length === 0) return undefined;
    const givenUp = `The event bus has not accepted ${left.length} events for a day.`;
    return { left: { events: left }, error, log: { event: "events-postponed", count: left.length }, givenUp };
  });
}

/** Sends events to the account's default event bus. Events whose delivery is uncertain are sent again. */
async function putOnBus(events: readonly BusEvent[]): Promise<BusOutcome> {
  const left: BusEvent[] = [];
  let firstError: unknown;
  for (let start = 0; start < events.length; start += entriesMax) {
    const outcome = await putBatch(events.slice(start, start + entriesMax));
    left.push(...outcome.left);
    firstError ??= outcome.error;
  }
  return { left, error: firstError };
}

async function putBatch(batch: readonly BusEvent[]): Promise<BusOutcome> {
  const stack = readEnvironment(environmentNames.stackName);
  try {
    const { FailedEntryCount = 0, Entries = [] } = await eventBridge.send(
      new PutEventsCommand({
        Entries: batch.map((event) => ({
          Source: eventSource,
          DetailType: event.kind,
          Time: new Date(event.atMs),
          Detail: JSON.stringify(presentBusEvent(event, stack)),
        })),
      }),
    );
    if (FailedEntryCount === 0) return { left: [] };
    // Results are in the order of the entries. An entry with an event id was accepted.
    const left = batch.filter((_, index) => Entries[index]?.EventId === undefined);
    const code = Entries.find(({ ErrorCode }) => ErrorCode !== undefined)?.ErrorCode;
    return {
      left,
      error: new Error(
        `Amazon EventBridge did not accept ${left.length} of ${batch.length} events: ${code}.`,
      ),
    };
  } catch (error) {
    return { left: batch, error };
  }
}
