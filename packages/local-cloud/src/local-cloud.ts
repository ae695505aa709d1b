import { join } from "node:path";
import { type AccountLimits, defaultAccountLimits } from "./account-limits.ts";
import { createRestApis, type RestApi } from "./api-gateway/rest-api.ts";
import type { AdviseMissingGrant } from "./aws/access-control.ts";
import { type AwsEndpoint, startAwsEndpoint } from "./aws/aws-endpoint.ts";
import type { Queue } from "./aws/sqs/queue.ts";
import { moveClock } from "./clock.ts";
import { parseDistribution } from "./cloudfront/distribution.ts";
import { createEdge, type Edge } from "./cloudfront/edge.ts";
import type { OriginHandler } from "./cloudfront/origin-fetch.ts";
import { s3Origin } from "./cloudfront/s3-origin.ts";
import { startAsynchronousInvocations } from "./events/asynchronous-invocations.ts";
import { startEventSources } from "./events/event-sources.ts";
import { startSchedules } from "./events/schedules.ts";
import { explainTakenPort } from "./free-port.ts";
import { type RunningServer, startHttpServer } from "./http-server.ts";
import type { FunctionOptions } from "./lambda/lambda-function.ts";
import {
  createLambdaService,
  environmentsPerFunctionDefault,
  type LambdaService,
} from "./lambda/lambda-service.ts";
import { type MetricSink, noMetrics } from "./metrics/metric-store.ts";
import { writeOperatorAccess } from "./operator-access.ts";
import { requestLine } from "./request-log.ts";
import { loadTemplate, resourcesOfType, type Template } from "./template.ts";
import { createServerOrigins, type ServerOrigins } from "./web-function/server-origin.ts";

/** A running stack. */
export interface LocalCloud {
  /** URL of the edge, such as `http://localhost:8787`. */
  readonly address: string;
  readonly awsEndpoint: AwsEndpoint;
  readonly edge: Edge;
  /** The template's APIs. In AWS their host names are public. Locally, the APIs can be called only through the edge or this property. */
  readonly restApis: readonly RestApi[];
  /** The functions of the template. */
  readonly lambda: Pick<LambdaService, "invoke">;
  /** The processes of the template's servers, by name. */
  readonly servers: ServerOrigins["processes"];
  readonly template: Template;
  /** Waits for running requests, then ends workers, servers and the database. */
  stop(): Promise<void>;
}

/** Settings of `startLocalCloud`. */
export interface LocalCloudOptions extends FunctionOptions {
  /** The cdk.out folder with the synthesized stack: one template and its assets. */
  readonly assetsDirectory: string;
  /** The port of the distribution. */
  readonly port: number;
  /** Folder that keeps tables, objects, messages and secrets across restarts. Created if missing. */
  readonly dataDirectory: string;
  readonly log: (line: string) => void;
  /** Quotas of the account. @default - the quotas of an account that is not new */
  readonly account?: AccountLimits;
  /** Maximum number of execution environments per function. Further requests wait. @default 2 */
  readonly environmentsPerFunction?: number | undefined;
  /** Receives the CloudWatch metrics, for tests of alarms. @default - metrics are discarded */
  readonly metrics?: MetricSink | undefined;
  /** Adds a log line after each refused access of a role. @default - no line is added */
  readonly adviseMissingGrant?: AdviseMissingGrant | undefined;
  /**
   * Runs before the first function invocation and the first request, for example to store a parameter that functions read. The returned
   * object is stopped with the local cloud.
   */
  readonly prepare?: (stack: PreparedStack) => Promise<{ stop(): Promise<void> } | undefined>;
}

/** The stack before its first function runs. */
export type PreparedStack = Pick<LocalCloud, "address" | "awsEndpoint" | "template">;

/** Maximum time that `stop` waits for invocations without a waiting request, such as asynchronous invocations. */
const stopMsMax = 5_000;

/** Resource types that are emulated, or that configure an emulated resource. */
const emulatedTypes =
  /^AWS::(ApiGateway|CloudFront|DynamoDB|IAM|Lambda|S3|Scheduler|SecretsManager|SQS)::|^AWS::CDK::Metadata$|^Custom::S3/;

