import { EventBridgeClient, PutEventsCommand } from "@aws-sdk/client-eventbridge";
import { environmentNames, readEnvironment } from "../core/environment.ts";
import { timeouts, withoutUnusedMiddleware } from "../table/aws-client.ts";
import { type BusEvent, eventSource, presentBusEvent } from "./event.ts";

/** Client with short timeouts. Events that the bus does not accept quickly are postponed, so that they delay nothing. */
const eventBridge = withoutUnusedMiddleware(
  new EventBridgeClient({ maxAttempts: 2, requestHandler: timeouts(1_500) }),
);

/** Limit of entries in one PutEvents; Amazon EventBridge API reference. */
const entriesMax = 10;

/** Events that the bus refused, with its reasons. */
export interface BusOutcome {
  readonly left: readonly BusEvent[];
  /**
   * @default - all were accepted
   */
  readonly error?: unknown;
}

/** Sends events to the account's default event bus. Events whose delivery is uncertain are sent again. */
export async function putOnBus(events: readonly BusEvent[]): Promise<BusOutcome> {
  const left: BusEvent[] = [];
  let firstError: unknown;
  for (let start = 0; start < events.length; start += entriesMax) {
    const batch = events.slice(start, start + entriesMax);
    const outcome = await putBatch(batch);
    left.push(...outcome.left);
    firstError ??= outcome.error;
  }
  return left.length === 0 ? { left } : { left, error: firstError };
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
    // In the order of the entries. An entry with an id from the bus was accepted.
    const left = batch.filter((_, index) => Entries[index]?.EventId === undefined);
    const code = Entries.find(({ ErrorCode }) => ErrorCode !== undefined)?.ErrorCode;
    return { left, error: new Error(`Amazon EventBridge left ${left.length} of ${batch.length}: ${code}.`) };
  } catch (error) {
    return { left: batch, error };
  }
}
