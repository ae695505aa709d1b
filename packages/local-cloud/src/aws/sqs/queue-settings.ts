import { type Resource, resourcesOfType, type Template } from "../../template.ts";

/** A queue of the template. */
export interface QueueSettings {
  readonly name: string;
  readonly arn: string;
  /** Seconds until a sent message becomes visible. A request can override this value. */
  readonly delaySeconds: number;
  /** Seconds until a received message becomes visible again. A request can override this value. */
  readonly visibilityTimeoutSeconds: number;
  readonly retentionSeconds: number;
  readonly messageBytesMax: number;
  readonly receiveWaitSeconds: number;
  /** Dead-letter queue for messages that were received too often. */
  readonly redrive: { readonly deadLetterQueueName: string; readonly receivesMax: number } | undefined;
}

/** Default values of a queue's properties; see "AWS::SQS::Queue". */
const VISIBILITY_TIMEOUT_SECONDS = 30;
const RETENTION_SECONDS = 345_600;
const MESSAGE_BYTES_MAX = 1_048_576;

/** Properties without a local effect: names, SQS-managed encryption, permission to redrive, and tags. */
const WITHOUT_LOCAL_EFFECT = ["QueueName", "SqsManagedSseEnabled", "RedriveAllowPolicy", "Tags"];
const EMULATED = [
  "DelaySeconds",
  "VisibilityTimeout",
  "MessageRetentionPeriod",
  "MaximumMessageSize",
  "ReceiveMessageWaitTimeSeconds",
  "RedrivePolicy",
];

/**
 * Returns the standard queues of the template, in the template's order. Throws an Error for a property that is not emulated, such as
 * FifoQueue, and for a missing dead-letter queue.
 */
export function queuesOf(template: Template): QueueSettings[] {
  const queues = resourcesOfType(template, "AWS::SQS::Queue").map(parseQueue);
  for (const { name, redrive } of queues) {
    if (redrive && !queues.some((queue) => queue.name === redrive.deadLetterQueueName)) {
      throw new Error(
        `${name}: its dead-letter queue ${redrive.deadLetterQueueName} is not a queue of the template`,
      );
    }
  }
  return queues;
}

/** Returns a queue's name, which is the last part of the queue's ARN and of its URL. */
export function queueNameOf(arnOrUrl: string): string {
  return arnOrUrl.split(/[:/]/).at(-1) ?? "";
}

function parseQueue({ logicalId, physicalId, arn, properties }: Resource): QueueSettings {
  const known = [...EMULATED, ...WITHOUT_LOCAL_EFFECT];
  const unknown = Object.keys(properties).filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new Error(
      `${logicalId}: the local cloud does not emulate ${unknown.join(", ")} of AWS::SQS::Queue`,
    );
  }
  const numberOf = (name: string, fallback: number) => Number(properties[name] ?? fallback);
  return {
    name: queueNameOf(physicalId),
    arn,
    delaySeconds: numberOf("DelaySeconds", 0),
    visibilityTimeoutSeconds: numberOf("VisibilityTimeout", VISIBILITY_TIMEOUT_SECONDS),
    retentionSeconds: numberOf("MessageRetentionPeriod", RETENTION_SECONDS),
    messageBytesMax: numberOf("MaximumMessageSize", MESSAGE_BYTES_MAX),
    receiveWaitSeconds: numberOf("ReceiveMessageWaitTimeSeconds", 0),
    redrive: parseRedrive(properties.RedrivePolicy),
  };
}

function parseRedrive(value: unknown): QueueSettings["redrive"] {
  if (value === undefined) return undefined;
  const policy = value as { deadLetterTargetArn: string; maxReceiveCount: number | string };
  return {
    deadLetterQueueName: queueNameOf(policy.deadLetterTargetArn),
    receivesMax: Number(policy.maxReceiveCount),
  };
}
