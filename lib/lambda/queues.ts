import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import { ArnFormat, Duration, Stack } from "aws-cdk-lib/core";
import { Construct } from "constructs";

export interface QueuesProps {
  /** How long an object may be without a row that points at it. @default - `orphanDelaySeconds` */
  readonly orphanDelay?: Duration | undefined;
  /** @default - the longest that a response is under way: 28 s in its function, 30 s until the edge gives it up */
  readonly invalidationDelay?: Duration | undefined;
  /** Whether addresses are told what happens. */
  readonly hasWebhooks: boolean;
  /** The first pause after one of them did not take it. @default - 5 s */
  readonly webhookPause?: Duration | undefined;
}

/**
 * How long after it was stored an object must have its row: the longest that a queue delays a message (Amazon SQS
 * developer guide, "Amazon SQS delay queues"). Every completion of an upload stores the same object, so that the check of
 * the first must come after the row of the last, which is there by the upload's end and a function's time.
 */
export const orphanDelaySeconds = 900;

/** The timeout of the functions that work through the queues. */
export const workerTimeout = Duration.minutes(1);

/** How long messages are gathered before they are worked through. */
export const batchWindow = Duration.seconds(2);

/** Deliveries of a message before it is given up; AWS Lambda developer guide, "Configuring a queue to use with Lambda". */
const deliveriesMax = 5;

/** What waits to be worked through, and what was given up. */
export class Queues extends Construct {
  /** A message for each view of a drop. */
  readonly views: Queue;
  /**
   * What is to be looked at later: each object created, when its row must be there, and invalidations that are to be done
   * once more, or again, each of which says itself when it comes out. One queue for both: each costs 26 cents a month for
   * being asked.
   */
  readonly followUps: Queue;
  /** A message for each event and each address that is told of it. @default - none is */
  readonly webhooks: Queue | undefined;
  /** How long a webhook waits that was not taken, before it is tried a second time. */
  readonly webhookPause: Duration;
  /** How long a second invalidation waits at least. */
  readonly invalidationDelay: Duration;
  /**
   * What was given up, whatever it was: one alarm watches it. A message of a queue says by its attribute
   * `DeadLetterQueueSourceArn` which; what has none tells where to find records of the table's stream, or of an invocation. Any queue of the
   * account may use it: naming ours would close a cycle, since each of them names it.
   */
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, props: QueuesProps) {
    super(scope, id);
    this.deadLetters = new Queue(this, "DeadLetters", { ...common, retentionPeriod: Duration.days(14) });
    this.views = this.#queue("Views");
    // Named so in stacks that are there already, whose buckets and messages it keeps.
    this.followUps = this.#queue("Orphans", {
      deliveryDelay: props.orphanDelay ?? Duration.seconds(orphanDelaySeconds),
    });
    this.webhooks = props.hasWebhooks ? this.#queue("Webhooks") : undefined;
    this.webhookPause = props.webhookPause ?? Duration.seconds(5);
    this.invalidationDelay = props.invalidationDelay ?? Duration.seconds(60);
    this.followUps.addToResourcePolicy(this.#sendFromBuckets());
  }

  #queue(id: string, { deliveryDelay = Duration.seconds(0) }: QueueOptions = {}): Queue {
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
   * Any bucket of the account: naming ours would close a cycle, since CloudFormation lets a bucket send only to a
   * queue that takes it already. Amazon S3 user guide, "Granting permissions to publish event notification messages".
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

interface QueueOptions {
  /** @default - none */
  readonly deliveryDelay?: Duration;
}

// A policy of each queue's own: where one resource were the policy of several, the deletion of the old ones in an upgrade would clear it.
const common = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true };
