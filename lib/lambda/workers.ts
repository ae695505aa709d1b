import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import {
  CfnEventInvokeConfig,
  type Code,
  EventSourceMapping,
  type EventSourceMappingOptions,
  FilterCriteria,
  FilterRule,
  type Function as LambdaFunction,
  StartingPosition,
} from "aws-cdk-lib/aws-lambda";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Duration } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import {
  concurrentExecutionsDefault,
  dueWorkMinutes,
  readerWayMinutes,
} from "../../functions/core/environment.ts";
import { streamRecordSecondsMax } from "../../functions/core/limits.ts";
import { type WorkerId, workerOf } from "../../functions/workers.ts";
import { constructId, workerSource } from "../bundle/function-source.ts";
import { FunctionLog } from "./function-log.ts";
import { functionRole } from "./function-roles.ts";
import {
  environmentOf,
  type GrantTargets,
  grantEnvironment,
  grantStatements,
  temporaryStorageFor,
} from "./grants.ts";
import { OperationFunction, operationFunctionPrefix } from "./operation-function.ts";
import { batchWindow, workerTimeout } from "./queues.ts";
import { invokeEvery, schedulerRole } from "./schedule.ts";

export interface WorkersProps extends GrantTargets {
  /** Base URL of the service. */
  readonly baseUrl: string;
  /** Maximum number of concurrent renders. @default 1 */
  readonly renderConcurrency?: number | undefined;
  /** Returns the code of a worker's function. */
  readonly codeOf: (id: WorkerId) => Code;
}

/**
 * Bounds for the concurrency of a queue's event source mapping; see "Configuring scaling behavior for SQS event source mappings", AWS
 * Lambda developer guide.
 */
const queueConcurrencyMin = 2;
const queueConcurrencyMax = 1_000;

/** Returns the concurrency for webhooks: a fiftieth of the account's limit, and at least two. */
function webhookConcurrency(concurrentExecutions = concurrentExecutionsDefault): number {
  const share = Math.floor(concurrentExecutions / 50);
  return Math.min(Math.max(queueConcurrencyMin, share), queueConcurrencyMax);
}

/** Timeouts of workers that process all pending work. Lambda's maximum is 15 minutes; see "Lambda quotas", AWS Lambda developer guide. */
const timeouts: { readonly [id in WorkerId]?: Duration } = {
  "render-page": Duration.minutes(15),
  "index-drops": Duration.minutes(15),
  "do-due-work": Duration.minutes(10),
  administer: Duration.minutes(15),
  // Allows for two requests of ten seconds each, and a cold start.
  "check-reader-way": Duration.seconds(30),
};

/**
 * Functions that process the table's stream and the queues. A new account has a concurrency of ten, and people wait for the other
 * functions. So each queue has the minimum concurrency, and each stream function runs once per shard. A stream supports at most two
 * readers; see "Change data capture for DynamoDB Streams", Amazon DynamoDB developer guide.
 */
export class Workers extends Construct {
  readonly janitor: LambdaFunction;
  readonly dropTracker: LambdaFunction;
  readonly indexDrops: LambdaFunction;
  readonly doDueWork: LambdaFunction;
  readonly checkReaderWay: LambdaFunction;
  readonly #log: FunctionLog;

