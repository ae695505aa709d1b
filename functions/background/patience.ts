/** How long something that was refused is tried again. */
const triedForMsMax = 24 * 60 * 60 * 1000;

/** The longest pause between two tries. */
const pauseSecondsMax = 4 * 60 * 60;

/** The longest that a queue delays a message; Amazon SQS developer guide, "Amazon SQS delay queues". */
const delaySecondsMax = 900;

/** The pause after so many tries: each as long as all before it together, and one more of the first. */
export function pauseSeconds(tries: number, firstSeconds: number): number {
  return Math.min(firstSeconds * 2 ** (tries - 1), pauseSecondsMax);
}

/** Tells whether there is another try, or the work is left to the queue's own tries and its dead letters. */
export function isWorthAnother(sinceMs: number, nextAtMs: number, triedForMs = triedForMsMax): boolean {
  return nextAtMs - sinceMs <= triedForMs;
}

/** How long a queue delays what is due at a time: what is due later than it can, comes out before that and goes in again. */
export function delaySeconds(dueAtMs: number, nowMs: number): number {
  return Math.min(Math.max(0, Math.ceil((dueAtMs - nowMs) / 1000)), delaySecondsMax);
}
