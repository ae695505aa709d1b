import { randomUUID } from "node:crypto";
import type { AwsEndpoint } from "../aws/aws-endpoint.ts";
import { queueNameOf } from "../aws/sqs/queue-settings.ts";
import { openDatabase } from "../database.ts";
import { TooManyRequestsError } from "../lambda/concurrency.ts";
import type { InvocationResult, LambdaService } from "../lambda/lambda-service.ts";
import { findResource, type Resource, resourcesOfType, type Template } from "../template.ts";

/** Delays before Lambda's further attempts, in milliseconds. */
interface RetryDelays {
  /** Delays after the function's first error, and after its second error. */
  readonly afterErrors: readonly [number, number];
  /** Delay after the first throttled attempt. It doubles with each further throttled attempt, up to a maximum. */
  readonly afterThrottles: { readonly first: number; readonly most: number };
}

/** Delays of Lambda; see "How Lambda handles errors and retries with asynchronous invocation", AWS Lambda developer guide. */
const documentedDelays: RetryDelays = {
  afterErrors: [60_000, 120_000],
  afterThrottles: { first: 1_000, most: 300_000 },
};

/** Delay before retrying an event whose invocation ended with the local cloud. Lambda also detects a lost invocation only after a delay. */
const resumedAfterMs = 2_000;

interface AsynchronousInvocationOptions {
  readonly template: Template;
  readonly lambda: Pick<LambdaService, "invoke">;
  readonly awsEndpoint: Pick<AwsEndpoint, "queues" | "authorize">;
  /** SQLite file that keeps events across restarts. */
  readonly path: string;
  readonly log: (line: string) => void;
  /** Delays between attempts. @default documentedDelays */
  readonly delays?: RetryDelays;
}

/** Lambda's queue of events for asynchronous invocations. */
export type AsynchronousInvocations = ReturnType<typeof startAsynchronousInvocations>;

/**
 * Accepts events and invokes functions with them. Retries failed events, then sends them to the destination in the template. See "Invoking
 * a Lambda function asynchronously", AWS Lambda developer guide, and the pages below it.
 *
 * @throws Error on a destination that is not emulated, or that the function's role may not write to
 */
export function startAsynchronousInvocations(options: AsynchronousInvocationOptions) {
  const { template, lambda, awsEndpoint, path, log, delays = documentedDelays } = options;
  const resources = resourcesOfType(template, "AWS::Lambda::EventInvokeConfig");
  const configs = new Map(resources.map((resource) => configOf(template, resource, awsEndpoint)));
  const store = openEventStore(path);
  const running = new Set<Promise<void>>();
  const timers = new Set<NodeJS.Timeout>();
  let isStopping = false;

  function begin(event: StoredEvent, afterMs: number): void {
    if (isStopping) return;
    const timer = setTimeout(() => {
      timers.delete(timer);
      const attempt = run(event).catch((error: unknown) => log(`An asynchronous invocation: ${error}`));
      running.add(attempt);
      void attempt.finally(() => running.delete(attempt));
    }, afterMs);
    timers.add(timer.unref());
  }

  async function run(event: StoredEvent): Promise<void> {
    const config = configs.get(event.functionName) ?? defaultConfig;
    const outcome = await attempt(event);
    if (outcome === "done") return store.remove(event.id);
    // Stopping the local cloud ended the invocation, so it does not count as an attempt.
    if (isStopping) return;
    const attempts = outcome === "throttled" ? event.attempts : event.attempts + 1;
    const throttles = outcome === "throttled" ? event.throttles + 1 : event.throttles;
    const next = { ...event, attempts, throttles };
    const delayMs =
      outcome === "throttled"
        ? Math.min(delays.afterThrottles.first * 2 ** event.throttles, delays.afterThrottles.most)
        : (delays.afterErrors[attempts - 1] ?? 0);
    const isTooOld = Date.now() + delayMs > event.atMs + config.ageMsMax;
    if (attempts > config.retriesMax || isTooOld) {
      discard(next, config, attempts > config.retriesMax ? "RetriesExhausted" : "EventAgeExceeded", outcome);
      return store.remove(event.id);
    }
    store.put(next);
    begin(next, delayMs);
  }

  async function attempt({ functionName, event, tenantId }: StoredEvent) {
    try {
      const result = await lambda.invoke(functionName, event, tenantId);
      return result.isFunctionError ? result : ("done" as const);
    } catch (error) {
      if (error instanceof TooManyRequestsError) return "throttled" as const;
      throw error;
    }
  }

  function discard(event: StoredEvent, { queueArn }: Config, condition: string, outcome: Failure): void {
    log(`Lambda drops an asynchronous invocation of ${event.functionName}: ${condition}`);
    if (queueArn === undefined) return;
    awsEndpoint.queues
      .get(queueNameOf(queueArn))
      ?.send({ body: JSON.stringify(recordOf(event, condition, outcome)) });
  }

  for (const event of store.all()) begin(event, resumedAfterMs);
  return {
    invokeLater(functionName: string, event: string, tenantId: string | undefined): void {
      const unsent = { id: randomUUID(), attempts: 0, throttles: 0, atMs: Date.now() };
      const stored = { ...unsent, functionName, event, tenantId };
      store.put(stored);
      begin(stored, 0);
    },
    /** Starts no further invocations, and waits for running invocations. Unfinished events are retried at the next start. */
    async stop(): Promise<void> {
      isStopping = true;
      for (const timer of timers) clearTimeout(timer);
      await Promise.all(running);
      store.close();
    },
  };
}

