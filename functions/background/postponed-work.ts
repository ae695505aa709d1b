import { sendLater } from "./follow-up-queue.ts";

/** Time during which refused work is retried. */
const triedForMsMax = 24 * 60 * 60 * 1000;

/** The longest pause between two attempts. */
const pauseSecondsMax = 4 * 60 * 60;

/** The longest delay of a queue's message; Amazon SQS developer guide, "Amazon SQS delay queues". */
const delaySecondsMax = 900;

/** The pause after a number of attempts: the first pause plus the sum of all earlier ones. */
export function retryPauseSeconds(tries: number, firstSeconds: number): number {
  return Math.min(firstSeconds * 2 ** (tries - 1), pauseSecondsMax);
}

/** Decides between another attempt, and leaving the work to the queue's own retries and dead letters. */
export function mayRetry(sinceMs: number, nextAtMs: number, triedForMs = triedForMsMax): boolean {
  return nextAtMs - sinceMs <= triedForMs;
}

/** Delay of a queue message. Work that is due later than a queue can delay is received early and queued again. */
export function delaySeconds(dueAtMs: number, nowMs: number): number {
  return Math.min(Math.max(0, Math.ceil((dueAtMs - nowMs) / 1000)), delaySecondsMax);
}

/** Failed work that is retried. */
export interface Retry {
  /** The number of attempts so far. */
  readonly tries: number;
  /** The time of the first attempt. */
  readonly sinceMs: number;
  readonly dueAtMs: number;
}

/** The first pause; each later one is twice as long: docs/adr/0072-events-and-webhooks.md. */
const firstPauseSeconds = 5;

/** Plans the retry after the first attempt. */
export function firstRetry(nowMs: number): Retry {
  return { tries: 1, sinceMs: nowMs, dueAtMs: nowMs + firstPauseSeconds * 1000 };
}

/** Plans the next retry; undefined once the work has been retried for the given time, by default a day. */
export function nextRetry({ tries, sinceMs }: Retry, nowMs: number, triedForMs?: number): Retry | undefined {
  const dueAtMs = nowMs + retryPauseSeconds(tries + 1, firstPauseSeconds) * 1000;
  return mayRetry(sinceMs, dueAtMs, triedForMs) ? { tries: tries + 1, sinceMs, dueAtMs } : undefined;
}

/** Puts work into the follow-up queue until its retry is due, or for the longest delay of the queue. */
export async function postpone(kind: string, content: object, retry: Retry, nowMs: number): Promise<void> {
  await sendLater(JSON.stringify({ kind, ...content, ...retry }), delaySeconds(retry.dueAtMs, nowMs));
}

/** Reads the retry of a message; undefined without one. */
export function toRetry({ tries, sinceMs, dueAtMs }: Partial<Retry>): Retry | undefined {
  const areNumbers = [tries, sinceMs, dueAtMs].every(Number.isSafeInteger);
  return areNumbers ? ({ tries, sinceMs, dueAtMs } as Retry) : undefined;
}
