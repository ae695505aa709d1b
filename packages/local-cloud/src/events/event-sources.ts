import { join } from "node:path";
import type { AwsEndpoint } from "../aws/aws-endpoint.ts";
import type { Access } from "../aws/aws-service.ts";
import type { Queue } from "../aws/sqs/queue.ts";
import { queueNameOf } from "../aws/sqs/queue-settings.ts";
import type { LambdaService } from "../lambda/lambda-service.ts";
import type { Template } from "../template.ts";
import { connectBucketNotifications } from "./bucket-notifications.ts";
import { type CheckpointStore, openCheckpointStore } from "./checkpoint-store.ts";
import {
  eventSourceMappingsOf,
  type Mapping,
  type QueueMapping,
  type StreamMapping,
} from "./event-source-mapping.ts";
import type { Poller } from "./poller.ts";
import { startQueuePoller } from "./queue-poller.ts";
import { startStreamPoller, storeStartPosition } from "./stream-poller.ts";
import { startStreamTrimming } from "./stream-trimming.ts";

interface EventSourceOptions {
  readonly template: Template;
  readonly awsEndpoint: Pick<AwsEndpoint, "queues" | "openStream" | "authorize" | "onObjectCreated">;
  readonly lambda: LambdaService;
  /** Folder for the SQLite file with the positions of streams. */
  readonly dataDirectory: string;
  readonly log: (line: string) => void;
}

/**
 * Connects buckets to queues, and queues and streams to functions. After the promise resolves, every write reaches its function, even
 * through a mapping that starts at LATEST.
 *
 * @throws Error for features that are not emulated, and for a mapping that AWS refuses
 */
export async function startEventSources(options: EventSourceOptions) {
  const { template, awsEndpoint, dataDirectory } = options;
  const mappings = eventSourceMappingsOf(template);
  for (const mapping of mappings) requireGrants(mapping, awsEndpoint);
  connectBucketNotifications(template, awsEndpoint);
  const checkpoints = openCheckpointStore(join(dataDirectory, "streams.sqlite"));
  const readers = mappings.flatMap(({ kind, logicalId, sourceArn }) =>
    kind === "stream" ? [{ logicalId, stream: awsEndpoint.openStream(sourceArn) }] : [],
  );
  // All pollers are prepared before the first one starts, so that an invalid mapping is reported before any event is read.
  const starts = await Promise.all(mappings.map((mapping) => preparePoller(mapping, checkpoints, options)));
  const pollers = starts.map((start) => start());
  const trimming = startStreamTrimming(readers, checkpoints, options.log);
  return {
    /** Accepts no further events, and waits for running invocations. */
    async stop(): Promise<void> {
      await trimming.stop();
      await Promise.all(pollers.map((poller) => poller.stop()));
      checkpoints.close();
    },
  };
}

async function preparePoller(
  mapping: QueueMapping | StreamMapping,
  checkpoints: CheckpointStore,
  options: EventSourceOptions,
): Promise<() => Poller> {
  if (mapping.kind === "queue") {
    const queue = queueOf(mapping.sourceArn, mapping, options);
    requireVisibilityTimeout(mapping, queue);
    return () => startQueuePoller({ ...options, mapping, queue });
  }
  const { sourceArn, onFailureQueueArn } = mapping;
  const stream = options.awsEndpoint.openStream(sourceArn);
  const onFailureQueue = onFailureQueueArn ? queueOf(onFailureQueueArn, mapping, options) : undefined;
  await storeStartPosition({ mapping, stream, checkpoints });
  return () => startStreamPoller({ ...options, mapping, checkpoints, stream, onFailureQueue });
}

function queueOf(arn: string, { logicalId }: Mapping, { awsEndpoint }: EventSourceOptions): Queue {
  const queue = awsEndpoint.queues.get(queueNameOf(arn));
  if (!queue) throw new Error(`${logicalId}: ${arn} is not a queue of the template`);
  return queue;
}

/**
 * Refuses a queue mapping whose messages would become visible while the function may still run, as Lambda does; see "Creating and
 * configuring an Amazon SQS event source mapping".
 */
function requireVisibilityTimeout(mapping: QueueMapping, { settings }: Queue): void {
  const { visibilityTimeoutSeconds } = settings;
  const { functionTimeoutSeconds, logicalId } = mapping;
  if (visibilityTimeoutSeconds >= functionTimeoutSeconds) return;
  throw new Error(
    `${logicalId}: Lambda would refuse this mapping. Queue visibility timeout: ${visibilityTimeoutSeconds} seconds is less than Function timeout: ${functionTimeoutSeconds} seconds`,
  );
}

/** Refuses a mapping if the function's role may not read the source or write to the destination, as Lambda does. */
function requireGrants(
  mapping: QueueMapping | StreamMapping,
  { authorize }: Pick<AwsEndpoint, "authorize">,
): void {
  for (const access of accessesOf(mapping)) {
    try {
      authorize(mapping.roleArn, access);
    } catch (error) {
      throw new Error(`${mapping.logicalId}: Lambda would refuse this mapping. ${(error as Error).message}`);
    }
  }
}

/** Returns the accesses that a mapping requires; see "Configuring the execution role permissions" (queues) and "Permissions" (streams). */
function accessesOf(mapping: QueueMapping | StreamMapping): Access[] {
  const on = (resourceArn: string, ...actions: string[]) =>
    actions.map((action): Access => ({ action, resourceArn }));
  const { sourceArn } = mapping;
  if (mapping.kind === "queue") {
    return on(sourceArn, "sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes");
  }
  const { onFailureQueueArn } = mapping;
  return [
    ...on(sourceArn, "dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator"),
    ...on("*", "dynamodb:ListStreams"),
    ...(onFailureQueueArn ? on(onFailureQueueArn, "sqs:SendMessage") : []),
  ];
}
