import { setTimeout } from "node:timers/promises";
import { longPollSlots } from "../table/long-poll-slots.ts";

/** Interval in milliseconds between reads of the table during a long poll. */
const lookEveryMs = 1_000;

/** Outcome of a long poll. */
interface Outcome<Found> {
  readonly found: Found;
  /** The result contains entries to return. */
  readonly isSomething: boolean;
  /** The call did not wait, because no slot for long polls was free. */
  readonly isTurnedAway: boolean;
}

/** A call that may wait until there are entries to return. */
interface Waiting<Found> {
  readonly caller: { readonly id: string; readonly ownerId: string };
  /** Maximum wait, in seconds. With 0, the call returns the first result. */
  readonly wait: number;
  readonly nowMs: number;
  readonly first: Found;
  readonly isSomething: (found: Found) => boolean;
  /** Reads the result again. Called once a second. */
  readonly readNext: (found: Found) => Promise<Found>;
  /** Checks the caller's access again after the wait. */
  readonly requireAccess: () => Promise<unknown>;
}

/** Waits until there are entries to return or the time is up. Does not wait if no slot for long polls is free. */
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

/**
 * Returns the number of seconds after which the client should call again: 0 after a result, otherwise a tenth of the time since the last
 * write, within limits.
 */
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

/** Returns the first entries, as many as fit into `charactersMax` as JSON, but at least one. */
export function firstWithin<Entry>(entries: readonly Entry[], charactersMax: number): Entry[] {
  let characters = 0;
  const over = entries.findIndex((entry) => {
    characters += JSON.stringify(entry).length;
    return characters > charactersMax;
  });
  return entries.slice(0, over === -1 ? undefined : Math.max(1, over));
}