/** Runs the template in a cdk.out folder on this machine. Throws an Error that says what to change in the template or on the machine. */
export async function startLocalCloud(options: LocalCloudOptions): Promise<LocalCloud> {
  const {
    assetsDirectory,
    port,
    dataDirectory,
    log,
    account = defaultAccountLimits,
    environmentsPerFunction = environmentsPerFunctionDefault,
    metrics = noMetrics,
    clockOffsetSeconds = 0,
  } = options;
  moveClock(clockOffsetSeconds);
  const template = loadTemplate(assetsDirectory);
  // Parts started so far. They are stopped if a later part fails to start.
  const running: { stop(): Promise<void> }[] = [];
  const stop = async () => {
    for (const part of running.splice(0).reverse()) await part.stop();
    moveClock(0);
  };
  try {
    const address = `http://localhost:${port}`;
    const awsEndpoint = await startAwsEndpoint({ ...options, template });
    running.push(awsEndpoint);
    const prepared = await options.prepare?.({ address, awsEndpoint, template });
    if (prepared !== undefined) running.push(prepared);
    const { readSecret, url: awsEndpointUrl, credentialsFor } = awsEndpoint;
    const surroundings = { ...options, metrics, template, readSecret, awsEndpointUrl, credentialsFor };
    const { concurrentExecutions, apiRequestsPerSecond: requestsPerSecond } = account;
    const limits = { maxEnvironments: environmentsPerFunction };
    const lambda = createLambdaService({ ...surroundings, concurrentExecutions, limits });
    measureQueues(awsEndpoint.queues, metrics);
    running.push(lambda);
    const path = join(dataDirectory, "asynchronous-invocations.sqlite");
    const asynchronous = startAsynchronousInvocations({ template, lambda, awsEndpoint, path, log });
    running.push(asynchronous);
    const { invokeLater } = asynchronous;
    awsEndpoint.connectFunctions({ ...lambda, invokeLater });
    const servers = createServerOrigins(surroundings);
    running.push(servers);
    const restApis = createRestApis({ ...surroundings, lambda, requestsPerSecond });
    const apis: OriginHandler = (request, { domainName }) =>
      restApis.find((restApi) => restApi.domainName === domainName)?.handle(request);
    const edge = startEdge(template, awsEndpoint, [apis, servers.handler], { log, metrics });
    // Event sources start before the first request, so that the request's writes reach the functions behind queues and streams.
    running.push(await startEventSources({ template, awsEndpoint, lambda, dataDirectory, log }));
    const schedulesPath = join(dataDirectory, "schedules.json");
    running.push(startSchedules({ template, awsEndpoint, invokeLater, path: schedulesPath }));
    // Interrupts functions before event sources stop, because an event source waits for its invocations, which may take a minute. The next
    // start repeats interrupted invocations.
    running.push({ stop: async () => lambda.endAfter(stopMsMax) });
    running.push(await serveEdge(edge, port, log));
    running.push(
      writeOperatorAccess(dataDirectory, {
        address,
        awsEndpointUrl: awsEndpoint.url,
        administrator: awsEndpoint.administrator,
        clockOffsetSeconds,
        outputs: template.outputs,
      }),
    );
    logNotEmulated(template, log);
    return { address, awsEndpoint, edge, restApis, lambda, servers: servers.processes, template, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function startEdge(
  template: Template,
  awsEndpoint: AwsEndpoint,
  apiAndServers: readonly OriginHandler[],
  { log, metrics }: Pick<LocalCloudOptions, "log" | "metrics">,
): Edge {
  const distributions = resourcesOfType(template, "AWS::CloudFront::Distribution");
  const [resource] = distributions;
  if (resource === undefined || distributions.length > 1) {
    throw new Error(
      `The local cloud serves a stack with exactly one AWS::CloudFront::Distribution, not ${distributions.length}`,
    );
  }
  const distribution = parseDistribution(template, resource, awsEndpoint.readSecret);
  const handlers = [...apiAndServers, s3Origin(awsEndpoint, distribution.arn)];
  const edge = createEdge({ distribution, handlers, log, metrics });
  awsEndpoint.connectEdge({ distributionId: distribution.id, invalidate: edge.invalidate });
  return edge;
}

async function serveEdge(edge: Edge, port: number, log: (line: string) => void): Promise<RunningServer> {
  try {
    return await startHttpServer({
      port,
      onError: (error) =>
        log(`The local edge failed: ${error instanceof Error ? error.stack : String(error)}`),
      handle: async (request) => {
        const startedAtMs = performance.now();
        const { response, outcome } = await edge.handle(request);
        log(requestLine({ request, response, outcome, durationMs: performance.now() - startedAtMs }));
        return response;
      },
    });
  } catch (error) {
    throw explainTakenPort(error, port);
  }
}

function logNotEmulated(template: Template, log: (line: string) => void): void {
  const types = new Set(
    [...template.resources.values()].map(({ type }) => type).filter((type) => !emulatedTypes.test(type)),
  );
  if (types.size > 0) log(`Not emulated locally: ${[...types].sort().join(", ")}`);
}

/** Registers a metric for each queue's length; see "Available CloudWatch metrics for Amazon SQS", Amazon SQS developer guide. */
export function measureQueues(queues: ReadonlyMap<string, Queue>, metrics: MetricSink): void {
  for (const [QueueName, queue] of queues) {
    const metric = {
      namespace: "AWS/SQS",
      name: "ApproximateNumberOfMessagesVisible",
      dimensions: { QueueName },
    };
    metrics.gauge(metric, () => queue.counts().visible);
  }
}
