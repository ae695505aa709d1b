import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { listen, stopServer } from "../http-server.ts";
import type { Template } from "../template.ts";
import { type AccessControl, type AdviseMissingGrant, createAccessControl } from "./access-control.ts";
import type { AwsService, Log } from "./aws-service.ts";
import { createCloudFrontService } from "./cloudfront/cloudfront-service.ts";
import { claimDataDirectory } from "./data-directory.ts";
import { type DynamoDbBackend, useRunningServer } from "./dynamodb/backend.ts";
import { createDynamoDbService } from "./dynamodb/dynamodb-service.ts";
import { startDynoxide } from "./dynamodb/dynoxide.ts";
import { openTableStream, type TableStream } from "./dynamodb/table-stream.ts";
import { createMissingTables } from "./dynamodb/tables.ts";
import { createEventBridgeService } from "./eventbridge/event-bridge-service.ts";
import { openEventBus } from "./eventbridge/event-bus.ts";
import { respondTo } from "./exchange.ts";
import { createLambdaApiService } from "./lambda/lambda-api-service.ts";
import { openParameterStore } from "./parameters/parameter-store.ts";
import { createSystemsManagerService } from "./parameters/systems-manager-service.ts";
import { createOriginReader } from "./s3/origin-read.ts";
import { createS3Service } from "./s3/s3-service.ts";
import { openSecretStore } from "./secrets/secret-store.ts";
import { createSecretsManagerService } from "./secrets/secrets-manager-service.ts";
import { openMessageStore } from "./sqs/message-store.ts";
import { openQueues } from "./sqs/queue.ts";
import { queuePoliciesOf } from "./sqs/queue-policies.ts";
import { queuesOf } from "./sqs/queue-settings.ts";
import { createSqsService } from "./sqs/sqs-service.ts";

const STOP_SECONDS_MAX = 5;

/** Settings of `startAwsEndpoint`. */
export interface AwsEndpointOptions {
  readonly template: Template;
  /** Folder for the services' data. Created if missing. Only one endpoint at a time may use the folder. */
  readonly dataDirectory: string;
  readonly log: Log;
  /** Returns the log line to write after a refusal. @default - no line */
  readonly adviseMissingGrant?: AdviseMissingGrant | undefined;
  /** Time until an invalidation takes effect, in milliseconds. @default 1000 */
  readonly invalidationDelayMs?: number;
}

/** The running AWS endpoint, whose URL is in AWS_ENDPOINT_URL. */
export type AwsEndpoint = Awaited<ReturnType<typeof startAwsEndpoint>>;

/**
 * Starts the AWS services of the template on a free loopback port, with their data in a folder.
 *
 * @throws Error with advice if the folder, the database or a policy of the template cannot be used
 */
