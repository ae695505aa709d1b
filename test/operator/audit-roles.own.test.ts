import { randomUUID } from "node:crypto";
import {
  BatchWriteItemCommand,
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { resourcesOfType } from "@dropleaf/local-cloud/template";
import { afterAll, beforeAll, expect, test } from "vitest";
import { keys } from "../../functions/table/keys.ts";
import { fromAttributes, toAttributes } from "../../functions/table/table.ts";
import { type OwnStorage, runOwnStorage } from "../support/own-storage.ts";

let running: OwnStorage;

beforeAll(async () => {
  running = await runOwnStorage();
});

afterAll(() => running.remove());

test("no function can read, change or remove a line of the audit trail, nor write outside of what is its own", async () => {
  const { template } = running;
  const [TableName = ""] = resourcesOfType(template, "AWS::DynamoDB::Table").map(
    ({ physicalId }) => physicalId,
  );
  const line = { ...keys.auditLine(Date.now(), randomUUID(), "Owner00000000001"), action: "publish-drop" };
  const administrator = running.dynamoDb();
  await administrator.send(new PutItemCommand({ TableName, Item: toAttributes(line) }));
  const Key = toAttributes({ pk: line.pk, sk: line.sk });
  const roles = resourcesOfType(template, "AWS::IAM::Role").filter(({ properties }) =>
    JSON.stringify(properties).includes("AUDIT#"),
  );
  const values = { ExpressionAttributeValues: { ":text": { S: "somebody else" } } };
  const commands = [
    new GetItemCommand({ TableName, Key }),
    new QueryCommand({
      TableName,
      KeyConditionExpression: "pk = :pk",
      ExpressionAttributeValues: toAttributes({ ":pk": line.pk }),
    }),
    new UpdateItemCommand({ TableName, Key, UpdateExpression: "SET tokenId = :text", ...values }),
    new DeleteItemCommand({ TableName, Key }),
    new BatchWriteItemCommand({ RequestItems: { [TableName]: [{ DeleteRequest: { Key } }] } }),
  ];

  for (const { physicalId } of roles) {
    const credentials = running.endpoint.credentialsFor(`arn:aws:iam::000000000000:role/${physicalId}`);
    const client = running.dynamoDb(credentials);
    for (const command of commands) {
      const refused = client.send(command as GetItemCommand);
      await expect(refused, command.constructor.name).rejects.toThrow("is not authorized to perform");
    }
    // What it may, so that the refusals above are those of the trail's keys.
    const Item = toAttributes({ ...keys.auditLine(0, randomUUID()), action: "tried" });
    await client.send(new PutItemCommand({ TableName, Item }));
    client.destroy();
  }

  expect(roles.length).toBeGreaterThan(5);
  const { Item } = await administrator.send(new GetItemCommand({ TableName, Key }));
  expect(Item && fromAttributes(Item)).toEqual(line);
});
