import { join } from "node:path";
import { outputNames } from "../lib/output-names.ts";
import { type AccountLimits, usualAccountLimits } from "./account-limits.ts";
import { createRestApis } from "./api-gateway/rest-api.ts";
import { type AwsEndpoint, startAwsEndpoint } from "./aws/aws-endpoint.ts";
import { apiOrigin } from "./cloudfront/api-origin.ts";
import { parseDistribution } from "./cloudfront/distribution.ts";
import { createEdge, type Edge } from "./cloudfront/edge.ts";
import { s3Origin } from "./cloudfront/s3-origin.ts";
import { startAsynchronousInvocations } from "./events/asynchronous-invocations.ts";
import { startEventSources } from "./events/event-sources.ts";
import { explainTakenPort } from "./free-port.ts";
import { type RunningServer, startHttpServer } from "./http-server.ts";
import { type IdentityProvider, startIdentityProvider } from "./identity-provider/identity-provider.ts";
import type { LocalInternet } from "./internet.ts";
import type { FaultSettings } from "./lambda/lambda-function.ts";
import { createLambdaService, type LambdaService } from "./lambda/lambda-service.ts";
import { writeOperatorAccess } from "./operator-access.ts";
import { requestLine } from "./request-log.ts";
import { loadTemplate, resourcesOfType, type Template } from "./template.ts";
import { createServerOrigins, type ServerOrigins } from "./web-function/server-origin.ts";

/** A running stack. */
export interface LocalCloud {
  /** Such as `http://localhost:8787`. */
  readonly address: string;
  readonly awsEndpoint: AwsEndpoint;
  readonly edge: Edge;
  /** The processes of the template's servers, by name. */
  readonly servers: ServerOrigins["processes"];
  readonly identityProviderAddress: string;
  readonly template: Template;
  /** Waits for running requests, then ends workers, servers and the database. */
  stop(): Promise<void>;
}

/** Settings of `startLocalCloud`. */
export interface LocalCloudOptions {
  /** The cdk.out folder with the synthesized stack. */
  readonly assetsDirectory: string;
  /** The service's port; the identity provider takes the next one. */
  readonly port: number;
  readonly dataDirectory: string;
  readonly log: (line: string) => void;
  /** @default - what an account has that is not new */
  readonly account?: AccountLimits;
  /** How many execution environments a function may have at once; further requests wait. @default 2 */
  readonly environmentsPerFunction?: number | undefined;
  /** What a developer is told of faults. @default - what is logged in AWS */
  readonly faults?: FaultSettings;
  /** Where functions go that leave this machine. @default - the internet */
  readonly internet?: LocalInternet | undefined;
}

/** Whoever ends the local cloud does not wait longer for what nobody waits for. */
const stopMsMax = 5_000;

/** Types of the template that have a local counterpart, or are read together with one that has. */
const emulatedTypes =
  /^AWS::(ApiGateway|CloudFront|DynamoDB|IAM|Lambda|S3|SecretsManager|SQS)::|^AWS::CDK::Metadata$|^Custom::S3/;

