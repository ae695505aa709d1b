import { createHash } from "node:crypto";

/** Kinds of events: `detail-type` on the account's event bus, `type` in a webhook. */
export const eventKinds = [
  "drop.published",
  "drop.updated",
  "drop.deleted",
  "drop.visibility_changed",
  "drop.rendered",
  "drop.commented",
] as const;

export type EventKind = (typeof eventKinds)[number];

/** The `source` of every event on the bus. */
export const eventSource = "dropleaf";

/** Something that has happened to a drop, as a record of the table tells it: ids, and nothing of what the drop holds. */
export interface EventSubject {
  /** The same whenever the same record tells of it, and no other's. */
  readonly id: string;
  readonly kind: EventKind;
  readonly slug: string;
  /** The account whose drop it is, or was. */
  readonly ownerId: string;
  /** The drop's latest version, or the one that was rendered. @default - it is not about one */
  readonly version?: number | undefined;
  /** Outcome of a render. @default - the event is not about one */
  readonly outcome?: "rendered" | "failed" | undefined;
  /** The comment that was written, by its thread and its number in it. @default - it is not about one */
  readonly comment?: { readonly thread: number; readonly comment: number; readonly from: "reader" | "owner" };
  /** When it happened, in Unix milliseconds. */
  readonly atMs: number;
  /** The number that the record itself tells. @default - it follows the number that was given last */
  readonly number?: number;
}

/** A happening that has its number. */
export interface DropEvent extends EventSubject {
  /** From 1 on, without a gap, for each drop. */
  readonly number: number;
}

/** The id of what a record of the table's stream tells: of the record, which has an id of its own, and the kind. */
export function eventIdOf(recordId: string, kind: EventKind): string {
  const digest = createHash("sha256").update(`${recordId} ${kind}`).digest("hex");
  return `evt_${digest.slice(0, 32)}`;
}

/** Serializes an event for its receivers: docs/events.md. */
export function presentEvent({ id, number, slug, ownerId: owner, ...event }: DropEvent, stack: string) {
  const { version, outcome, comment } = event;
  return { id, number, time: timeOf(event), stack, slug, owner, version, outcome, ...comment };
}

/** When it happened, as ISO 8601 has it, in UTC. */
export function timeOf({ atMs }: Pick<EventSubject, "atMs">): string {
  return new Date(atMs).toISOString();
}
