import { randomUUID } from "node:crypto";
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import {
  BatchWriteCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import { resourcesOfType } from "@dropleaf/local-cloud/template";
import { afterAll, beforeAll, expect, test } from "vitest";
import { grantsOf, optionalOperationIds, routeOf } from "../../functions/routes.ts";
import { keys } from "../../functions/table/keys.ts";
import { workerIds, workerOf } from "../../functions/workers.ts";
import { handlerSource, servedOperationIds, workerSource } from "../../lib/bundle/function-source.ts";
import { type OwnStorage, runOwnStorage } from "../support/own-storage.ts";

let running: OwnStorage;

beforeAll(async () => {
  running = await runOwnStorage();
});

afterAll(() => running.remove());

test("no function can change or remove an audit entry, and only the administrators' page can read them", async () => {
  const { template } = running;
  const [TableName = ""] = resourcesOfType(template, "AWS::DynamoDB::Table").map(
    ({ physicalId }) => physicalId,
  );
  const line = { ...keys.auditLine(Date.now(), randomUUID(), "Owner00000000001"), action: "publish-drop" };
  const documents = (client: DynamoDBClient) => DynamoDBDocumentClient.from(client);
  const administrator = documents(running.dynamoDb());
  await administrator.send(new PutCommand({ TableName, Item: line }));
  const Key = { pk: line.pk, sk: line.sk };
  const functions = resourcesOfType(template, "AWS::Lambda::Function");
  const added: string[] = [];
  const values = { ExpressionAttributeValues: { ":text": "somebody else" } };
  const commands = [
    new GetCommand({ TableName, Key }),
    new QueryCommand({
      TableName,
      KeyConditionExpression: "pk = :pk",
      ExpressionAttributeValues: { ":pk": line.pk },
    }),
    new UpdateCommand({ TableName, Key, UpdateExpression: "SET tokenId = :text", ...values }),
    new DeleteCommand({ TableName, Key }),
    new BatchWriteCommand({ RequestItems: { [TableName]: [{ DeleteRequest: { Key } }] } }),
  ];

  for (const { arn, properties } of functions) {
    const credentials = running.endpoint.credentialsFor(String(properties.Role), arn);
    const client = documents(running.dynamoDb(credentials));
    const isReader = properties.Handler === "index.showAdminAudit";
    for (const command of commands.filter((one) => !isReader || !(one instanceof QueryCommand))) {
      const refused = client.send(command as GetCommand);
      await expect(refused, command.constructor.name).rejects.toThrow("is not authorized to perform");
    }
    // An allowed write shows that the refusals above depend on the trail's permissions.
    const Item = { ...keys.auditLine(0, randomUUID()), action: "tried" };
    const isAdded = await client.send(new PutCommand({ TableName, Item })).then(
      () => true,
      () => false,
    );
    if (isAdded) added.push(String(properties.Handler));
    client.destroy();
  }

  expect(added.toSorted()).toEqual(handlersThatMayAdd().toSorted());
  const { Item } = await administrator.send(new GetCommand({ TableName, Key }));
  expect(Item).toEqual(line);
});

/** Returns the handlers of functions whose rows, or the rows that they perform, write audit entries. */
function handlersThatMayAdd(): string[] {
  const ofAdministrators = optionalOperationIds.filter((id) => routeOf(id).onlyWith === "administrators");
  const all = [...servedOperationIds, ...ofAdministrators];
  const operations = all.filter((id) => grantsOf(id).some(({ audit }) => audit));
  const workers = workerIds.filter((id) => workerOf(id).grants.some(({ audit }) => audit));
  const sources = [...operations.map(handlerSource), ...workers.map(workerSource)];
  return sources.map(({ exportName }) => `index.${exportName}`);
}
