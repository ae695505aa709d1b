import { randomBytes, randomUUID } from "node:crypto";
import type { AwsEndpoint } from "../aws/aws-endpoint.ts";
import type { ObjectCreated } from "../aws/s3/notifying-store.ts";
import type { Queue, Reservation } from "../aws/sqs/queue.ts";
import { queuePoliciesOf } from "../aws/sqs/queue-policies.ts";
import { queueNameOf } from "../aws/sqs/queue-settings.ts";
import { type Resource, resourcesOfType, type Template } from "../template.ts";

/** A queue that is notified of a bucket's new objects. */
interface QueueConfiguration {
  readonly id: string;
  readonly bucket: string;
  /** Event type, such as `s3:ObjectCreated:*`. */
  readonly event: string;
  readonly queue: Queue;
  readonly prefix: string;
  readonly suffix: string;
}

const created = /^s3:ObjectCreated:(\*|Put|CompleteMultipartUpload)$/;

/**
 * Sends a message for each new object to the queues of the bucket's NotificationConfiguration, at least once; see "Amazon S3 Event
 * Notifications", Amazon S3 user guide. Sends a test message at each start, like S3 when the configuration is created.
 *
 * @throws Error on a configuration that is not emulated, and if a queue's policy does not allow the bucket to send
 */
export function connectBucketNotifications(
  template: Template,
  { queues, onObjectCreated }: Pick<AwsEndpoint, "queues" | "onObjectCreated">,
): void {
  const configurations = configurationsOf(template, queues);
  for (const { bucket, queue } of configurations) queue.send({ body: testMessage(bucket) });
  onObjectCreated((event) => {
    const reservations = configurations
      .filter((configuration) => concerns(configuration, event))
      .map((configuration): Reservation => {
        const body = JSON.stringify({ Records: [toRecord(event, configuration)] });
        return configuration.queue.reserve({ body });
      });
    return (isStored) => {
      for (const reservation of reservations) isStored ? reservation.send() : reservation.cancel();
    };
  });
}

function configurationsOf(template: Template, queues: AwsEndpoint["queues"]): QueueConfiguration[] {
  const policies = queuePoliciesOf(template);
  const buckets = resourcesOfType(template, "AWS::S3::Bucket");
  const configurations = buckets.flatMap((bucket) => parseConfigurations(bucket, queues));
  for (const { bucket, queue } of configurations) {
    const isAllowed = policies.allowsService("s3.amazonaws.com", {
      action: "sqs:SendMessage",
      resourceArn: queue.settings.arn,
      conditionKeys: { "aws:SourceArn": [`arn:aws:s3:::${bucket}`], "aws:SourceAccount": ["000000000000"] },
    });
    if (!isAllowed) {
      throw new Error(
        `${bucket}: S3 would refuse the NotificationConfiguration: no AWS::SQS::QueuePolicy allows s3.amazonaws.com to send to ${queue.settings.name} for this bucket`,
      );
    }
  }
  return configurations;
}

function parseConfigurations(bucket: Resource, queues: ReadonlyMap<string, Queue>): QueueConfiguration[] {
  const configuration = (bucket.properties.NotificationConfiguration ?? {}) as Record<string, unknown>;
  // EventBridgeConfiguration is ignored, because it only sends the bucket's events to AWS Backup, which is not emulated.
  const { QueueConfigurations = [], EventBridgeConfiguration: _, ...others } = configuration;
  if (Object.keys(others).length > 0) {
    throw new Error(
      `${bucket.logicalId}: the local cloud emulates QueueConfigurations, not ${Object.keys(others).join(", ")}`,
    );
  }
  return (QueueConfigurations as Record<string, unknown>[]).map(
    ({ Event, Queue: queueArn, Filter }, index) => {
      const queue = queues.get(queueNameOf(String(queueArn)));
      if (!queue) throw new Error(`${bucket.logicalId}: ${queueArn} is not a queue of the template`);
      if (!created.test(String(Event))) {
        throw new Error(
          `${bucket.logicalId}: the local cloud emulates s3:ObjectCreated events, not ${Event}`,
        );
      }
      return {
        id: `${bucket.logicalId}-${index}`,
        bucket: bucket.physicalId,
        event: String(Event),
        queue,
        ...parseFilter(Filter),
      };
    },
  );
}

function parseFilter(filter: unknown): { readonly prefix: string; readonly suffix: string } {
  const { S3Key } = (filter ?? {}) as { S3Key?: { Rules?: { Name: string; Value: string }[] } };
  const ruleOf = (name: string) => S3Key?.Rules?.find(({ Name }) => Name.toLowerCase() === name)?.Value ?? "";
  return { prefix: ruleOf("prefix"), suffix: ruleOf("suffix") };
}

function concerns({ bucket, event, prefix, suffix }: QueueConfiguration, object: ObjectCreated): boolean {
  return (
    object.bucket === bucket &&
    [`s3:${object.eventName}`, "s3:ObjectCreated:*"].includes(event) &&
    object.key.startsWith(prefix) &&
    object.key.endsWith(suffix)
  );
}

/** Builds the record of an event; see "Event message structure", Amazon S3 user guide. */
function toRecord(object: ObjectCreated, { id }: QueueConfiguration): object {
  const nowMs = Date.now();
  return {
    eventVersion: "2.1",
    eventSource: "aws:s3",
    awsRegion: "us-east-1",
    eventTime: new Date(nowMs).toISOString(),
    eventName: object.eventName,
    userIdentity: { principalId: "AWS:LOCAL" },
    requestParameters: { sourceIPAddress: "127.0.0.1" },
    responseElements: { "x-amz-request-id": randomUUID(), "x-amz-id-2": randomBytes(24).toString("base64") },
    s3: {
      s3SchemaVersion: "1.0",
      configurationId: id,
      bucket: {
        name: object.bucket,
        ownerIdentity: { principalId: "LOCAL" },
        arn: `arn:aws:s3:::${object.bucket}`,
      },
      object: {
        key: encodeKey(object.key),
        size: object.sizeBytes,
        eTag: object.etag.replaceAll('"', ""),
        sequencer: nowMs.toString(16).toUpperCase().padStart(18, "0"),
      },
    },
  };
}

/** Encodes a key for an event, where "the object key name value is URL encoded"; see "Event message structure". */
function encodeKey(key: string): string {
  return encodeURIComponent(key)
    .replaceAll("%2F", "/")
    .replaceAll("%20", "+")
    .replace(/[!'()]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

function testMessage(bucket: string): string {
  return JSON.stringify({
    Service: "Amazon S3",
    Event: "s3:TestEvent",
    Time: new Date().toISOString(),
    Bucket: bucket,
    RequestId: randomUUID(),
    HostId: randomBytes(24).toString("base64"),
  });
}
