import type { StoredMessage } from "../aws/sqs/message-store.ts";
import type { Queue } from "../aws/sqs/queue.ts";
import { bodyMd5, systemAttributes } from "../aws/sqs/received-message.ts";
import { functionLabel } from "../lambda/lambda-function.ts";
import type { LambdaService } from "../lambda/lambda-service.ts";
import { type BatchOutcome, batchBytesMax, invokeWithBatch } from "./batch-invocation.ts";
import type { QueueMapping } from "./event-source-mapping.ts";
import { type Poller, sleepUntilAborted, startPoller } from "./poller.ts";

interface QueuePollerOptions {
  readonly mapping: QueueMapping;
  readonly queue: Queue;
  readonly lambda: LambdaService;
  readonly log: (line: string) => void;
}

/** Pauses between attempts for a batch that Lambda throttles. Lambda's own pauses are undocumented. */
const throttledPauseMs = { first: 100, max: 5_000 };

/**
 * Invokes the mapping's function with batches of messages, and deletes processed messages. Other messages become visible again after the
 * queue's visibility timeout; see "Using Lambda with Amazon SQS", AWS Lambda developer guide.
 */
export function startQueuePoller(options: QueuePollerOptions): Poller {
  const { mapping, queue, log } = options;
  const running = new Set<Promise<void>>();
  const label = `[${functionLabel(mapping.functionName)}]`;

  async function takeBatch(signal: AbortSignal): Promise<void> {
    if (!(await queue.waitFor(1, Number.POSITIVE_INFINITY, signal))) return;
    const windowEndMs = Date.now() + mapping.batchWindowSeconds * 1000;
    await queue.waitFor(mapping.batchSize, windowEndMs, signal);
    if (signal.aborted) return;
    const messages = queue.receive({ countMax: mapping.batchSize, bytesMax: batchBytesMax });
    if (messages.length === 0) return;
    const delivery = deliver(messages, options, signal).finally(() => running.delete(delivery));
    running.add(delivery);
  }

  const poller = startPoller(
    (signal) => (running.size < mapping.concurrencyMax ? takeBatch(signal) : Promise.race(running)),
    (message) => log(`${label} cannot read ${queue.settings.name}: ${message}`),
  );
  return {
    async stop() {
      await poller.stop();
      await Promise.all(running);
    },
  };
}

async function deliver(
  messages: readonly StoredMessage[],
  options: QueuePollerOptions,
  signal: AbortSignal,
): Promise<void> {
  const { mapping, queue, log } = options;
  const outcome = await invokeUntilTaken(messages, options, signal);
  const failed = messages.filter(({ messageId }) =>
    outcome.type === "items failed" ? outcome.identifiers.has(messageId) : outcome.type !== "done",
  );
  for (const message of messages) if (!failed.includes(message)) queue.delete(message.receiptHandle);
  if (failed.length === 0) return;
  const label = functionLabel(mapping.functionName);
  log(`[${label}] ${describe(failed, queue)}${reasonOf(outcome)}; ${nextStep(failed, queue)}`);
}

/** Retries a throttled batch until its messages become visible to other receivers; see "Backoff strategy for failed invocations". */
async function invokeUntilTaken(
  messages: readonly StoredMessage[],
  options: QueuePollerOptions,
  signal: AbortSignal,
): Promise<BatchOutcome> {
  const { mapping, queue } = options;
  const visibleAtMs = Date.now() + queue.settings.visibilityTimeoutSeconds * 1000;
  const records = messages.map((message) => toRecord(message, mapping.sourceArn));
  const identifiers = messages.map(({ messageId }) => messageId);
  for (let pauseMs = throttledPauseMs.first; ; pauseMs = Math.min(2 * pauseMs, throttledPauseMs.max)) {
    const outcome = await invokeWithBatch(records, identifiers, options);
    const isLast = signal.aborted || Date.now() + pauseMs >= visibleAtMs;
    if (outcome.type !== "throttled" || isLast) return outcome;
    await sleepUntilAborted(pauseMs, signal);
  }
}

function reasonOf(outcome: BatchOutcome): string {
  if (outcome.type === "failed") return `: ${outcome.reason}`;
  return outcome.type === "throttled" ? ", throttled" : ": reported by the function";
}

/** Describes failed messages, such as `3 messages of Views failed, attempt 2 of 5`. */
function describe(messages: readonly StoredMessage[], { settings }: Queue): string {
  const count = messages.length === 1 ? "1 message" : `${messages.length} messages`;
  const attempt = Math.max(...messages.map(({ receiveCount }) => receiveCount));
  const attempts = settings.redrive ? ` of ${settings.redrive.receivesMax}` : "";
  return `${count} of ${settings.name} failed, attempt ${attempt}${attempts}`;
}

function nextStep(messages: readonly StoredMessage[], { settings }: Queue): string {
  const { redrive, visibilityTimeoutSeconds } = settings;
  const isLast = redrive && messages.every(({ receiveCount }) => receiveCount >= redrive.receivesMax);
  const next = isLast ? `to ${redrive.deadLetterQueueName}` : "again";
  return `${next} in ${visibilityTimeoutSeconds} s`;
}

/** Builds the record of a message; see the example event in "Using Lambda with Amazon SQS". */
function toRecord(message: StoredMessage, queueArn: string): object {
  return {
    messageId: message.messageId,
    receiptHandle: message.receiptHandle,
    body: message.body,
    attributes: systemAttributes(message),
    messageAttributes: {},
    md5OfBody: bodyMd5(message.body),
    eventSource: "aws:sqs",
    eventSourceARN: queueArn,
    awsRegion: "us-east-1",
  };
}
