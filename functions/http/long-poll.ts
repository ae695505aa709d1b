import { setTimeout } from "node:timers/promises";
import { longPollSlots } from "./long-poll-slots.ts";

/** Interval of the reads while a request waits. Each is one small read. */
const lookEveryMs = 1_000;

/** Outcome of a call that may wait. */
interface Outcome<Found> {
  readonly found: Found;
  /** It has something to return. */
  readonly isSomething: boolean;
  /** All slots are taken. */
  readonly isTurnedAway: boolean;
}

/** A list that waits until it has something to return. */
interface Waiting<Found> {
  readonly caller: { readonly id: string; readonly ownerId: string };
  /** Longest wait, in seconds; 0 returns the first result. */
  readonly wait: number;
  readonly nowMs: number;
  readonly first: Found;
  readonly isSomething: (found: Found) => boolean;
  /** Reads on from a result, once a second. */
  readonly readNext: (found: Found) => Promise<Found>;
  /** Checks the caller's access again, before a result of the wait is returned. */
  readonly requireAccess: () => Promise<unknown>;
}

/** Waits for the first result that has something, in one of the slots of long polls. Without a free slot it does not wait. */
export async function longPoll<Found>(waiting: Waiting<Found>): Promise<Outcome<Found>> {
  const { caller, wait, nowMs, first, isSomething, readNext, requireAccess } = waiting;
  if (isSomething(first) || wait === 0)
    return { found: first, isSomething: isSomething(first), isTurnedAway: false };
  const untilMs = performance.now() + wait * 1000;
  const restMs = () => untilMs - performance.now();
  const end = await longPollSlots.begin({ ...caller, untilMs: nowMs + restMs() }, nowMs);
  if (end === undefined) return { found: first, isSomething: false, isTurnedAway: true };
  let found = first;
  try {
    while (!isSomething(found) && restMs() > 0) {
      await setTimeout(Math.min(lookEveryMs, restMs()));
      found = await readNext(found);
    }
  } finally {
    await end();
  }
  if (isSomething(found)) await requireAccess();
  return { found, isSomething: isSomething(found), isTurnedAway: false };
}

const askAgainSeconds = { least: 5, turnedAway: 15, most: 300 } as const;

/** Seconds until the next call is useful: 0 after a result; else a tenth of the time since the last write. */
export function askAgainIn(
  { isSomething, isTurnedAway }: Omit<Outcome<unknown>, "found">,
  lastAtMs: number | undefined,
  nowMs: number,
): number {
  if (isSomething) return 0;
  const quietSeconds = lastAtMs === undefined ? Number.POSITIVE_INFINITY : (nowMs - lastAtMs) / 1000;
  const seconds = Math.min(
    askAgainSeconds.most,
    Math.max(askAgainSeconds.least, Math.round(quietSeconds / 10)),
  );
  return isTurnedAway ? Math.max(seconds, askAgainSeconds.turnedAway) : seconds;
}

/** The first entries that have at most so many characters of JSON together, at least one. */
export function firstWithin<Entry>(entries: readonly Entry[], charactersMax: number): Entry[] {
  let characters = 0;
  const over = entries.findIndex((entry) => {
    characters += JSON.stringify(entry).length;
    return characters > charactersMax;
  });
  return entries.slice(0, over === -1 ? undefined : Math.max(1, over));
}
