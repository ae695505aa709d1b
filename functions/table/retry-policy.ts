import { setTimeout as sleep } from "node:timers/promises";

/** The longest pause. */
interface Pauses {
  /** The longest one before the second attempt is twice that. */
  readonly unitMs: number;
  readonly mostMs: number;
}

/** For races with other writers of the same item, of which each is over within milliseconds. */
const racePauses: Pauses = { unitMs: 5, mostMs: 100 };

/** Backs off before an attempt: not before the first one, and then for a random time whose bound doubles with each attempt. */
export async function backOff(attempt: number, { unitMs, mostMs }: Pauses = racePauses): Promise<void> {
  if (attempt > 0) await sleep(Math.random() * Math.min(mostMs, unitMs * 2 ** attempt));
}
