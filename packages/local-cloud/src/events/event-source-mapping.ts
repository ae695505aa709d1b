import { defaultTimeoutSeconds } from "../lambda/lambda-function.ts";
import { findResource, type Resource, resourcesOfType, type Template } from "../template.ts";
import { type EventPattern, parseEventPattern } from "./event-pattern.ts";

/** Properties that the mappings of queues and streams share. */
export interface Mapping {
  readonly logicalId: string;
  readonly functionName: string;
  readonly roleArn: string;
  readonly sourceArn: string;
  readonly batchSize: number;
  readonly batchWindowSeconds: number;
  readonly reportsItemFailures: boolean;
}

/** A mapping from a queue. */
export interface QueueMapping extends Mapping {
  readonly kind: "queue";
  readonly functionTimeoutSeconds: number;
  readonly concurrencyMax: number;
}

/** A mapping from the stream of a table. */
export interface StreamMapping extends Mapping {
  readonly kind: "stream";
  readonly startsAt: "LATEST" | "TRIM_HORIZON";
  readonly filter: EventPattern;
  readonly bisects: boolean;
  /** Maximum number of retries. Infinity without a limit. */
  readonly retriesMax: number;
  /** Maximum age of a record. Infinity without a limit. */
  readonly recordAgeSecondsMax: number;
  /** The queue that receives discarded batches. */
  readonly onFailureQueueArn: string | undefined;
}

type Properties = Readonly<Record<string, unknown>>;

/** Default batch sizes; see "CreateEventSourceMapping", AWS Lambda API reference. */
const queueBatchSize = 10;
const streamBatchSize = 100;
/** Maximum number of concurrent batches. Lambda starts with five; see "Configuring scaling behavior for SQS event source mappings". */
const concurrencyMax = 5;
/** Maximum number of filters of a mapping, without a quota increase; see "Lambda quotas". */
const filtersMax = 5;

const commonProperties = [
  "EventSourceArn",
  "FunctionName",
  "Enabled",
  "BatchSize",
  "MaximumBatchingWindowInSeconds",
  "FunctionResponseTypes",
  "MetricsConfig",
  "Tags",
];
const queueProperties = ["ScalingConfig"];
/** Properties of a stream's mapping. ParallelizationFactor has no effect, because keys may also be processed sequentially. */
const streamProperties = [
  "StartingPosition",
  "FilterCriteria",
  "BisectBatchOnFunctionError",
  "MaximumRetryAttempts",
  "MaximumRecordAgeInSeconds",
  "ParallelizationFactor",
  "DestinationConfig",
];
/** Top-level fields that a pattern may have; see "DynamoDB event filtering". */
const streamFields = [
  "eventID",
  "eventName",
  "eventVersion",
  "eventSource",
  "awsRegion",
  "dynamodb",
  "userIdentity",
];

/** Returns the enabled event source mappings of the template. Throws for a source or property that is not emulated. */
export function eventSourceMappingsOf(template: Template): (QueueMapping | StreamMapping)[] {
  return resourcesOfType(template, "AWS::Lambda::EventSourceMapping")
    .filter(({ properties }) => properties.Enabled !== false)
    .map((resource) => parseMapping(template, resource));
}

