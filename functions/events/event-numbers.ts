import { setTimeout as sleep } from "node:timers/promises";
import { keys } from "../platform/keys.ts";
import { getItems, type Item } from "../platform/table.ts";
import { isUnchanged, transact } from "../platform/table-writes.ts";
import type { DropEvent, Happening } from "./event.ts";

/**
 * How long it is known which number an id has: longer than the table's stream keeps a record, from which the same id could come
 * again. Amazon DynamoDB developer guide, "Change data capture for DynamoDB Streams": 24 hours.
 */
const knownSeconds = 2 * 24 * 60 * 60;

/** As many as go into a transaction with the drop's own item; Amazon DynamoDB API reference, "TransactWriteItems". */
const numberedAtOnce = 50;

/** Of one drop there are as many writers at once as the stream has shards, two or three. */
const attemptsMax = 20;
const waitMsMax = 100;

/**
 * Gives what has happened to one drop its numbers, in this order. What has its number from an earlier time keeps it, and of what
 * comes after the drop's deletion nothing is told: it is not in the result.
 *
 * @throws Error where others are faster each time; what was numbered until then keeps its number
 */
export async function numberEvents(slug: string, happenings: readonly Happening[]): Promise<DropEvent[]> {
  const numbered: DropEvent[] = [];
  for (let start = 0; start < happenings.length; start += numberedAtOnce) {
    numbered.push(...(await numberSome(slug, happenings.slice(start, start + numberedAtOnce))));
  }
  return numbered;
}

async function numberSome(slug: string, happenings: readonly Happening[]): Promise<DropEvent[]> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    if (attempt > 0) await sleep(Math.random() * waitMsMax);
    const { last, known } = await readNumbers(slug, happenings);
    const { fresh, isDeleted } = nextNumbers(last, withoutKnown(happenings, known));
    const isWritten = fresh.length === 0 || (await keep(slug, last, { fresh, isDeleted }));
    if (!isWritten) continue;
    const numbers = new Map([...known, ...fresh.map(({ id, number }) => [id, number] as const)]);
    return happenings.flatMap((happening) => {
      const number = numbers.get(happening.id);
      return number === undefined ? [] : [{ ...happening, number }];
    });
  }
  throw new Error("Others number the drop's events at the same time, again and again.");
}

/** What was given last, and whether that was the drop's deletion. */
interface LastNumber {
  /** @default - nothing has a number yet */
  readonly number: number | undefined;
  readonly isDeleted: boolean;
}

interface Numbers {
  readonly last: LastNumber;
  /** By ids. */
  readonly known: ReadonlyMap<string, number>;
}

async function readNumbers(slug: string, happenings: readonly Happening[]): Promise<Numbers> {
  const lastKey = keys.lastEvent(slug);
  // An id may come twice in a batch, and a key must not.
  const ids = [...new Set(happenings.map(({ id }) => id))];
  const items = await getItems([lastKey, ...ids.map((id) => keys.event(slug, id))]);
  const bySortKey = new Map(items.map((item) => [item.sk as string, item]));
  return {
    last: toLast(bySortKey.get(lastKey.sk)),
    known: new Map(
      ids.flatMap((id) => {
        const item = bySortKey.get(keys.event(slug, id).sk);
        return item === undefined ? [] : [[id, item.number as number] as const];
      }),
    ),
  };
}

function toLast(item: Item | undefined): LastNumber {
  return { number: item?.number as number | undefined, isDeleted: item?.isDeleted === true };
}

function withoutKnown(
  happenings: readonly Happening[],
  known: ReadonlyMap<string, number>,
): readonly Happening[] {
  const fresh = new Map(happenings.map((happening) => [happening.id, happening]));
  return [...fresh.values()].filter(({ id }) => !known.has(id));
}

/** After its deletion a drop is told of only when it is there again, because an operator has restored it. */
function nextNumbers(last: LastNumber, happenings: readonly Happening[]) {
  const fresh: DropEvent[] = [];
  let { number = 0, isDeleted } = last;
  for (const happening of happenings) {
    if (isDeleted && happening.kind !== "drop.published") continue;
    isDeleted = happening.kind === "drop.deleted";
    number += 1;
    fresh.push({ ...happening, number });
  }
  return { fresh, isDeleted };
}

/** False where somebody has given a number since: to another event, or to one of these. */
async function keep(
  slug: string,
  last: LastNumber,
  { fresh, isDeleted }: { readonly fresh: readonly DropEvent[]; readonly isDeleted: boolean },
): Promise<boolean> {
  const ttl = Math.ceil(Date.now() / 1000) + knownSeconds;
  const { committed } = await transact([
    {
      key: keys.lastEvent(slug),
      update: "SET #number = :number, isDeleted = :isDeleted",
      condition: isUnchanged("#number", last.number),
      names: { "#number": "number" },
      values: { ":number": fresh.at(-1)?.number, ":isDeleted": isDeleted, ":seen": last.number },
    },
    ...fresh.map(({ id, number }) => ({
      put: { ...keys.event(slug, id), number, ttl },
      condition: "attribute_not_exists(pk)",
    })),
  ]);
  return committed;
}
