import type { SQSRecord } from "aws-lambda";
import { writeFault } from "../core/log.ts";
import { sendLater } from "./follow-up-queue.ts";
import type { Job } from "./worker.ts";

/** Time in milliseconds after which failed work is no longer retried. */
const triedForMsMax = 24 * 60 * 60 * 1000;

const pauseSecondsMax = 4 * 60 * 60;

/** Maximum delay of a queue message; see "Amazon SQS delay queues", Amazon SQS developer guide. */
const delaySecondsMax = 900;

/** Returns the pause after a number of attempts: the first pause, doubled after each further attempt up to a maximum. */
export function retryPauseSeconds(tries: number, firstSeconds: number): number {
  return Math.min(firstSeconds * 2 ** (tries - 1), pauseSecondsMax);
}

/** Returns true while failed work is still retried here. Afterwards the queue's own retries and its dead-letter queue take over. */
export function mayRetry(sinceMs: number, nextAtMs: number, triedForMs = triedForMsMax): boolean {
  return nextAtMs - sinceMs <= triedForMs;
}

/**
 * Returns the delay of a queue message, at most the queue's maximum. If the work is due later, the message is received early and queued
 * again.
 */
export function delaySeconds(dueAtMs: number, nowMs: number): number {
  return Math.min(Math.max(0, Math.ceil((dueAtMs - nowMs) / 1000)), delaySecondsMax);
}

/**
 * The first pause between attempts, in seconds. Each later pause is twice as long as the one before; see
 * docs/adr/0072-events-and-webhooks.md.
 */
const firstPauseSeconds = 5;

/** A failed attempt, with the work that remains for the next attempt. */
export interface Failure<Content> {
  readonly left: Content;
  readonly error: unknown;
  /** Fields of the log entry about the next attempt. */
  readonly log: Readonly<Record<string, unknown>> & { readonly event: string };
  /** Message of the error that is thrown after the last attempt. */
  readonly givenUp: string;
}

/**
 * Defines a kind of work that is retried through the follow-up queue, with growing pauses.
 *
 * @param kind identifies the work's messages. Renaming a kind loses messages that are queued during an upgrade
 * @param read returns the content of a message, or undefined if the message has no valid content
 */
export function postponedWork<Content extends object>(
  kind: string,
  read: (message: Partial<Content>) => Content | undefined,
) {
  const put = async (content: Content, tries: number, sinceMs: number, dueAtMs: number) => {
    const message = JSON.stringify({ kind, ...content, tries, sinceMs, dueAtMs });
    await sendLater(message, delaySeconds(dueAtMs, Date.now()));
  };

  const tryAgain = async (
    body: string,
    work: (content: Content) => Promise<Failure<Content> | undefined>,
    triedForMs?: number,
  ) => {
    const { tries, sinceMs, dueAtMs, ...message } = Object(JSON.parse(body));
    const content = read(message);
    if (content === undefined || ![tries, sinceMs, dueAtMs].every(Number.isSafeInteger))
      throw new Error(`The queue message has no valid content of the kind "${kind}".`);
    if (dueAtMs > Date.now()) return put(content, tries, sinceMs, dueAtMs);
    const failure = await work(content);
    if (failure === undefined) return;
    const { left, error, log, givenUp } = failure;
    const nextAtMs = Date.now() + retryPauseSeconds(tries + 1, firstPauseSeconds) * 1000;
    if (!mayRetry(sinceMs, nextAtMs, triedForMs)) throw new Error(givenUp, { cause: error });
    writeFault({ level: "warn", operation: "follow-up", ...log }, error);
    await put(left, tries + 1, sinceMs, nextAtMs);
  };

  return {
    kind,
    /** Queues work after its first attempt has failed. */
    postpone(content: Content): Promise<void> {
      const nowMs = Date.now();
      return put(content, 1, nowMs, nowMs + firstPauseSeconds * 1000);
    },
    /**
     * Creates a job for each message, which tries the work again. Work that is not due yet or fails again is queued again.
     *
     * @param triedForMs time after which the work is left to the dead-letter queue. @default - a day
     */
    jobs: (
      messages: readonly SQSRecord[],
      work: (content: Content) => Promise<Failure<Content> | undefined>,
      triedForMs?: number,
    ): Job<SQSRecord>[] =>
      messages.map((message) => ({
        sources: [message],
        run: () => tryAgain(message.body, work, triedForMs),
      })),
  };
}
