import { AttributeType, BillingMode, StreamViewType, Table } from "aws-cdk-lib/aws-dynamodb";
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type BucketProps,
  type CfnBucket,
  type LifecycleRule,
  ObjectOwnership,
} from "aws-cdk-lib/aws-s3";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Duration, RemovalPolicy } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import { stagedPrefix } from "../functions/blobs/blob.ts";
import { pageTextDays, pageTextPrefix } from "../functions/feedback/feedback.ts";
import { cardsPrefix, reportDays, reportsPrefix } from "../functions/renders/render.ts";
import { replacedSegmentDays, searchPrefix } from "../functions/search/search-document.ts";
import { fileVersionDays, recoveryDays, stagedVersionDays } from "./retention.ts";
import type { Stage } from "./settings.ts";

export interface StorageProps {
  readonly stage: Stage;
  /** True if AWS Backup backs up the buckets. */
  readonly isBackedUp: boolean;
  /** Queue that receives a message for each created object. */
  readonly createdObjects: Queue;
}

/** Properties of a versioned bucket that only roles of this account can read. */
export const privateBucket = {
  versioned: true,
  encryption: BucketEncryption.S3_MANAGED,
  enforceSSL: true,
  blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
  objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
} as const satisfies BucketProps;

/** Storage of the service: one table, and a bucket each for pages and files. */
export class Storage extends Construct {
  readonly table: Table;
  readonly pages: Bucket;
  readonly blobs: Bucket;

  constructor(scope: Construct, id: string, { stage, isBackedUp, createdObjects }: StorageProps) {
    super(scope, id);
    const isProduction = stage === "production";
    this.table = new Table(this, "Table", {
      partitionKey: { name: "pk", type: AttributeType.STRING },
      sortKey: { name: "sk", type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      stream: StreamViewType.NEW_AND_OLD_IMAGES,
      timeToLiveAttribute: "ttl",
      pointInTimeRecoverySpecification: {
        pointInTimeRecoveryEnabled: true,
        recoveryPeriodInDays: recoveryDays,
      },
      deletionProtection: isProduction,
      // RETAIN keeps the table in a rollback. A rollback of a failed first deployment would otherwise fail too, because it cannot delete
      // the protected table.
      removalPolicy: isProduction ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    this.pages = this.#bucket("Pages", stage, [
      oldVersions(recoveryDays),
      oldStagedVersions,
      // Deleted renders expire early, because they are created again on request or when a version is restored.
      expire("expire-old-cards", cardsPrefix, { oldDays: stagedVersionDays }),
      expire("expire-reports", reportsPrefix, { days: reportDays, oldDays: stagedVersionDays }),
      expire("expire-search", searchPrefix, { oldDays: replacedSegmentDays }),
      expire("expire-words", pageTextPrefix, { days: pageTextDays, oldDays: stagedVersionDays }),
    ]);
    this.blobs = this.#bucket("Blobs", stage, [oldVersions(fileVersionDays), oldStagedVersions]);
    for (const bucket of [this.pages, this.blobs]) notifyOfCreated(bucket, createdObjects, isBackedUp);
  }

  /** Creates a versioned bucket. Deleted objects are kept as old versions, which readers and functions cannot see. */
  #bucket(id: string, stage: Stage, expiration: readonly LifecycleRule[]): Bucket {
    return new Bucket(this, id, {
      ...privateBucket,
      removalPolicy: removalPolicyOf(stage),
      lifecycleRules: [abandonedUploads, ...expiration],
    });
  }
}

/**
 * Returns the removal policy for a resource with data. In production, the resource is deleted only if the deployment that creates it fails,
 * while it is still empty.
 */
export function removalPolicyOf(stage: Stage): RemovalPolicy {
  return stage === "production" ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
}

/**
 * Sends a message to the queue for each created object. Sets the CloudFormation property, because the construct's method would add a
 * function that sets it. AWS Backup needs the bucket's EventBridge notifications, and would otherwise turn them on without CloudFormation;
 * see "Amazon S3 backups", AWS Backup developer guide.
 */
function notifyOfCreated(bucket: Bucket, queue: Queue, isBackedUp: boolean): void {
  const resource = bucket.node.defaultChild as CfnBucket;
  resource.notificationConfiguration = {
    queueConfigurations: [{ event: "s3:ObjectCreated:*", queue: queue.queueArn }],
    ...(isBackedUp ? { eventBridgeConfiguration: { eventBridgeEnabled: true } } : {}),
  };
  // The queue's policy must exist first, because S3 sends a test message to the queue when the notification is configured.
  resource.node.addDependency(queue.node.findChild("Policy"));
}

/** Limits the cost of uploads that were never completed. */
const abandonedUploads: LifecycleRule = {
  id: "abort-incomplete-uploads",
  abortIncompleteMultipartUploadAfter: Duration.days(1),
};

/** Limits the cost of deleted objects: deletes their old versions, and then their delete markers. */
function oldVersions(days: number): LifecycleRule {
  return {
    id: "expire-old-versions",
    noncurrentVersionExpiration: Duration.days(days),
    expiredObjectDeleteMarker: true,
  };
}

/**
 * Deletes old versions of staged uploads early. If several rules match, the shortest period applies; see "Examples of S3 Lifecycle
 * configurations", Amazon S3 user guide.
 */
const oldStagedVersions = expire("expire-old-staged-versions", stagedPrefix, { oldDays: stagedVersionDays });

/** Deletes old versions of objects with a prefix. If `days` is given, also deletes the objects themselves. */
function expire(
  id: string,
  prefix: string,
  { days, oldDays }: { readonly days?: number; readonly oldDays: number },
): LifecycleRule {
  return {
    id,
    prefix,
    expiration: days === undefined ? undefined : Duration.days(days),
    noncurrentVersionExpiration: Duration.days(oldDays),
  };
}