export async function startAwsEndpoint({
  template,
  log,
  adviseMissingGrant,
  invalidationDelayMs,
  ...options
}: AwsEndpointOptions) {
  const accessControl = createAccessControl(template, log, adviseMissingGrant);
  const queueSettings = queuesOf(template);
  const queuePolicies = queuePoliciesOf(template);
  const dataDirectory = await claimDataDirectory(options.dataDirectory);
  // Functions that stop the parts started so far. They are called if a later part fails to start.
  const running: (() => unknown)[] = [dataDirectory.release];
  const stop = async () => {
    for (const end of running.splice(0).reverse()) await end();
  };
  try {
    const { path } = dataDirectory;
    const backend = await startBackend(path, log);
    running.push(backend.stop);
    await createMissingTables(template, backend);
    const s3 = createS3Service(template, path, log);
    const secrets = openSecretStore(template, path);
    const parameters = openParameterStore(path);
    const cloudFront = createCloudFrontService(invalidationDelayMs);
    const lambda = createLambdaApiService();
    const writeListeners = new Set<() => void>();
    const onWrite = (listener: () => void) => {
      writeListeners.add(listener);
      return () => void writeListeners.delete(listener);
    };
    const streams = new Map<string, TableStream>();
    const messages = openMessageStore(join(path, "sqs.sqlite"));
    running.push(messages.close, accessControl.whenAdvised);
    const queues = openQueues(queueSettings, messages, log);
    const bus = openEventBus(path, log);
    const stopping = new AbortController();
    const services = [
      createDynamoDbService(template, backend, () => {
        for (const listener of writeListeners) listener();
      }),
      s3,
      createSecretsManagerService(secrets),
      createSystemsManagerService(parameters),
      createSqsService(queues, queuePolicies, stopping.signal),
      createEventBridgeService(bus),
      cloudFront,
      lambda,
    ];
    const server = createEndpointServer(services, accessControl, log);
    await listen(server, 0);
    running.push(
      () => stopServer(server, STOP_SECONDS_MAX),
      () => stopping.abort(),
    );
    return {
      /** URL with an IP address, so that the SDK puts bucket names into paths. */
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      /** Access key with all permissions, for the local cloud itself, tests and benchmarks. */
      administrator: accessControl.administrator,
      /** Returns the key pair of a role, for an AWS service or for one of the role's functions. Throws if there is no such role. */
      credentialsFor: accessControl.credentialsFor,
      /** Lists the allowed actions that each role has used, as `service:Action on resource-arn`. */
      usedActions: accessControl.usedActions,
      /** Records an access as used by the role. Throws if the role's policies do not allow the access. */
      authorize: accessControl.authorize,
      /** Returns the current value of a secret of the template, by ARN. */
      readSecret: secrets.readSecret,
      /** Systems Manager's Parameter Store. Its parameters are not part of the template. */
      parameters,
      /** Returns the bucket's response to a CloudFront request with origin access control. */
      readObject: createOriginReader(template, s3.stores),
      /** Calls the listener for each new object; see `ObjectCreatedListener`. */
      onObjectCreated: s3.onObjectCreated,
      /** The template's queues by name. */
      queues,
      /** Calls the listener for each event before the account's bus accepts it; see `EventBus`. */
      onEvent: bus.onEvent,
      /** Opens a table's stream by its ARN in the template. All readers share the stream. */
      openStream(arn: string): TableStream {
        const stream = streams.get(arn) ?? openTableStream(arn, backend, onWrite);
        streams.set(arn, stream);
        return stream;
      },
      /** Registers the edge that applies the invalidations of its distribution. */
      connectEdge: cloudFront.connectEdge,
      /** Sets the functions that Invoke can call. */
      connectFunctions: lambda.connectFunctions,
      /** Lets running requests finish, then stops the server and the database. */
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startBackend(dataDirectory: string, log: Log): Promise<DynamoDbBackend> {
  const runningServer = process.env.DYNAMODB_ENDPOINT;
  if (runningServer) return useRunningServer(runningServer);
  const databasePath = join(dataDirectory, "dynamodb.sqlite");
  const backend = await startDynoxide(databasePath, log);
  indexStream(databasePath, log);
  return backend;
}

function createEndpointServer(
  services: readonly AwsService[],
  accessControl: AccessControl,
  log: Log,
): Server {
  const byName = new Map(services.map((service) => [service.signingName, service]));
  const server = createServer((message: IncomingMessage, response: ServerResponse) => {
    // The header uses the local cloud's clock. Node.js would send the machine's time, and the SDK would adopt that time.
    response.setHeader("Date", new Date().toUTCString());
    void respondTo({ id: randomUUID(), message, response }, byName, accessControl, log);
  });
  // The timeout exceeds the SDK's idle timeout, so that the server does not close a connection just before the SDK reuses it.
  server.keepAliveTimeout = 120_000;
  // There is no request timeout, because the sender decides when to end a slow upload.
  server.requestTimeout = 0;
  return server;
}

const BUSY_MS_MAX = 5_000;

/** Indexes for two queries of dynoxide 1.2.1: a table's last stream record at each write, and the records after a position at each read. */
const INDEXES = `
  CREATE INDEX IF NOT EXISTS stream_records_by_table
    ON _stream_records (table_name, CAST(sequence_number AS INTEGER));
  CREATE INDEX IF NOT EXISTS stream_records_by_shard
    ON _stream_records (table_name, shard_id, CAST(sequence_number AS INTEGER));
`;

/**
 * Adds missing indexes to dynoxide's database, because otherwise each write and each read of the stream scans all changes, which takes 4 ms
 * for 20,000 changes. A failure is logged.
 */
function indexStream(databasePath: string, log: Log): void {
  try {
    const database = new DatabaseSync(databasePath, { timeout: BUSY_MS_MAX });
    try {
      database.exec(INDEXES);
    } finally {
      database.close();
    }
  } catch (error) {
    log(
      `dynamodb: indexes could not be added, so streams become slower as they grow: ${(error as Error).message}`,
    );
  }
}