function parseMapping(template: Template, { logicalId, properties }: Resource): QueueMapping | StreamMapping {
  const sourceArn = String(properties.EventSourceArn);
  const isQueue = sourceArn.startsWith("arn:aws:sqs:");
  if (!isQueue && !/^arn:aws:dynamodb:.*:table\/[^/]+\/stream\//.test(sourceArn)) {
    throw new Error(
      `${logicalId}: the local cloud reads events from queues and table streams, not from ${sourceArn}`,
    );
  }
  refuseUnknown(logicalId, properties, isQueue ? queueProperties : streamProperties);
  const functionName = String(properties.FunctionName).replace(/^.*:function:/, "");
  const target = findResource(template, "AWS::Lambda::Function", functionName);
  if (!target) throw new Error(`${logicalId}: there is no function ${functionName} in the template`);
  const { Role, Timeout = defaultTimeoutSeconds } = target.properties;
  const common = {
    logicalId,
    functionName,
    roleArn: String(Role),
    sourceArn,
    batchSize: Number(properties.BatchSize ?? (isQueue ? queueBatchSize : streamBatchSize)),
    batchWindowSeconds: Number(properties.MaximumBatchingWindowInSeconds ?? 0),
    reportsItemFailures: [properties.FunctionResponseTypes ?? []].flat().includes("ReportBatchItemFailures"),
  };
  if (!isQueue) return { ...common, ...parseStream(logicalId, properties) };
  if (common.batchSize > queueBatchSize && common.batchWindowSeconds < 1) {
    throw new Error(
      `${logicalId}: a BatchSize of ${common.batchSize} needs a MaximumBatchingWindowInSeconds of 1 or more`,
    );
  }
  const { MaximumConcurrency } = (properties.ScalingConfig ?? {}) as { MaximumConcurrency?: number };
  return {
    ...common,
    kind: "queue",
    functionTimeoutSeconds: Number(Timeout),
    concurrencyMax: Math.min(Number(MaximumConcurrency ?? concurrencyMax), concurrencyMax),
  };
}

function parseStream(logicalId: string, properties: Properties): Omit<StreamMapping, keyof Mapping> {
  const startsAt = properties.StartingPosition;
  if (startsAt !== "LATEST" && startsAt !== "TRIM_HORIZON") {
    throw new Error(
      `${logicalId}: StartingPosition of a table's stream must be LATEST or TRIM_HORIZON, not ${JSON.stringify(startsAt)}`,
    );
  }
  const { OnFailure } = (properties.DestinationConfig ?? {}) as { OnFailure?: { Destination?: string } };
  const destination = OnFailure?.Destination;
  if (destination !== undefined && !destination.startsWith("arn:aws:sqs:")) {
    throw new Error(`${logicalId}: the local cloud supports only a queue as OnFailure, not ${destination}`);
  }
  return {
    kind: "stream",
    startsAt,
    filter: parseFilter(logicalId, properties.FilterCriteria),
    bisects: properties.BisectBatchOnFunctionError === true,
    retriesMax: orInfinity(properties.MaximumRetryAttempts),
    recordAgeSecondsMax: orInfinity(properties.MaximumRecordAgeInSeconds),
    onFailureQueueArn: destination,
  };
}

function parseFilter(logicalId: string, criteria: unknown): EventPattern {
  const { Filters = [] } = (criteria ?? {}) as { Filters?: { Pattern: string }[] };
  if (Filters.length > filtersMax) {
    throw new Error(
      `${logicalId}: FilterCriteria may have at most ${filtersMax} filters, not ${Filters.length}`,
    );
  }
  const patterns = Filters.map(({ Pattern }, index) => {
    const origin = `${logicalId}.FilterCriteria.Filters[${index}]`;
    const pattern = parseEventPattern(Pattern, origin);
    const unknown = Object.keys(JSON.parse(Pattern)).filter(
      (name) => name !== "$or" && !streamFields.includes(name),
    );
    if (unknown.length > 0) {
      throw new Error(
        `${origin}: a stream record has no ${unknown.join(", ")}, only ${streamFields.join(", ")}`,
      );
    }
    return pattern;
  });
  return (record) => patterns.length === 0 || patterns.some((matches) => matches(record));
}

/** Reads a limit. -1 and a missing value mean that there is no limit. */
function orInfinity(value: unknown): number {
  return value === undefined || value === -1 ? Number.POSITIVE_INFINITY : Number(value);
}

function refuseUnknown(logicalId: string, properties: Properties, known: readonly string[]): void {
  const unknown = Object.keys(properties).filter(
    (name) => !commonProperties.includes(name) && !known.includes(name),
  );
  if (unknown.length === 0) return;
  throw new Error(
    `${logicalId}: the local cloud does not emulate ${unknown.join(", ")} of this event source mapping`,
  );
}
