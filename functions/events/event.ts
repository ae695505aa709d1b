import { createHash } from "node:crypto";
import type { presentAuditLine } from "../table/audit-presenter.ts";

/** Kinds of events. A kind is the `detail-type` on the account's event bus, and the `type` in a webhook. */
export const eventKinds = [
  "drop.published",
  "drop.updated",
  "drop.deleted",
  "drop.visibility_changed",
  "drop.rendered",
  "drop.commented",
  "answer.created",
  "access.requested",
  "drop.expiring",
  "drop.expired",
] as const;

export type EventKind = (typeof eventKinds)[number];

/** Kind of the event for an audit entry. Such an event is sent only to the bus, and only if the setting `auditEvents` is on. */
export const auditEventKind = "audit.recorded";

/** The `source` of every event on the bus. */
export const eventSource = "dropleaf";

/** An event of a drop, with ids and without the drop's content. */
export interface EventSubject {
  /** Unique id of the event, which stays the same each time that the event is sent. */
  readonly id: string;
  readonly kind: EventKind;
  readonly slug: string;
  /** Account that owned the drop at the time of the event. */
  readonly ownerId: string;
  /** The drop's latest version, or the version that was rendered. @default - the event is not about a version */
  readonly version?: number | undefined;
  /** Outcome of a render. @default - the event is not about a render */
  readonly outcome?: "rendered" | "failed" | undefined;
  /** The comment, by its thread and its number in the thread. @default - the event is not about a comment */
  readonly comment?: { readonly thread: number; readonly comment: number; readonly from: "reader" | "owner" };
  /** The answer to a form, by its number in the drop. @default - the event is not about an answer */
  readonly answer?: { readonly answer: number; readonly form: string };
  /** The request for access, by its id in the drop. @default - the event is not about a request for access */
  readonly access?: { readonly request: string };
  /** Time at which the drop expires or has expired, in Unix milliseconds. @default - the event is not about an expiry */
  readonly expiresAtMs?: number | undefined;
  readonly atMs: number;
  /** Number of the event, if it follows from the stream record. @default - the next number */
  readonly number?: number;
}

/** A numbered event. */
export interface DropEvent extends EventSubject {
  /** Number of the event in its drop, from 1 and without gaps. */
  readonly number: number;
}

/** An audit entry, without names, addresses and texts. */
export interface AuditEvent {
  readonly kind: typeof auditEventKind;
  readonly atMs: number;
  readonly line: ReturnType<typeof presentAuditLine>;
}

/** An event on the account's bus. */
export type BusEvent = DropEvent | AuditEvent;

/** Derives an event's id from its kind and its cause, such as the id of a stream record. */
export function eventIdOf(cause: string, kind: EventKind): string {
  const digest = createHash("sha256").update(`${cause} ${kind}`).digest("hex");
  return `evt_${digest.slice(0, 32)}`;
}

/** Presents an event for its receivers; see docs/events.md. */
export function presentEvent({ id, number, slug, ownerId: owner, ...event }: DropEvent, stack: string) {
  const { version, outcome, comment, answer, access, expiresAtMs: expires_at } = event;
  return {
    id,
    number,
    time: timeOf(event),
    stack,
    slug,
    owner,
    version,
    outcome,
    ...comment,
    ...answer,
    ...access,
    expires_at,
  };
}

/** Presents an event for the bus. The event of an audit entry has the entry's id. */
export function presentBusEvent(event: BusEvent, stack: string): object {
  if (event.kind !== auditEventKind) return presentEvent(event, stack);
  const { id, at: time, ...fields } = event.line;
  return { id, time, stack, ...fields };
}

/** Returns the time of an event in ISO 8601, in UTC. */
export function timeOf({ atMs }: Pick<EventSubject, "atMs">): string {
  return new Date(atMs).toISOString();
}
