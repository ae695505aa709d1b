import type { Queue } from "./queue.ts";
import { sqsError } from "./sqs-errors.ts";

/** The response to GetQueueAttributes. */
export function queueAttributes(queue: Queue, input: Readonly<Record<string, unknown>>): object {
  const all = attributesOf(queue);
  const asked = (input.AttributeNames ?? []) as string[];
  const unknown = asked.filter((name) => !["All", "RedrivePolicy"].includes(name) && all[name] === undefined);
  if (unknown.length > 0) {
    throw sqsError("InvalidAttributeName", `Unknown Attribute ${unknown.join(", ")}.`);
  }
  const entries = Object.entries(all).filter(([name]) => asked.includes("All") || asked.includes(name));
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
