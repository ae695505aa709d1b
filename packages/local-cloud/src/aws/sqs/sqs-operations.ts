import type { JsonInput } from "../json-protocol.ts";
import type { Queue } from "./queue.ts";
import { bodyMd5, presentMessage } from "./received-message.ts";
import { simpleQueueServiceError, sqsError } from "./sqs-errors.ts";
import { readDelay, readEntries, readInteger, readMessageBody, readReceiptHandle } from "./sqs-input.ts";

/** One authorized request to an existing queue. */
interface Call {
  readonly queue: Queue;
  readonly input: JsonInput;
  /** URL of the queue for this caller. */
  readonly queueUrl: string;
  /** Aborted when the client disconnects or the local cloud stops. */
  readonly signal: AbortSignal;
}

/** An operation of the Amazon SQS API Reference. */
export interface Operation {
  /** Action that the caller's role must allow. A batch requires the same action as a single message. */
  readonly action: string;
  /** Property of the request that names the queue. */
  readonly queueIn: "QueueUrl" | "QueueName";
  readonly run: (call: Call) => object | Promise<object>;
}

/** Maximum visibility timeout, and maximum wait for a message; see "Amazon SQS message quotas". */
const VISIBILITY_SECONDS_MAX = 43_200;
const WAIT_SECONDS_MAX = 20;
const RECEIVED_COUNT_MAX = 10;

const onQueue = (action: string, run: Operation["run"]): Operation => ({ action, queueIn: "QueueUrl", run });

/** Emulated operations, by name. */
export const sqsOperations: Readonly<Record<string, Operation | undefined>> = {
  SendMessage: onQueue("SendMessage", sendMessage),
  SendMessageBatch: onQueue("SendMessage", sendMessageBatch),
  ReceiveMessage: onQueue("ReceiveMessage", receiveMessage),
  DeleteMessage: onQueue("DeleteMessage", deleteMessage),
  DeleteMessageBatch: onQueue("DeleteMessage", deleteMessageBatch),
  ChangeMessageVisibility: onQueue("ChangeMessageVisibility", changeMessageVisibility),
  GetQueueAttributes: onQueue("GetQueueAttributes", getQueueAttributes),
  GetQueueUrl: {
    action: "GetQueueUrl",
    queueIn: "QueueName",
    run: ({ queueUrl }) => ({ QueueUrl: queueUrl }),
  },
};

function sendMessage({ queue, input }: Call): object {
  const body = readMessageBody(input, queue.settings.messageBytesMax);
  const messageId = queue.send({ body, delaySeconds: readDelay(input) });
  return { MessageId: messageId, MD5OfMessageBody: bodyMd5(body) };
}

/** Validates all messages before the first one is sent. */
function sendMessageBatch({ queue, input }: Call): object {
  const { messageBytesMax } = queue.settings;
  const messages = readEntries(input).map((entry) => ({
    id: entry.Id,
    body: readMessageBody(entry, messageBytesMax),
    delaySeconds: readDelay(entry),
  }));
  const sizeBytes = messages.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);
  if (sizeBytes > messageBytesMax) {
    throw simpleQueueServiceError(
      "BatchRequestTooLong",
      `Batch requests cannot be longer than ${messageBytesMax} bytes. You have sent ${sizeBytes} bytes.`,
    );
  }
  const sent = messages.map(({ id, ...message }) => ({
    Id: id,
    MessageId: queue.send(message),
    MD5OfMessageBody: bodyMd5(message.body),
  }));
  return { Successful: sent, Failed: [] };
}

async function receiveMessage({ queue, input, signal }: Call): Promise<object> {
  const countMax = readInteger(input, "MaxNumberOfMessages", 1, RECEIVED_COUNT_MAX) ?? 1;
  const visibilityTimeoutSeconds = readInteger(input, "VisibilityTimeout", 0, VISIBILITY_SECONDS_MAX);
  const waitSeconds =
    readInteger(input, "WaitTimeSeconds", 0, WAIT_SECONDS_MAX) ?? queue.settings.receiveWaitSeconds;
  const untilMs = Date.now() + waitSeconds * 1000;
  while (await queue.waitFor(1, untilMs, signal)) {
    const messages = queue.receive({ countMax, visibilityTimeoutSeconds });
    // The list is empty if another receiver was faster, or if all messages were moved to the dead-letter queue.
    if (messages.length > 0) return { Messages: messages.map((message) => presentMessage(message, input)) };
  }
  return {};
}

function deleteMessage({ queue, input }: Call): object {
  queue.delete(readReceiptHandle(input));
  return {};
}

function deleteMessageBatch({ queue, input }: Call): object {
  const entries = readEntries(input).map((entry) => ({ id: entry.Id, receipt: readReceiptHandle(entry) }));
  for (const { receipt } of entries) queue.delete(receipt);
  return { Successful: entries.map(({ id }) => ({ Id: id })), Failed: [] };
}

function changeMessageVisibility({ queue, input }: Call): object {
  const receiptHandle = readReceiptHandle(input);
  const timeoutSeconds = readInteger(input, "VisibilityTimeout", 0, VISIBILITY_SECONDS_MAX) ?? 0;
  if (queue.changeVisibility(receiptHandle, timeoutSeconds)) return {};
  throw simpleQueueServiceError("MessageNotInflight", "The specified message isn't in flight.");
}

function getQueueAttributes({ queue, input }: Call): object {
  const all = attributesOf(queue);
  const requested = (input.AttributeNames ?? []) as string[];
  const unknown = requested.filter(
    (name) => !["All", "RedrivePolicy"].includes(name) && all[name] === undefined,
  );
  if (unknown.length > 0) throw sqsError("InvalidAttributeName", `Unknown Attribute ${unknown.join(", ")}.`);
  const isAll = requested.includes("All");
  const entries = Object.entries(all).filter(([name]) => isAll || requested.includes(name));
  return { Attributes: Object.fromEntries(entries) };
}

function attributesOf({ settings, counts }: Queue): Record<string, string> {
  const { visible, inFlight, delayed } = counts();
  const { redrive } = settings;
  return {
    QueueArn: settings.arn,
    ApproximateNumberOfMessages: String(visible),
    ApproximateNumberOfMessagesNotVisible: String(inFlight),
    ApproximateNumberOfMessagesDelayed: String(delayed),
    DelaySeconds: String(settings.delaySeconds),
    VisibilityTimeout: String(settings.visibilityTimeoutSeconds),
    MessageRetentionPeriod: String(settings.retentionSeconds),
    MaximumMessageSize: String(settings.messageBytesMax),
    ReceiveMessageWaitTimeSeconds: String(settings.receiveWaitSeconds),
    ...(redrive && {
      RedrivePolicy: JSON.stringify({
        deadLetterTargetArn: settings.arn.replace(settings.name, redrive.deadLetterQueueName),
        maxReceiveCount: redrive.receivesMax,
      }),
    }),
  };
}