/** An event, and its number of attempts. */
interface StoredEvent {
  readonly id: string;
  readonly functionName: string;
  readonly event: string;
  readonly tenantId: string | undefined;
  readonly attempts: number;
  readonly throttles: number;
  readonly atMs: number;
}

type Failure = InvocationResult | "throttled";

/** Returns an invocation record; see "Capturing records of Lambda asynchronous invocations", AWS Lambda developer guide. */
function recordOf(
  { functionName, event, attempts }: StoredEvent,
  condition: string,
  outcome: Failure,
): object {
  const functionArn = `arn:aws:lambda:us-east-1:000000000000:function:${functionName}:$LATEST`;
  const requestId = outcome === "throttled" ? randomUUID() : outcome.requestId;
  return {
    version: "1.0",
    timestamp: new Date().toISOString(),
    requestContext: { requestId, functionArn, condition, approximateInvokeCount: attempts },
    requestPayload: JSON.parse(event),
    ...(outcome === "throttled"
      ? {}
      : {
          responseContext: { statusCode: 200, executedVersion: "$LATEST", functionError: "Unhandled" },
          responsePayload: JSON.parse(outcome.payload),
        }),
  };
}

interface Config {
  readonly retriesMax: number;
  readonly ageMsMax: number;
  /** Queue for failed events. @default - failed events are lost */
  readonly queueArn: string | undefined;
}

/** Defaults: two retries, and a maximum age of six hours; see "PutFunctionEventInvokeConfig", AWS Lambda API reference. */
const defaultConfig: Config = { retriesMax: 2, ageMsMax: 6 * 60 * 60 * 1000, queueArn: undefined };

function configOf(
  template: Template,
  { logicalId, properties }: Resource,
  { queues, authorize }: AsynchronousInvocationOptions["awsEndpoint"],
): [string, Config] {
  const { FunctionName, DestinationConfig, MaximumRetryAttempts, MaximumEventAgeInSeconds } = properties;
  const { OnFailure, OnSuccess } = (DestinationConfig ?? {}) as Record<string, { Destination?: string }>;
  const queueArn = OnFailure?.Destination;
  if (OnSuccess !== undefined) throw new Error(`${logicalId}: the local cloud does not emulate OnSuccess`);
  if (queueArn !== undefined && !queues.has(queueNameOf(queueArn)))
    throw new Error(
      `${logicalId}: the local cloud supports only a queue of the template as OnFailure, not ${queueArn}`,
    );
  const lambda = findResource(template, "AWS::Lambda::Function", FunctionName);
  if (lambda === undefined)
    throw new Error(`${logicalId}: there is no function ${FunctionName} in the template`);
  // Lambda refuses a destination that the function's role may not write to.
  if (queueArn !== undefined)
    authorize(String(lambda.properties.Role), { action: "sqs:SendMessage", resourceArn: queueArn });
  const retriesMax = Number(MaximumRetryAttempts ?? defaultConfig.retriesMax);
  const ageMsMax = Number(MaximumEventAgeInSeconds ?? defaultConfig.ageMsMax / 1000) * 1000;
  return [String(FunctionName), { retriesMax, ageMsMax, queueArn }];
}

function openEventStore(path: string) {
  const database = openDatabase(
    path,
    "CREATE TABLE IF NOT EXISTS event (id TEXT PRIMARY KEY, stored TEXT NOT NULL) STRICT",
  );
  const put = database.prepare("INSERT OR REPLACE INTO event (id, stored) VALUES (?, ?)");
  const remove = database.prepare("DELETE FROM event WHERE id = ?");
  const all = database.prepare("SELECT stored FROM event ORDER BY rowid");
  return {
    put: (event: StoredEvent) => void put.run(event.id, JSON.stringify(event)),
    remove: (id: string) => void remove.run(id),
    all: () => all.all().map(({ stored }) => JSON.parse(String(stored)) as StoredEvent),
    close: () => database.close(),
  };
}
