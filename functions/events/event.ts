import { createHash } from "node:crypto";
import type { presentAuditLine } from "../table/audit-presenter.ts";

/** Kinds of events: `detail-type` on the account's event bus, `type` in a webhook. */
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

/** Kind of the event of a line of the audit trail. It goes to the bus only, and only if the setting `auditEvents` is on. */
export const auditEventKind = "audit.recorded";

/** The `source` of every event on the bus. */
export const eventSource = "dropleaf";

/** Something that has happened to a drop, with ids and without the drop's content. */
export interface EventSubject {
  /** The same id each time that the event is sent, and different for every other event. */
  readonly id: string;
  readonly kind: EventKind;
  readonly slug: string;
  /** The account of the drop's owner at that time. */
  readonly ownerId: string;
  /** The drop's latest version, or the one that was rendered. @default - not about a version */
  readonly version?: number | undefined;
  /** Outcome of a render. @default - not about a render */
  readonly outcome?: "rendered" | "failed" | undefined;
  /**
   * The written comment, by its thread and its number in it.
   * @default - not about a comment
   */
  readonly comment?: { readonly thread: number; readonly comment: number; readonly from: "reader" | "owner" };
  /** The answer to a form, by its number in the drop. @default - not about an answer */
  readonly answer?: { readonly answer: number; readonly form: string };
  /** The request for access, by its id in the drop. @default - not about a request for access */
  readonly access?: { readonly request: string };
  /** Time at which the drop expires or has expired, in Unix milliseconds. @default - not about an expiry */
  readonly expiresAtMs?: number | undefined;
  /** Time of the event, in Unix milliseconds. */
  readonly atMs: number;
  /**
   * The number, if the record determines it.
   * @default - the next number
   */
  readonly number?: number;
}

/** A numbered event. */
export interface DropEvent extends EventSubject {
  /** From 1, without gaps, for each drop. */
  readonly number: number;
}

/** A line of the audit trail, without names, addresses and texts. */
export interface AuditEvent {
  readonly kind: typeof auditEventKind;
  /** Time of the line, in Unix milliseconds. */
  readonly atMs: number;
  readonly line: ReturnType<typeof presentAuditLine>;
}

/** An event on the account's bus. */
export type BusEvent = DropEvent | AuditEvent;

/** The id of an event, made from its cause, such as the id of a record of the table's stream, and its kind. */
export function eventIdOf(cause: string, kind: EventKind): string {
  const digest = createHash("sha256").update(`${cause} ${kind}`).digest("hex");
  return `evt_${digest.slice(0, 32)}`;
}

/** Serializes an event for its receivers: docs/events.md. */
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

/** Serializes an event for the bus. A line of the audit trail has the same `id` there as in the trail. */
export function presentBusEvent(event: BusEvent, stack: string): object {
  if (event.kind !== auditEventKind) return presentEvent(event, stack);
  const { id, at: time, ...fields } = event.line;
  return { id, time, stack, ...fields };
}

/** Time of the event in ISO 8601, in UTC. */
export function timeOf({ atMs }: Pick<EventSubject, "atMs">): string {
  return new Date(atMs).toISOString();
}
