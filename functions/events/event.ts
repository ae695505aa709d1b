import { createHash } from "node:crypto";

/** Kinds of events: `detail-type` on the account's event bus, `type` in a webhook. */
export const eventKinds = [
  "drop.published",
  "drop.updated",
  "drop.deleted",
  "drop.visibility_changed",
  "drop.rendered",
  "drop.commented",
  "drop.expiring",
  "drop.expired",
] as const;

export type EventKind = (typeof eventKinds)[number];

/** The `source` of every event on the bus. */
export const eventSource = "dropleaf";

/** Something that has happened to a drop: ids, and nothing of what the drop holds. */
export interface EventSubject {
  /** The same however often the same event is sent, and no other event's. */
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
  /** Time at which the drop expires or has expired, in Unix milliseconds. @default - the event is not about that */
  readonly expiresAtMs?: number | undefined;
  /** Time of the event, in Unix milliseconds. */
  readonly atMs: number;
  /** The number that the record itself tells. @default - it follows the number that was given last */
  readonly number?: number;
}

/** A happening that has its number. */
export interface DropEvent extends EventSubject {
  /** From 1 on, without a gap, for each drop. */
  readonly number: number;
}

/** The id of an event: of its cause, such as the id of a record of the table's stream, and its kind. */
export function eventIdOf(cause: string, kind: EventKind): string {
  const digest = createHash("sha256").update(`${cause} ${kind}`).digest("hex");
  return `evt_${digest.slice(0, 32)}`;
}

/** Serializes an event for its receivers: docs/events.md. */
export function presentEvent({ id, number, slug, ownerId: owner, ...event }: DropEvent, stack: string) {
  const { version, outcome, comment, expiresAtMs: expires_at } = event;
  return { id, number, time: timeOf(event), stack, slug, owner, version, outcome, ...comment, expires_at };
}

/** Time of the event as ISO 8601 has it, in UTC. */
export function timeOf({ atMs }: Pick<EventSubject, "atMs">): string {
  return new Date(atMs).toISOString();
}
