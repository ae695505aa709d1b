import type { DynamoDBRecord } from "aws-lambda";
import { type EventKind, eventIdOf, type Happening } from "../events/event.ts";
import { parseKey } from "../platform/keys.ts";
import type { Item } from "../platform/table.ts";
import { toVisibility } from "../platform/visibility.ts";
import { readKey, toItem } from "./table-change.ts";

/** A happening as a record tells it, which may know nothing of the drop's owner. */
export type ToldHappening = Omit<Happening, "ownerId"> & { readonly ownerId?: string };

type Told = Pick<ToldHappening, "kind" | "version" | "outcome">;

/**
 * Reads a record of the table's stream: what has happened to a drop by it, which is nothing, one thing, or two where a new version
 * came with another visibility.
 *
 * @throws TypeError when it is of a row that the service did not write
 */
export function readHappenings({ eventID, eventName, dynamodb = {} }: DynamoDBRecord): ToldHappening[] {
  const subject = parseKey(readKey(dynamodb));
  if (subject?.kind !== "drop" && subject?.kind !== "render") return [];
  const images: Images = {
    before: dynamodb.OldImage && toItem(dynamodb.OldImage),
    after: dynamodb.NewImage && toItem(dynamodb.NewImage),
  };
  const told = subject.kind === "drop" ? ofDrop(images) : ofRender(images, subject.version);
  if (told.length === 0) return [];
  if (eventID === undefined) throw new TypeError(`The record of ${eventName} has no id.`);
  return told.map((one) => ({
    ...one,
    id: eventIdOf(eventID, one.kind),
    slug: subject.slug,
    ...(subject.kind === "drop" ? { ownerId: subject.userId } : {}),
    atMs: (dynamodb.ApproximateCreationDateTime ?? 0) * 1000,
  }));
}

/** The row as it was, and as it is; undefined where there was or is none. */
interface Images {
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

function ofDrop({ before, after }: Images): Told[] {
  if (after === undefined) return [{ kind: "drop.deleted" }];
  const version = versionOf(after);
  if (before === undefined) return [{ kind: "drop.published", version }];
  const changed = (kind: EventKind, read: (item: Item) => readonly unknown[]) =>
    JSON.stringify(read(before)) === JSON.stringify(read(after)) ? [] : [kind];
  return [
    ...changed("drop.updated", contentOf).map((kind) => ({ kind, version })),
    ...changed("drop.visibility_changed", reachOf).map((kind) => ({ kind })),
  ];
}

/** What its readers see of it, and its history. */
function contentOf({ title, description, metadata, latestVersion, nextVersion, versionCount }: Item) {
  return [title, description, metadata, latestVersion, nextVersion, versionCount];
}

/** Who sees it: the epoch rises with each change of the passcode. */
function reachOf(item: Item) {
  return [toVisibility(item), item.gateEpoch, item.indexed === true];
}

/** Of one that another version has followed nothing is told, nor that somebody asks for it again. */
function ofRender({ before, after }: Images, version: number): Told[] {
  const outcome = outcomeOf(after);
  return outcome === undefined || outcome === outcomeOf(before)
    ? []
    : [{ kind: "drop.rendered", version, outcome }];
}

function outcomeOf(item: Item | undefined): Told["outcome"] {
  const state = item?.state;
  return state === "rendered" || state === "failed" ? state : undefined;
}

function versionOf({ latestVersion }: Item): number {
  if (typeof latestVersion === "number") return latestVersion;
  throw new TypeError("The row of a drop has no latestVersion.");
}