/** Runs the template in a cdk.out folder on this machine. Rejects with what to change when it cannot. */
export async function startLocalCloud(options: LocalCloudOptions): Promise<LocalCloud> {
  const { assetsDirectory, port, dataDirectory, log, account = usualAccountLimits, faults } = options;
  const template = loadTemplate(assetsDirectory);
  // What was started, so that a failure half-way ends it all.
  const running: { stop(): Promise<void> }[] = [];
  const stop = async () => {
    for (const part of running.splice(0).reverse()) await part.stop();
  };
  try {
    const address = `http://localhost:${port}`;
    const awsEndpoint = await startAwsEndpoint({ template, dataDirectory, log });
    running.push(awsEndpoint);
    // Where the stack says that it lives: sign-in leads back there.
    const serviceAddress = template.outputs[outputNames.baseUrl] ?? address;
    const identityProvider = await startIdentityProvider({ port: port + 1, serviceAddress, log });
    running.push(identityProvider);
    shareIdentityProviderClient(template, awsEndpoint, identityProvider);
    const lambda = await startLambda(template, awsEndpoint, { ...options, account });
    running.push(lambda);
    const asynchronous = startAsynchronousInvocations({
      template,
      lambda,
      awsEndpoint,
      path: join(dataDirectory, "asynchronous-invocations.sqlite"),
      log,
    });
    running.push(asynchronous);
    awsEndpoint.connectFunctions({ ...lambda, invokeLater: asynchronous.invokeLater });
    const servers = await createServerOrigins({
      template,
      readSecret: awsEndpoint.readSecret,
      awsEndpointUrl: awsEndpoint.url,
      credentialsFor: awsEndpoint.credentialsFor,
      faults,
      log,
    });
    running.push(servers);
    const edge = await startEdge(template, awsEndpoint, lambda, servers, account, log);
    // Before the first request: what it writes is to reach the functions behind queues and streams.
    running.push(await startEventSources({ template, awsEndpoint, lambda, dataDirectory, log }));
    // Before the event sources wait for what they have begun: a page is drawn for a minute, and again at the next start.
    running.push({ stop: async () => lambda.endAfter(stopMsMax) });
    running.push(await serveEdge(edge, port, log));
    running.push(
      writeOperatorAccess(dataDirectory, {
        address,
        awsEndpointUrl: awsEndpoint.url,
        administrator: awsEndpoint.administrator,
        outputs: template.outputs,
      }),
    );
    logNotEmulated(template, log);
    return {
      address,
      awsEndpoint,
      edge,
      servers: servers.processes,
      identityProviderAddress: identityProvider.address,
      template,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function startLambda(
  template: Template,
  awsEndpoint: AwsEndpoint,
  {
    account,
    environmentsPerFunction,
    faults,
    internet,
    log,
  }: LocalCloudOptions & { readonly account: AccountLimits },
): Promise<LambdaService> {
  return createLambdaService({
    template,
    readSecret: awsEndpoint.readSecret,
    awsEndpointUrl: awsEndpoint.url,
    credentialsFor: awsEndpoint.credentialsFor,
    concurrentExecutions: account.concurrentExecutions,
    limits: environmentsPerFunction === undefined ? {} : { maxEnvironments: environmentsPerFunction },
    faults,
    internet,
    log,
  });
}

async function startEdge(
  template: Template,
  awsEndpoint: AwsEndpoint,
  lambda: LambdaService,
  servers: ServerOrigins,
  { apiRequestsPerSecond }: AccountLimits,
  log: (line: string) => void,
): Promise<Edge> {
  const [resource, ...others] = resourcesOfType(template, "AWS::CloudFront::Distribution");
  if (resource === undefined || others.length > 0) {
    throw new Error(
      `The local cloud serves a stack with exactly one AWS::CloudFront::Distribution, not ${others.length + (resource === undefined ? 0 : 1)}`,
    );
  }
  const distribution = await parseDistribution(template, resource, awsEndpoint.readSecret);
  const restApis = createRestApis({ template, lambda, log, requestsPerSecond: apiRequestsPerSecond });
  const edge = createEdge({
    distribution,
    handlers: [apiOrigin(restApis), servers.handler, s3Origin(awsEndpoint, distribution.arn)],
    log,
  });
  awsEndpoint.connectEdge({ distributionId: distribution.id, invalidate: edge.invalidate });
  return edge;
}

async function serveEdge(edge: Edge, port: number, log: (line: string) => void): Promise<RunningServer> {
  try {
    return await startHttpServer({
      port,
      onError: (error) =>
        log(`The local edge failed: ${error instanceof Error ? error.stack : String(error)}`),
      answer: async (request) => {
        const startedAtMs = performance.now();
        const { response, outcome } = await edge.answer(request);
        log(requestLine({ request, response, outcome, durationMs: performance.now() - startedAtMs }));
        return response;
      },
    });
  } catch (error) {
    throw explainTakenPort(error, port);
  }
}

/** As an operator does after the first deployment: into the parameter that the stack puts out. */
function shareIdentityProviderClient(
  template: Template,
  { parameters }: AwsEndpoint,
  { client }: IdentityProvider,
): void {
  const name = template.outputs[outputNames.identityProviderParameter];
  if (name === undefined) return;
  const value = JSON.stringify({ client_id: client.id, client_secret: client.secret });
  if (parameters.find(name)?.value !== value) parameters.put(name, "SecureString", value);
}

function logNotEmulated(template: Template, log: (line: string) => void): void {
  const types = new Set(
    [...template.resources.values()].map(({ type }) => type).filter((type) => !emulatedTypes.test(type)),
  );
  if (types.size > 0) log(`Not emulated locally: ${[...types].sort().join(", ")}`);
}
