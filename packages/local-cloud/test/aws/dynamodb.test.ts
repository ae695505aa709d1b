import {
  type AttributeValue,
  DescribeTableCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { databaseProcess } from "./database-process.ts";
import { type RunningEndpoint, runEndpoint } from "./running-endpoint.ts";
import { stackOf, TABLE } from "./stack.ts";

type Item = Record<string, AttributeValue>;

const keyOf = (pk: string): Item => ({ pk: { S: pk }, sk: { S: "row" } });

let running: RunningEndpoint;
let client: DynamoDBClient;

beforeAll(async () => {
  running = await runEndpoint(stackOf());
  client = running.dynamoDb();
});

afterAll(() => running.remove());

test("the table has the template's keys and stream", async () => {
  const { Table } = await client.send(new DescribeTableCommand({ TableName: TABLE }));

  expect(Table?.KeySchema).toEqual([
    { AttributeName: "pk", KeyType: "HASH" },
    { AttributeName: "sk", KeyType: "RANGE" },
  ]);
  expect(Table?.StreamSpecification).toEqual({ StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" });
});

describe("conditions", () => {
  test("a failed update returns the item that failed its condition", async () => {
    await client.send(new PutItemCommand({ TableName: TABLE, Item: { ...keyOf("single"), n: { N: "1" } } }));

    const update = client.send(
      new UpdateItemCommand({
        TableName: TABLE,
        Key: keyOf("single"),
        UpdateExpression: "SET n = n + :one",
        ConditionExpression: "n > :five",
        ExpressionAttributeValues: { ":one": { N: "1" }, ":five": { N: "5" } },
        ReturnValuesOnConditionCheckFailure: "ALL_OLD",
      }),
    );

    await expect(update).rejects.toMatchObject({
      name: "ConditionalCheckFailedException",
      Item: { n: { N: "1" } },
    });
  });

  test("a cancelled transaction writes nothing and returns a reason with the item for each element", async () => {
    await client.send(new PutItemCommand({ TableName: TABLE, Item: { ...keyOf("old"), n: { N: "7" } } }));

    const transaction = client.send(
      new TransactWriteItemsCommand({
        TransactItems: [
          { Put: { TableName: TABLE, Item: keyOf("new") } },
          {
            Put: {
              TableName: TABLE,
              Item: keyOf("old"),
              ConditionExpression: "attribute_not_exists(pk)",
              ReturnValuesOnConditionCheckFailure: "ALL_OLD",
            },
          },
        ],
      }),
    );

    await expect(transaction).rejects.toMatchObject({
      name: "TransactionCanceledException",
      CancellationReasons: [{ Code: "None" }, { Code: "ConditionalCheckFailed", Item: { n: { N: "7" } } }],
    });
    expect(await readItem(client, "new")).toBeUndefined();
  });

  test("a transaction sent twice with one token is executed once", async () => {
    const command = new TransactWriteItemsCommand({
      ClientRequestToken: "one-token",
      TransactItems: [
        {
          Update: {
            TableName: TABLE,
            Key: keyOf("idempotent"),
            UpdateExpression: "ADD n :one",
            ExpressionAttributeValues: { ":one": { N: "1" } },
          },
        },
      ],
    });

    await client.send(command);
    await client.send(command);

    expect((await readItem(client, "idempotent"))?.n).toEqual({ N: "1" });
  });

  test("concurrent conditional increments are neither lost nor exceed the limit of the condition", async () => {
    const increment = new UpdateItemCommand({
      TableName: TABLE,
      Key: keyOf("raced"),
      UpdateExpression: "ADD n :one",
      ConditionExpression: "attribute_not_exists(n) OR n < :max",
      ExpressionAttributeValues: { ":one": { N: "1" }, ":max": { N: "20" } },
    });

    const results = await Promise.allSettled(Array.from({ length: 50 }, () => client.send(increment)));

    expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(20);
    expect((await readItem(client, "raced"))?.n).toEqual({ N: "20" });
  });
});

test("consumed capacity is reported", async () => {
  const command = new QueryCommand({
    TableName: TABLE,
    KeyConditionExpression: "pk = :pk",
    ExpressionAttributeValues: { ":pk": { S: "single" } },
    ConsistentRead: true,
    ReturnConsumedCapacity: "TOTAL",
  });

  const { ConsumedCapacity } = await client.send(command);

  expect(ConsumedCapacity?.CapacityUnits).toBeGreaterThan(0);
});

test("an error of the database is returned to the client by name", async () => {
  const command = new GetItemCommand({ TableName: "Missing", Key: keyOf("a") });

  await expect(client.send(command)).rejects.toMatchObject({ name: "ResourceNotFoundException" });
});

test("a killed database starts again with every acknowledged write", { tags: "slow" }, async () => {
  const killed = await runEndpoint(stackOf());
  try {
    const survivor = killed.dynamoDb();
    await survivor.send(new PutItemCommand({ TableName: TABLE, Item: keyOf("acknowledged") }));

    process.kill(databaseProcess(killed.dataDirectory) ?? Number.NaN, "SIGKILL");
    await expect.poll(() => readItem(survivor, "acknowledged").catch(() => undefined)).toBeDefined();

    expect(killed.logLines.join("\n")).toContain("dynoxide ended unexpectedly (exit code 137)");
  } finally {
    await killed.remove();
  }
});

test("data survives a restart, and a template with other keys is refused", {
  tags: "slow",
}, async () => {
  const first = await runEndpoint(stackOf());
  await first.dynamoDb().send(new PutItemCommand({ TableName: TABLE, Item: keyOf("kept") }));
  await first.endpoint.stop();

  const second = await runEndpoint(stackOf(), first.dataDirectory);
  const kept = await readItem(second.dynamoDb(), "kept");
  await second.endpoint.stop();

  expect(kept).toEqual(keyOf("kept"));
  const otherKeys = stackOf([], {
    Table: {
      Type: "AWS::DynamoDB::Table",
      Properties: {
        KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
        AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
      },
    },
  });
  await expect(runEndpoint(otherKeys, first.dataDirectory)).rejects.toThrow(
    "has the keys pk HASH, sk RANGE, but the template has id HASH",
  );
  await (await runEndpoint(stackOf(), first.dataDirectory)).remove();
});

test("stopping ends the database's process", async () => {
  const stopped = await runEndpoint(stackOf());
  expect(databaseProcess(stopped.dataDirectory)).toBeDefined();

  await stopped.remove();

  expect(databaseProcess(stopped.dataDirectory)).toBeUndefined();
});

async function readItem(from: DynamoDBClient, pk: string): Promise<Item | undefined> {
  const command = new GetItemCommand({ TableName: TABLE, Key: keyOf(pk), ConsistentRead: true });
  return (await from.send(command)).Item;
}
