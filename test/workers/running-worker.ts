import { GetObjectCommand, NoSuchKey, PutObjectCommand } from "@aws-sdk/client-s3";
import { DynamoDBDocumentClient, GetCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import type { BusEvent } from "@dropleaf/local-cloud/aws/eventbridge/event-bus";
import type { InvokedFunctions } from "@dropleaf/local-cloud/aws/lambda/lambda-api-service";
import type { Queue } from "@dropleaf/local-cloud/aws/sqs/queue";
import { resourcesOfType } from "@dropleaf/local-cloud/template";
import type { Context } from "aws-lambda";
import type { Key } from "../../functions/table/keys.ts";
import type { Item } from "../../functions/table/table.ts";
import type { WorkerId } from "../../functions/workers.ts";
import { handlerOf, workerSource } from "../../lib/bundle/function-source.ts";
import { runOwnStorage } from "../support/own-storage.ts";

/** A worker in this process, with the stack's table and buckets. */
export interface RunningWorker {
  readonly pagesBucket: string;
  readonly blobsBucket: string;
  /** Calls the worker like Lambda, with this remaining time. @default 60_000 */
  invoke(
    event: object,
    remainingMs?: number,
  ): Promise<{ readonly batchItemFailures: readonly { readonly itemIdentifier: string }[] }>;
  putItem(item: Item & Key): Promise<void>;
  getItem(key: Key): Promise<Item | undefined>;
  putObject(bucket: string, key: string): Promise<void>;
  hasObject(bucket: string, key: string): Promise<boolean>;
  /** Returns the queue whose URL is in this environment variable. */
  queue(queueUrlName: string): Queue;
  /** Calls this function for each invalidation that CloudFront receives. */
  connectEdge(invalidate: (paths: readonly string[]) => void): void;
  /** Connects the functions that the worker invokes. */
  connectFunctions(functions: InvokedFunctions): void;
  /** Calls this function for each event that the bus receives. It can throw an `AwsError` to refuse the event. */
  onEvent(listener: (event: BusEvent) => void): void;
  stop(): Promise<void>;
}

/**
 * Runs a worker in this process, with the permissions of its role or an administrator's. A process can run only one worker, because they
 * share its environment. An invalidation takes effect before its response.
 */
export async function runWorker(
  id: WorkerId,
  { asAdministrator = false }: { readonly asAdministrator?: boolean } = {},
): Promise<RunningWorker> {
  const running = await runOwnStorage(undefined, { invalidationDelayMs: 0 });
  const { template } = running;
  const { exportName } = workerSource(id);
  const resource = resourcesOfType(template, "AWS::Lambda::Function").find(
    ({ properties }) => properties.Handler === `index.${exportName}`,
  );
  if (resource === undefined) throw new Error(`The stack has no function for ${id}.`);
  const { Variables } = resource.properties.Environment as { Variables: Record<string, string> };
  const { accessKeyId, secretAccessKey } = asAdministrator
    ? running.endpoint.administrator
    : running.endpoint.credentialsFor(String(resource.properties.Role));
  Object.assign(process.env, Variables, {
    AWS_REGION: "us-east-1",
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_ENDPOINT_URL: running.endpoint.url,
  });
  const module = await import(`../../${handlerOf(id).file}`);
  const marshallOptions = { removeUndefinedValues: true };
  const dynamoDb = DynamoDBDocumentClient.from(running.dynamoDb(), { marshallOptions });
  const s3 = running.s3();
  const TableName = process.env.TABLE_NAME;
  const bucketName = (logicalId: string) => template.resources.get(logicalId)?.physicalId ?? "";
  return {
    pagesBucket: bucketName("StoragePages2B0B5787"),
    blobsBucket: bucketName("StorageBlobs31FE9BCB"),
    invoke: (event, remainingMs = 60_000) =>
      module[exportName](event, {
        awsRequestId: "test",
        getRemainingTimeInMillis: () => remainingMs,
      } as Context),
    async putItem(item) {
      await dynamoDb.send(new PutCommand({ TableName, Item: item }));
    },
    async getItem({ pk, sk }) {
      return (await dynamoDb.send(new GetCommand({ TableName, Key: { pk, sk } }))).Item;
    },
    async putObject(Bucket, Key) {
      await s3.send(new PutObjectCommand({ Bucket, Key, Body: "stored" }));
    },
    async hasObject(Bucket, Key) {
      try {
        await s3.send(new GetObjectCommand({ Bucket, Key }));
        return true;
      } catch (error) {
        if (error instanceof NoSuchKey) return false;
        throw error;
      }
    },
    queue(queueUrlName) {
      const queueName = process.env[queueUrlName]?.split("/").at(-1) ?? "";
      const queue = running.endpoint.queues.get(queueName);
      if (queue === undefined) throw new Error(`There is no queue "${queueName}".`);
      return queue;
    },
    connectEdge: (invalidate) =>
      running.endpoint.connectEdge({ distributionId: process.env.DISTRIBUTION_ID ?? "", invalidate }),
    connectFunctions: running.endpoint.connectFunctions,
    onEvent: running.endpoint.onEvent,
    stop: () => running.remove(),
  };
}