  constructor(scope: Construct, id: string, props: WorkersProps) {
    super(scope, id);
    this.#log = new FunctionLog(this, "Log");
    // The janitor and the drop tracker invoke the render worker. Pending renders are in the table instead of an SQS queue, because an
    // account with a concurrency of 10 cannot reserve concurrency for a function.
    const renderPage = props.areRendered ? this.#addInvokedWorker("render-page", props).function : undefined;
    this.indexDrops = this.#addInvokedWorker("index-drops", props).function;
    const { indexDrops } = this;
    this.janitor = this.#addStreamWorker(
      "janitor",
      { ...props, renderPage },
      {
        filters: janitorFilters(props),
        // Combines an agent's successive writes into one invalidation, and still shows readers the changes within the promised 5 s.
        maxBatchingWindow: Duration.seconds(1),
      },
    );
    this.dropTracker = this.#addStreamWorker(
      "track-drops",
      { ...props, indexDrops },
      {
        // No batching window, because events and listings must be timely. A queue batches the changes for search.
        filters: dropFilters(props),
      },
    );
    this.#addQueueWorker("count-views", props.queues.views, props, {
      batchSize: 1_000,
    });
    this.#addQueueWorker(
      "follow-up",
      props.queues.followUps,
      { ...props, renderPage, indexDrops },
      {
        // A batch combines invalidations that are due at about the same time.
        batchSize: 100,
      },
    );
    this.doDueWork = this.#addInvokedWorker("do-due-work", props).function;
    // No dead-letter queue is needed, because an alarm reports failures.
    this.checkReaderWay = this.#addFunction("check-reader-way", props, []).function;
    this.#schedule({
      DueWork: [this.doDueWork, dueWorkMinutes],
      ReaderWay: [this.checkReaderWay, readerWayMinutes],
    });
    if (props.administrators) this.#addInvokedWorker("administer", props);
    const { webhooks } = props.queues;
    if (webhooks) {
      this.#addQueueWorker("deliver-webhook", webhooks, props, {
        // The function sends a batch's deliveries concurrently, so that a batch takes only as long as the slowest receiver.
        batchSize: 10,
        maxBatchingWindow: Duration.seconds(0),
        maxConcurrency: webhookConcurrency(props.concurrentExecutions),
      });
    }
  }

  #addStreamWorker(
    id: WorkerId,
    props: WorkersProps,
    options: Pick<EventSourceMappingOptions, "filters" | "maxBatchingWindow">,
  ): LambdaFunction {
    const { table } = props.storage;
    const streamArn = table.tableStreamArn;
    if (streamArn === undefined) throw new Error(`The table has no stream, but ${id} needs one.`);
    const { deadLetters } = props.queues;
    const worker = this.#addFunction(id, props, [
      new PolicyStatement({
        actions: ["dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator"],
        resources: [streamArn],
      }),
      // Lambda requires this action, which cannot be limited to a resource; see "Amazon DynamoDB", service authorization reference.
      new PolicyStatement({ actions: ["dynamodb:ListStreams"], resources: ["*"] }),
      new PolicyStatement({ actions: ["sqs:SendMessage"], resources: [deadLetters.queueArn] }),
    ]);
    new EventSourceMapping(worker, "Stream", {
      target: worker.function,
      eventSourceArn: streamArn,
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: 100,
      reportBatchItemFailures: true,
      bisectBatchOnError: true,
      // Bounds how long a failing change can delay later changes. A number of attempts would not bound the time, because Lambda's retry
      // intervals are not documented. The bound is long enough that an outage of a few minutes loses no changes.
      maxRecordAge: Duration.seconds(streamRecordSecondsMax),
      onFailure: { bind: () => ({ destination: deadLetters.queueArn }) },
      ...options,
    });
    return worker.function;
  }

  #addQueueWorker(
    id: WorkerId,
    queue: Queue,
    props: WorkersProps,
    options: EventSourceMappingOptions,
  ): LambdaFunction {
    const worker = this.#addFunction(id, props, [
      new PolicyStatement({
        actions: ["sqs:DeleteMessage", "sqs:GetQueueAttributes", "sqs:ReceiveMessage"],
        resources: [queue.queueArn],
      }),
    ]);
    new EventSourceMapping(worker, "Queue", {
      target: worker.function,
      eventSourceArn: queue.queueArn,
      maxBatchingWindow: batchWindow,
      reportBatchItemFailures: true,
      maxConcurrency: queueConcurrencyMin,
      ...options,
    });
    return worker.function;
  }

  /**
   * Invokes functions at fixed rates, with one role. If the work fails or Lambda drops the invocation, a later invocation does the work.
   */
  #schedule(schedules: Readonly<Record<string, readonly [LambdaFunction, minutes: number]>>): void {
    const scope = new Construct(this, "Schedules");
    const arns = Object.values(schedules).map(([{ functionArn }]) => functionArn);
    const role = schedulerRole(scope, arns);
    for (const [id, [{ functionArn }, minutes]] of Object.entries(schedules))
      invokeEvery(scope, id, { minutes, functionArn, role, input: "{}" });
  }

  #addInvokedWorker(id: WorkerId, props: WorkersProps): OperationFunction {
    const { deadLetters } = props.queues;
    const worker = this.#addFunction(id, props, [
      new PolicyStatement({ actions: ["sqs:SendMessage"], resources: [deadLetters.queueArn] }),
    ]);
    new CfnEventInvokeConfig(worker, "Invocations", {
      functionName: worker.function.functionName,
      qualifier: "$LATEST",
      maximumRetryAttempts: 2,
      maximumEventAgeInSeconds: Duration.hours(6).toSeconds(),
      destinationConfig: { onFailure: { destination: deadLetters.queueArn } },
    });
    return worker;
  }

  #addFunction(id: WorkerId, props: WorkersProps, statements: PolicyStatement[]): OperationFunction {
    const { grants, summary, memoryMegabytes } = workerOf(id);
    const name = keptNames[id] ?? constructId(id);
    return new OperationFunction(this, name, {
      // Operations' functions invoke this worker by name, because a reference would create a dependency cycle.
      ...(id === "administer" ? { functionName: `${operationFunctionPrefix}${id}` } : {}),
      description: summary,
      code: props.codeOf(id),
      exportName: workerSource(id).exportName,
      timeout: timeouts[id] ?? workerTimeout,
      environment: {
        ...addressesOf(id, props),
        ...Object.assign({}, ...grants.map((grant) => grantEnvironment(grant, props))),
      },
      role: functionRole(this, `${name}Role`, [
        this.#log.writeStatement(),
        ...statements,
        ...grants.flatMap((grant) => grantStatements(grant, props)),
      ]),
      log: this.#log,
      memoryMegabytes,
      temporaryStorage: temporaryStorageFor(grants),
    });
  }
}

