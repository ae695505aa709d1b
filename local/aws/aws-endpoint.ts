import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Template } from "../template.ts";
import { type AccessControl, type AccessKey, createAccessControl } from "./access-control.ts";
import type { AwsService, Log } from "./aws-service.ts";
import { claimDataDirectory } from "./data-directory.ts";
import { type DynamoDbBackend, useRunningServer } from "./dynamodb/backend.ts";
import { createDynamoDbService } from "./dynamodb/dynamodb-service.ts";
import { startDynoxide } from "./dynamodb/dynoxide.ts";
import { createMissingTables } from "./dynamodb/tables.ts";
import { answerRequest } from "./request-answer.ts";
import { createOriginReader, type OriginReader } from "./s3/origin-read.ts";
import type { ObjectCreated } from "./s3/s3-operations.ts";
import { createS3Service } from "./s3/s3-service.ts";
import { openSecretStore } from "./secrets/secret-store.ts";
import { createSecretsManagerService } from "./secrets/secrets-manager-service.ts";

const STOP_MS_MAX = 5_000;

/** What the endpoint needs of the local cloud. */
export interface AwsEndpointOptions {
  readonly template: Template;
  /** Created when missing; one endpoint at a time may use it. */
  readonly dataDirectory: string;
  readonly log: Log;
}

/** The running endpoint that AWS_ENDPOINT_URL names. */
export interface AwsEndpoint {
  /** By IP address, so that the SDK puts bucket names into paths. */
  readonly url: string;
  /** May do everything: for the local cloud itself, tests and benchmarks. */
  readonly administrator: AccessKey;
  /** The key pair of a role of the template; throws when there is no such role. */
  credentialsFor(roleArn: string): AccessKey;
  /** For each role the `service:Action on resource-arn` that it was allowed and used. */
  usedActions(): Map<string, Set<string>>;
  /** The current value of a secret of the template, by ARN. */
  readSecret(arn: string): string;
  /** Replaces the value of a secret of the template, by name or ARN. */
  setSecret(nameOrArn: string, value: string): void;
  /** Answers as the bucket answers CloudFront's origin access control. */
  readonly readObject: OriginReader;
  onObjectCreated(listener: (event: ObjectCreated) => void): void;
  /** Lets running requests finish, then ends the server and the database. */
  stop(): Promise<void>;
}

/**
 * Starts the AWS services of the template on a free loopback port, with their data in a folder.
 *
 * @throws Error saying what to change when the folder, the database or a policy of the template cannot be used
 */
export async function startAwsEndpoint(options: AwsEndpointOptions): Promise<AwsEndpoint> {
  const { template, log } = options;
  const accessControl = createAccessControl(template, log);
  const dataDirectory = await claimDataDirectory(options.dataDirectory);
  const backend = await startBackend(dataDirectory.path, log).catch(async (error) => {
    await dataDirectory.release();
    throw error;
  });
  try {
    await createMissingTables(template, backend);
    const s3 = createS3Service(template, dataDirectory.path, log);
    const secrets = openSecretStore(template, dataDirectory.path);
    const services = [createDynamoDbService(template, backend), s3, createSecretsManagerService(secrets)];
    const server = await listen(services, accessControl, log);
    return {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      administrator: accessControl.administrator,
      credentialsFor: accessControl.credentialsFor,
      usedActions: accessControl.usedActions,
      readSecret: secrets.readSecret,
      setSecret: secrets.setSecret,
      readObject: createOriginReader(template, s3.stores),
      onObjectCreated: s3.onObjectCreated,
      async stop() {
        await closeServer(server);
        await backend.stop();
        await dataDirectory.release();
      },
    };
  } catch (error) {
    await backend.stop();
    await dataDirectory.release();
    throw error;
  }
}

function startBackend(dataDirectory: string, log: Log): Promise<DynamoDbBackend> {
  const runningServer = process.env.DYNAMODB_ENDPOINT;
  return runningServer
    ? useRunningServer(runningServer)
    : startDynoxide(join(dataDirectory, "dynamodb.sqlite"), log);
}

function listen(services: readonly AwsService[], accessControl: AccessControl, log: Log): Promise<Server> {
  const byName = new Map(services.map((service) => [service.signingName, service]));
  const server = createServer((message: IncomingMessage, response: ServerResponse) => {
    void answerRequest({ id: randomUUID(), message, response }, byName, accessControl, log);
  });
  // Longer than the SDK keeps idle connections, so that the server never closes one that is about to be used.
  server.keepAliveTimeout = 120_000;
  // A slow upload is for its sender to give up.
  server.requestTimeout = 0;
  return new Promise((done, fail) => {
    server.once("error", fail);
    server.listen(0, "127.0.0.1", () => done(server));
  });
}

async function closeServer(server: Server): Promise<void> {
  const deadline = setTimeout(() => server.closeAllConnections(), STOP_MS_MAX);
  await new Promise<void>((done) => {
    server.close(() => done());
    server.closeIdleConnections();
  });
  clearTimeout(deadline);
}
