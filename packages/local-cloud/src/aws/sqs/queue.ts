import { randomUUID } from "node:crypto";
import type { Log } from "../aws-service.ts";
import type { MessageStore, StoredMessage } from "./message-store.ts";
import type { QueueSettings } from "./queue-settings.ts";

/** A standard queue. It delivers messages at least once, in no guaranteed order; see the Amazon SQS developer guide. */
export type Queue = ReturnType<typeof openQueue>;

/** A message to send. */
export interface OutgoingMessage {
  readonly body: string;
  /** @default - the queue's delay */
  readonly delaySeconds?: number | undefined;
}

/** A message that is durable but not sent yet. The next start sends reservations that a killed process left open. */
export interface Reservation {
  send(): void;
  cancel(): void;
}

/** Limits of a receive request. */
export interface ReceiveOptions {
  readonly countMax: number;
  /** Maximum size of all messages in an event, in bytes. At least one message is returned. @default no limit */
  readonly bytesMax?: number;
  /** @default - the queue's visibility timeout */
  readonly visibilityTimeoutSeconds?: number | undefined;
}

/** Maximum duration of a timer. It is short, because the machine's clock may be changed, and timers stop while a laptop sleeps. */
const TIMER_MS_MAX = 1_000;

/** Opens the queues with their stored messages. Sends messages that an earlier process had reserved. */
export function openQueues(
  settings: readonly QueueSettings[],
  store: MessageStore,
  log: Log,
): ReadonlyMap<string, Queue> {
  const queues = new Map<string, Queue>();
  for (const one of settings) {
    const wakeDeadLetters = () => queues.get(one.redrive?.deadLetterQueueName ?? "")?.wake();
    queues.set(one.name, openQueue(one, store, wakeDeadLetters, log));
  }
  return queues;
}

function openQueue(settings: QueueSettings, store: MessageStore, wakeDeadLetters: () => void, log: Log) {
  const { name, arn, redrive } = settings;
  const waiting = new Set<() => void>();
  const oldestMs = () => Date.now() - settings.retentionSeconds * 1000;
  const delayMs = (delaySeconds = settings.delaySeconds) => delaySeconds * 1000;
  const wake = () => {
    for (const end of [...waiting]) end();
  };

  store.removeSentBefore(name, oldestMs());
  store.releaseAll(name, Date.now() + delayMs());

  function add({ body }: OutgoingMessage, visibleAtMs: number | undefined): string {
    const messageId = randomUUID();
    store.add(name, messageId, body, visibleAtMs);
    return messageId;
  }

  function redriveTooOftenReceived(nowMs: number): void {
    if (!redrive) return;
    const { deadLetterQueueName, receivesMax } = redrive;
    const moved = store.redrive(name, arn, deadLetterQueueName, receivesMax, nowMs);
    if (moved.length === 0) return;
    log(
      `sqs: ${name}: received ${receivesMax} times and not deleted; moved to ${deadLetterQueueName}: ${moved.join(", ")}`,
    );
    wakeDeadLetters();
  }

  function change(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        waiting.delete(end);
        signal.removeEventListener("abort", end);
        resolve();
      };
      // An empty queue needs no timer, because a new message wakes the waiting receivers.
      const timer = ms === Number.POSITIVE_INFINITY ? undefined : setTimeout(end, Math.min(ms, TIMER_MS_MAX));
      waiting.add(end);
      signal.addEventListener("abort", end);
    });
  }

  return {
    settings,
    /** Makes waiting receivers check for messages. */
    wake,
    /** Sends a message. Returns its id when the message is durable. */
    send(message: OutgoingMessage): string {
      const messageId = add(message, Date.now() + delayMs(message.delaySeconds));
      wake();
      return messageId;
    },
    /** Stores a message that stays hidden until its reservation is sent or canceled. */
    reserve(message: OutgoingMessage): Reservation {
      const messageId = add(message, undefined);
      return {
        send() {
          store.release(messageId, Date.now() + delayMs(message.delaySeconds));
          wake();
        },
        cancel: () => store.discard(messageId),
      };
    },
    /** Returns visible messages. Moves messages that were received too often to the dead-letter queue. */
    receive(options: ReceiveOptions): StoredMessage[] {
      const { countMax, bytesMax = Number.MAX_SAFE_INTEGER, visibilityTimeoutSeconds } = options;
      const nowMs = Date.now();
      redriveTooOftenReceived(nowMs);
      const timeoutSeconds = visibilityTimeoutSeconds ?? settings.visibilityTimeoutSeconds;
      const invisibleUntilMs = nowMs + timeoutSeconds * 1000;
      return store.take(name, { nowMs, sentAfterMs: oldestMs(), invisibleUntilMs, countMax, bytesMax });
    },
    delete: (receiptHandle: string) => void store.deleteReceived(name, receiptHandle),
    /** Sets when a received message becomes visible again. Returns false if the message is not in flight. */
    changeVisibility(receiptHandle: string, timeoutSeconds: number): boolean {
      const nowMs = Date.now();
      const changes = store.setVisibleAt(name, receiptHandle, nowMs + timeoutSeconds * 1000, nowMs);
      wake();
      return changes > 0;
    },
    counts: () => store.counts(name, Date.now(), oldestMs()),
    /** Resolves with true when `countMin` messages are visible, or with false at `untilMs` or when aborted. */
    async waitFor(countMin: number, untilMs: number, signal: AbortSignal): Promise<boolean> {
      for (;;) {
        if (signal.aborted) return false;
        const nowMs = Date.now();
        const nextMs = store.nextVisibleAtMs(name, oldestMs()) ?? Number.POSITIVE_INFINITY;
        const isVisible = nextMs <= nowMs;
        if (isVisible && (countMin <= 1 || store.counts(name, nowMs, oldestMs()).visible >= countMin)) {
          return true;
        }
        if (nowMs >= untilMs) return false;
        await change(Math.min(untilMs, isVisible ? untilMs : nextMs) - nowMs, signal);
      }
    },
  };
}
