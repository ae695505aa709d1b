import { streamRecordSecondsMax } from "../core/limits.ts";
import { keys } from "../table/keys.ts";
import { getItem, type Item, RetryableError, retryConflicts } from "../table/table.ts";
import { isUnchanged, updateItem } from "../table/table-writes.ts";
import type { DropEvent, EventSubject } from "./event.ts";

/** Number of a drop's first event, which is always its publication. */
export const firstNumber = 1;

/**
 * Time for which an event's number is stored: twice the maximum record age of the stream's event source mapping; see
 * `MaximumRecordAgeInSeconds` of "CreateEventSourceMapping", AWS Lambda API reference.
 */
const knownMs = 2 * streamRecordSecondsMax * 1000;

/**
 * Maximum number of event ids that are stored for a drop. Together they take 70 KB of the 400 KB that an item may have; see "Constraints",
 * Amazon DynamoDB developer guide.
 */
const knownMax = 1_000;

/** Recognizes an event that already has its number. */
function isNumbered(event: EventSubject): event is DropEvent {
  return event.number !== undefined;
}

/**
 * Numbers the events of one drop in the given order. Events that have a number keep it. Events after the drop's deletion are omitted.
 *
 * @throws ApiError `unavailable` if another writer was faster at every attempt
 */
export async function numberEvents(slug: string, events: readonly EventSubject[]): Promise<DropEvent[]> {
  if (events.every(isNumbered)) return [...events];
  return retryConflicts(async () => {
    const nowMs = Date.now();
    const last = toLast(await getItem(keys.lastEvent(slug)));
    const known = new Map(last.known.map(({ id, number }) => [id, number]));
    const { fresh, isDeleted } = nextNumbers(last, withoutKnown(events, known));
    if (fresh.length > 0 && !(await store(slug, last, { fresh, isDeleted }, nowMs)))
      throw new RetryableError(
        "No event number was assigned: every attempt conflicted with another write to this drop.",
      );
    for (const { id, number } of fresh) known.set(id, number);
    return events.flatMap((event) => {
      const number = event.number ?? known.get(event.id);
      return number === undefined ? [] : [{ ...event, number }];
    });
  });
}

/** A numbered event. `atMs` is the time of the numbering. */
interface KnownEvent {
  readonly id: string;
  readonly number: number;
  readonly atMs: number;
}

type LastNumber = ReturnType<typeof toLast>;

/** Parses a drop's last event number, and a flag for the drop's deletion. */
function toLast(item: Item | undefined) {
  return {
    /** Undefined if only the publication has a number. */
    number: item?.number as number | undefined,
    isDeleted: item?.isDeleted === true,
    /** The events that were numbered recently. */
    known: (item?.known ?? []) as readonly KnownEvent[],
  };
}

function withoutKnown(
  events: readonly EventSubject[],
  known: ReadonlyMap<string, number>,
): readonly EventSubject[] {
  const fresh = new Map(events.map((event) => [event.id, event]));
  return [...fresh.values()].filter((event) => !isNumbered(event) && !known.has(event.id));
}

/** Numbers new events. A deleted drop has no new events until an operator restores it. */
function nextNumbers(last: LastNumber, events: readonly EventSubject[]) {
  const fresh: DropEvent[] = [];
  let { number = firstNumber, isDeleted } = last;
  for (const event of events) {
    if (isDeleted && event.kind !== "drop.published") continue;
    isDeleted = event.kind === "drop.deleted";
    number += 1;
    fresh.push({ ...event, number });
  }
  return { fresh, isDeleted };
}

/** Stores a drop's new event numbers. Returns false if another execution has stored numbers since they were read. */
async function store(
  slug: string,
  last: LastNumber,
  { fresh, isDeleted }: ReturnType<typeof nextNumbers>,
  nowMs: number,
): Promise<boolean> {
  const known = [
    ...last.known.filter(({ atMs }) => atMs > nowMs - knownMs),
    ...fresh.map(({ id, number }) => ({ id, number, atMs: nowMs })),
  ].slice(-knownMax);
  const { updated } = await updateItem({
    key: keys.lastEvent(slug),
    update: "SET #number = :number, isDeleted = :isDeleted, known = :known",
    condition: isUnchanged("#number", last.number),
    names: { "#number": "number" },
    values: {
      ":number": fresh.at(-1)?.number,
      ":isDeleted": isDeleted,
      ":known": known,
      ":seen": last.number,
    },
  });
  return updated;
}