/**
 * Returns environment variables that do not follow from a worker's grants. Workers that create URLs get the base URL and the base domain.
 * The render worker also gets the number of concurrent renders. The administration worker gets the time that responses in progress may
 * still take.
 */
function addressesOf(id: WorkerId, props: WorkersProps): Record<string, string> {
  const { baseUrl, baseDomain, renderConcurrency = 1 } = props;
  if (id === "check-reader-way") return environmentOf({ baseUrl, baseDomain });
  if (id === "administer")
    return environmentOf({ invalidationDelaySeconds: props.queues.invalidationDelay.toSeconds() });
  return id === "render-page" ? environmentOf({ baseUrl, baseDomain, renderConcurrency }) : {};
}

/**
 * Selects the changes that the janitor processes: deleted drops, versions and files, changed readers of a file, replaced renders, and drops
 * that were locked, restricted or given an expiry. If rendering or retention is on, also selects new versions. If rendering is on, also
 * selects requested reports. A filter cannot compare old and new values, so the janitor compares them.
 *
 * Sources, AWS Lambda developer guide: "Using event filtering with a DynamoDB event source"; "Lambda quotas" (five filters).
 */
const janitorFilters = ({
  areRendered,
  keepVersions,
}: Pick<WorkersProps, "areRendered" | "keepVersions">) => [
  // The filter requires a slug, because an owner's view counts have a sort key with the same prefix.
  changeOf("REMOVE", ["DROP#", "TRASH#"], { OldImage: { slug: { S: FilterRule.exists() } } }),
  areRendered
    ? changeOf(["REMOVE", "INSERT"], ["V#", "RENDER#"])
    : changeOf(keepVersions === undefined ? "REMOVE" : ["REMOVE", "INSERT"], "V#"),
  // For files, `MODIFY` means that the readers have changed, or that the bytes were moved to their final place.
  changeOf(["REMOVE", "MODIFY"], ["BLOB#", "RENDER#"]),
  changeOf("MODIFY", "DROP#", {
    NewImage: {
      slug: { S: FilterRule.exists() },
      $or: [{ passcodeHash: { S: FilterRule.exists() } }, { expiresAtMs: { N: FilterRule.exists() } }],
    },
  }),
  // A public drop has no attribute `visibility`, so this filter selects only restricted drops.
  changeOf("MODIFY", "DROP#", {
    NewImage: { slug: { S: FilterRule.exists() }, visibility: { S: FilterRule.notEquals("unlisted") } },
  }),
];

/** Construct names of functions in existing stacks. A new name would lose the function's position in the stream. */
const keptNames: { readonly [id in WorkerId]?: string } = { "track-drops": "IndexLibrary" };

/**
 * Selects the changes that the drop tracker processes: changes to drops, including drops in the trash; new comments, answers and access
 * requests; files that expire; finished renders; and with `auditEvents`, new audit entries. The drop tracker itself compares a drop's old
 * and new readers.
 */
const dropFilters = ({
  areRendered,
  auditEvents = false,
}: Pick<WorkersProps, "areRendered" | "auditEvents">) => [
  ...["NewImage", "OldImage"].map((image) =>
    FilterCriteria.filter({
      dynamodb: {
        Keys: { sk: { S: ["DROP#", "TRASH#"].flatMap(FilterRule.beginsWith) } },
        [image]: { slug: { S: FilterRule.exists() } },
      },
    }),
  ),
  // One filter selects new audit entries and readers' new comments, answers and access requests, because a stream supports at most five
  // filters.
  auditEvents
    ? FilterCriteria.filter({
        eventName: ["INSERT"],
        dynamodb: {
          Keys: {
            $or: [
              { sk: { S: ["COMMENT#", "ANSWER#", "ACCESS#"].flatMap(FilterRule.beginsWith) } },
              { pk: { S: FilterRule.beginsWith("AUDIT#") } },
            ],
          },
        },
      })
    : changeOf("INSERT", ["COMMENT#", "ANSWER#", "ACCESS#"]),
  changeOf(["INSERT", "MODIFY"], "BLOB#", { NewImage: { expiresAtMs: { N: FilterRule.exists() } } }),
  ...(areRendered
    ? [
        changeOf(["INSERT", "MODIFY"], "RENDER#", {
          NewImage: { state: { S: ["rendered", "failed"].flatMap(FilterRule.isEqual) } },
        }),
      ]
    : []),
];

type EventName = "INSERT" | "MODIFY" | "REMOVE";

function changeOf(
  eventName: EventName | readonly EventName[],
  sortKeyPrefix: string | readonly string[],
  images: object = {},
) {
  return FilterCriteria.filter({
    eventName: [eventName].flat(),
    dynamodb: { Keys: { sk: { S: [sortKeyPrefix].flat().flatMap(FilterRule.beginsWith) } }, ...images },
  });
}
