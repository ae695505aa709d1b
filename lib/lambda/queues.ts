import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import { ArnFormat, Duration, Stack } from "aws-cdk-lib/core";
import { Construct } from "constructs";

export interface QueuesProps {
  /** Time within which an object must have a row. @default - `orphanDelaySeconds` */
  readonly orphanDelay?: Duration | undefined;
  /** @default - the longest duration of a response: 28 s in its function, 30 s until the edge times out */
  readonly invalidationDelay?: Duration | undefined;
  /** True if webhooks are configured. */
  readonly hasWebhooks: boolean;
  /**
   * The pause after a webhook's first failed attempt.
   * @default - 5 s
   */
  readonly webhookPause?: Duration | undefined;
}

/**
 * Seconds between an object's creation and the check of its row: the longest delay of a queue (Amazon SQS developer guide, "Amazon SQS delay
 * queues"). Repeated completions of an upload store the same object, so that the first check must run after the last row was written.
 */
export const orphanDelaySeconds = 900;

/** The timeout of the functions that process the queues. */
export const workerTimeout = Duration.minutes(1);

/** Window in which messages are gathered into a batch. */
export const batchWindow = Duration.seconds(2);

/** Deliveries of a message before it becomes a dead letter; AWS Lambda developer guide, "Configuring a queue to use with Lambda". */
const deliveriesMax = 5;

/** Queues of postponed work, and of dead letters. */
export class Queues extends Construct {
  /** A message for each view of a drop. */
  readonly views: Queue;
  /**
   * Queue of later checks: rows of created objects, and repeated or postponed invalidations. They share one queue, since polling costs 26
   * cents a month for each.
   */
  readonly followUps: Queue;
  /**
   * A message for each event and each webhook address.
   * @default - no webhooks
   */
  readonly webhooks: Queue | undefined;
  /** Pause before the second attempt of a webhook. */
  readonly webhookPause: Duration;
  /** Minimum delay of a second invalidation. */
  readonly invalidationDelay: Duration;
  /**
   * Dead letters of all kinds, with one alarm. A queue's message has the attribute `DeadLetterQueueSourceArn`; others
   * point at records of the stream or an invocation. Any queue of the account may use it, since naming ours would
   * close a cycle.
   */
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, props: QueuesProps) {
    super(scope, id);
    this.deadLetters = new Queue(this, "DeadLetters", { ...common, retentionPeriod: Duration.days(14) });
    this.views = this.#queue("Views");
    // Existing stacks have this name: a new name would replace the queue, and lose its messages and the buckets' notifications.
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
      // Six times the timeout, and the window: the same chapter.
      visibilityTimeout: Duration.seconds(6 * workerTimeout.toSeconds() + batchWindow.toSeconds()),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: deliveriesMax },
    });
  }

  /**
   * Allows any bucket of the account: naming ours would close a cycle, since CloudFormation requires the queue's permission before a bucket
   * sends to it. Amazon S3 user guide, "Granting permissions to publish event notification messages".
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

// One policy for each queue: with a shared one, the deletion of old policies in an upgrade would clear it.
const common = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true };
