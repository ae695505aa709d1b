import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CloudFrontClient } from "@aws-sdk/client-cloudfront";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { EventBridgeClient } from "@aws-sdk/client-eventbridge";
import { S3Client } from "@aws-sdk/client-s3";
import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { SQSClient } from "@aws-sdk/client-sqs";
import { SSMClient } from "@aws-sdk/client-ssm";
import { type AwsEndpoint, type AwsEndpointOptions, startAwsEndpoint } from "../../src/aws/aws-endpoint.ts";
import type { Template } from "../../src/template.ts";

/** A key pair that the endpoint issues. */
type Credentials = AwsEndpoint["administrator"];

/** An endpoint with its own data folder, and with SDK clients like those of a Lambda function. */
export interface RunningEndpoint {
  readonly endpoint: AwsEndpoint;
  readonly dataDirectory: string;
  readonly logLines: string[];
  clientSettings(credentials?: Credentials): ReturnType<typeof settingsFor>;
  dynamoDb(credentials?: Credentials): DynamoDBClient;
  s3(credentials?: Credentials): S3Client;
  secretsManager(credentials?: Credentials): SecretsManagerClient;
  sqs(credentials?: Credentials): SQSClient;
  systemsManager(credentials?: Credentials): SSMClient;
  cloudFront(credentials?: Credentials): CloudFrontClient;
  eventBridge(credentials?: Credentials): EventBridgeClient;
  /** Stops the endpoint and removes the data folder. */
  remove(): Promise<void>;
}

/** Starts an endpoint on the data folder of an earlier one, or on a new temporary folder. */
export async function runEndpoint(
  template: Template,
  dataDirectory = temporaryFolder(),
  options: Pick<AwsEndpointOptions, "invalidationDelayMs"> = {},
): Promise<RunningEndpoint> {
  const logLines: string[] = [];
  const endpoint = await startAwsEndpoint({
    template,
    dataDirectory,
    log: (line) => void logLines.push(line),
    ...options,
  });
  const clientSettings = (credentials = endpoint.administrator) => settingsFor(endpoint.url, credentials);
  return {
    endpoint,
    dataDirectory,
    logLines,
    clientSettings,
    dynamoDb: (credentials) => new DynamoDBClient(clientSettings(credentials)),
    s3: (credentials) => new S3Client(clientSettings(credentials)),
    secretsManager: (credentials) => new SecretsManagerClient(clientSettings(credentials)),
    sqs: (credentials) => new SQSClient(clientSettings(credentials)),
    systemsManager: (credentials) => new SSMClient(clientSettings(credentials)),
    eventBridge: (credentials) => new EventBridgeClient(clientSettings(credentials)),
    cloudFront: (credentials) => new CloudFrontClient(clientSettings(credentials)),
    async remove() {
      await endpoint.stop();
      rmSync(dataDirectory, { recursive: true });
    },
  };
}

/** Creates an empty folder below the system's temporary folder. */
export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), "dropleaf-aws-"));
}

/** Logger that hides the SDK's warnings of retries and lengths, which the tests provoke. */
const silent = { debug() {}, info() {}, warn() {}, error() {} };

function settingsFor(endpoint: string, credentials: Credentials) {
  return { endpoint, region: "us-east-1", credentials, maxAttempts: 1, logger: silent };
}
