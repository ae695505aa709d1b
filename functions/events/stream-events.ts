import type { TableChange } from "../background/table-change.ts";
import { firstRevision } from "../drops/drop.ts";
import { toVisibility } from "../policies/access.ts";
import { type KeySubject, parseKey } from "../table/keys.ts";
import type { Item } from "../table/table.ts";
import { type EventKind, type EventSubject, eventIdOf } from "./event.ts";
import { firstNumber } from "./event-numbers.ts";

/** An event from a stream record. The drop's owner may be missing. */
export type StreamEvent = Omit<EventSubject, "ownerId"> & { readonly ownerId?: string };

type EventFields = Pick<
  StreamEvent,
  "kind" | "version" | "outcome" | "comment" | "answer" | "access" | "number"
>;

/**
 * Returns a drop's events for a change of one of its rows: none, one, or two for a new version that also changes the visibility.
 *
 * @throws TypeError for a row that the service did not write
 */
export function readStreamEvents(change: TableChange): StreamEvent[] {
  const { eventID, eventName, dynamodb = {} } = change.record;
  const subject = parseKey(change.key);
  if (subject === undefined) return [];
  const events = eventsOf(subject, change);
  if (events.length === 0 || !("slug" in subject)) return [];
  if (eventID === undefined) throw new TypeError(`The stream record of type ${eventName} has no id.`);
  return events.map((one) => ({
    ...one,
    id: eventIdOf(eventID, one.kind),
    slug: subject.slug,
    ...("userId" in subject ? { ownerId: subject.userId } : {}),
    atMs: (dynamodb.ApproximateCreationDateTime ?? 0) * 1000,
  }));
}

type Images = Pick<TableChange, "before" | "after">;

type SubjectOf<Kind extends KeySubject["kind"]> = Extract<KeySubject, { readonly kind: Kind }>;

function eventsOf(subject: KeySubject, images: Images): EventFields[] {
  switch (subject.kind) {
    case "comment":
      return ofComment(images, subject);
    case "answer":
      return ofAnswer(images, subject);
    case "access-request":
      return ofAccessRequest(images, subject);
    case "drop":
      return ofDrop(images);
    case "render":
      return ofRender(images, subject.version);
    default:
      return [];
  }
}

function ofDrop({ before, after }: Images): EventFields[] {
  if (after === undefined) return [{ kind: "drop.deleted" }];
  const version = versionOf(after);
  if (before === undefined)
    return [{ kind: "drop.published", version, ...(isNew(after) ? { number: firstNumber } : {}) }];
  const changed = (kind: EventKind, read: (item: Item) => readonly unknown[]) =>
    JSON.stringify(read(before)) === JSON.stringify(read(after)) ? [] : [kind];
  return [
    ...changed("drop.updated", contentOf).map((kind) => ({ kind, version })),
    ...changed("drop.visibility_changed", accessOf).map((kind) => ({ kind })),
  ];
}

/** Recognizes a drop's publication. A row that an operator restored or transferred to another account has a higher revision. */
function isNew({ revision }: Item): boolean {
  return revision === firstRevision;
}

/** Returns the content of a drop that readers see, and its number of versions. */
function contentOf({ title, description, metadata, latestVersion, nextVersion, versionCount }: Item) {
  return [title, description, metadata, latestVersion, nextVersion, versionCount];
}

/** Returns the access settings of a drop, and its expiry. `gateEpoch` increases with each change of the passcode. */
function accessOf(item: Item) {
  return [toVisibility(item), item.gateEpoch, item.indexed === true, item.expiresAtMs];
}

/** Returns the event of a render. Renders of replaced versions and repeated requests have no event. */
function ofRender({ before, after }: Images, version: number): EventFields[] {
  const outcome = outcomeOf(after);
  return outcome === undefined || outcome === outcomeOf(before)
    ? []
    : [{ kind: "drop.rendered", version, outcome }];
}

/** Returns the event of a new comment. Comments that are deleted with their thread have no event. */
function ofComment({ before, after }: Images, { thread, comment }: SubjectOf<"comment">): EventFields[] {
  if (before !== undefined || after === undefined) return [];
  const from = after.authorKind === "owner" ? "owner" : "reader";
  return [{ kind: "drop.commented", comment: { thread, comment, from } }];
}

/** Returns the event of an answer, without its text. */
function ofAnswer({ before, after }: Images, { answer }: SubjectOf<"answer">): EventFields[] {
  if (before !== undefined || after === undefined) return [];
  return [{ kind: "answer.created", answer: { answer, form: String(after.form) } }];
}

/** Returns the event of a request for access, without the text and the person. A request that replaces an open one has no event. */
function ofAccessRequest({ before, after }: Images, { request }: SubjectOf<"access-request">): EventFields[] {
  return before !== undefined || after === undefined
    ? []
    : [{ kind: "access.requested", access: { request } }];
}

function outcomeOf(item: Item | undefined): EventFields["outcome"] {
  const state = item?.state;
  return state === "rendered" || state === "failed" ? state : undefined;
}

function versionOf({ latestVersion }: Item): number {
  if (typeof latestVersion === "number") return latestVersion;
  throw new TypeError("The row of a drop has no latestVersion.");
}
