import { randomUUID } from "node:crypto";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import type { Log } from "../aws-service.ts";

/** Name of the file in the data folder with every event of the bus, one JSON object per line. */
export const eventsFile = "events.jsonl";

/** An event as received by the targets of rules; see "Events in Amazon EventBridge", Amazon EventBridge user guide. */
export interface BusEvent {
  readonly version: "0";
  readonly id: string;
  readonly "detail-type": string;
  readonly source: string;
  readonly account: string;
  /** Time in ISO 8601, to the second. */
  readonly time: string;
  readonly region: string;
  readonly resources: readonly string[];
  readonly detail: Readonly<Record<string, unknown>>;
}

/** The account's default bus. Its events are sent to a file, the log and listeners. */
export type EventBus = ReturnType<typeof openEventBus>;

/** Opens the bus. Its events are appended to a file in the data folder. */
export function openEventBus(dataDirectory: string, log: Log) {
  const listeners: ((event: BusEvent) => void)[] = [];
  return {
    /** Accepts an event, and returns the id that the bus gives it. */
    put(given: Pick<BusEvent, "detail-type" | "source" | "time" | "resources" | "detail">): string {
      const origin = { account: "000000000000", region: "us-east-1" };
      const event: BusEvent = { version: "0", id: randomUUID(), ...origin, ...given };
      for (const listener of listeners) listener(event);
      appendFileSync(join(dataDirectory, eventsFile), `${JSON.stringify(event)}\n`);
      const { number = "", slug = "" } = event.detail;
      log(`event ${event["detail-type"]} ${slug} ${number}`.trimEnd());
      return event.id;
    },
    /** Calls the listener for each event before the bus accepts it. An `AwsError` from the listener refuses the event. */
    onEvent: (listener: (event: BusEvent) => void) => void listeners.push(listener),
  };
}
