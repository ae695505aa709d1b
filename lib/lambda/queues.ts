import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import { ArnFormat, Duration, Stack } from "aws-cdk-lib/core";
import { Construct } from "constructs";

export interface QueuesProps {
  /** Delay before the check that a table item refers to a stored object. @default - `orphanDelaySeconds` */
  readonly orphanDelay?: Duration | undefined;
  /**
   * Minimum delay of the second invalidation.
   *
   * @default - the longest duration of a response: 28 s in the function, and 30 s until the edge times out
   */
  readonly invalidationDelay?: Duration | undefined;
  /** True if webhooks are configured. */
  readonly hasWebhooks: boolean;
  /** Delay after the first failed attempt of a webhook delivery. @default - 5 s */
  readonly webhookPause?: Duration | undefined;
}

/**
 * Seconds between an object's creation and the check that a table item refers to the object. If the completion of an upload is repeated,
 * the object is stored again before the item is written, so the delay is the maximum that SQS supports. See "Amazon SQS delay queues",
 * Amazon SQS developer guide.
 */
export const orphanDelaySeconds = 900;

/** Timeout of the functions that process the queues. */
export const workerTimeout = Duration.minutes(1);

/** Maximum time that Lambda waits to fill a batch with messages. */
export const batchWindow = Duration.seconds(2);

/**
 * Number of deliveries before a message becomes a dead letter; see "Configuring a queue to use with Lambda", AWS Lambda developer guide.
 */
const deliveriesMax = 5;

/** Queues for deferred work and for dead letters. */
export class Queues extends Construct {
  /** Queue with a message for each view of a drop. */
  readonly views: Queue;
  /**
   * Queue for checks that table items refer to stored objects, and for repeated or deferred invalidations. One queue serves both purposes,
   * because polling costs 26 cents a month per queue.
   */
  readonly followUps: Queue;
  /** Queue with a message for each event and webhook. @default - no webhooks */
  readonly webhooks: Queue | undefined;
  /** Delay before the second attempt of a webhook delivery. */
  readonly webhookPause: Duration;
  /** Minimum delay of the second invalidation. */
  readonly invalidationDelay: Duration;
  /**
   * Single dead-letter queue for all kinds of work, so that one alarm covers them all. A message from a queue has the attribute
   * `DeadLetterQueueSourceArn`. Other messages refer to stream records or to an invocation. Any queue of the account may use this queue,
   * because naming the stack's queues would create a dependency cycle.
   */
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, props: QueuesProps) {
    super(scope, id);
    this.deadLetters = new Queue(this, "DeadLetters", { ...common, retentionPeriod: Duration.days(14) });
    this.views = this.#queue("Views");
    // A new construct name would replace the queue of existing stacks, and lose its messages and the buckets' notifications.
    this.followUps = this.#queue("Orphans", props.orphanDelay ?? Duration.seconds(orphanDelaySeconds));
    this.webhooks = props.hasWebhooks ? this.#queue("Webhooks") : undefined;
    this.webhookPause = props.webhookPause ?? Duration.seconds(5);
    this.invalidationDelay = props.invalidationDelay ?? Duration.seconds(60);
    this.followUps.addToResourcePolicy(this.#sendFromBuckets());
  }

  #queue(id: string, deliveryDelay = Duration.seconds(0)): Queue {
    return new Queue(this, id, {
      ...common,
      deliveryDelay,
      retentionPeriod: Duration.days(4),
      // Six times the function's timeout plus the batch window, as recommended in "Configuring a queue to use with Lambda".
      visibilityTimeout: Duration.seconds(6 * workerTimeout.toSeconds() + batchWindow.toSeconds()),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: deliveriesMax },
    });
  }

  /**
   * Allows any bucket of the account to send messages. Naming the stack's buckets would create a dependency cycle, because CloudFormation
   * requires the queue's permission before a bucket can send. See "Granting permissions to publish event notification messages", Amazon S3
   * user guide.
   */
  #sendFromBuckets(): PolicyStatement {
    const stack = Stack.of(this);
    const anyBucket = { service: "s3", region: "", account: "", resource: "*" };
    const sourceArn = stack.formatArn({ ...anyBucket, arnFormat: ArnFormat.NO_RESOURCE_NAME });
    return new PolicyStatement({
      principals: [new ServicePrincipal("s3.amazonaws.com")],
      actions: ["sqs:SendMessage"],
      resources: [this.followUps.queueArn],
      conditions: {
        ArnLike: { "aws:SourceArn": sourceArn },
        StringEquals: { "aws:SourceAccount": stack.account },
      },
    });
  }
}

// Each queue has its own policy. An upgrade to a shared policy would clear the shared policy when it deletes the old ones.
const common = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true };
