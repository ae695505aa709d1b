import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { GetItemCommand, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { afterEach, expect, test, vi } from "vitest";
import { startDynoxide } from "../../src/aws/dynamodb/dynoxide.ts";
import { runEndpoint, temporaryFolder } from "./running-endpoint.ts";
import { ROLE_ARN, stackOf, TABLE } from "./stack.ts";

afterEach(() => vi.unstubAllEnvs());

test("an invalid database file is refused with the database's error", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "dynamodb.sqlite"), "this is no database ".repeat(100));

  await expect(runEndpoint(stackOf(), folder)).rejects.toThrow(
    /^The DynamoDB emulator dynoxide did not start \(exit code \d+: .*not a valid SQLite database/,
  );

  writeFileSync(join(folder, "dynamodb.sqlite"), "");
  await (await runEndpoint(stackOf(), folder)).remove();
});

test("DYNAMODB_ENDPOINT selects a running server, on which the tables are created and every role works", async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "server"));
  const server = await startDynoxide(join(folder, "server", "db.sqlite"), () => {});
  vi.stubEnv("DYNAMODB_ENDPOINT", (await server.endpoint()).href);
  const statement = { Effect: "Allow", Action: "dynamodb:GetItem", Resource: "*" };

  const running = await runEndpoint(stackOf([statement]), folder);
  const Item = { pk: { S: "a" }, sk: { S: "b" } };
  await running.dynamoDb().send(new PutItemCommand({ TableName: TABLE, Item }));
  const role = running.dynamoDb(running.endpoint.credentialsFor(ROLE_ARN));
  const response = await role.send(new GetItemCommand({ TableName: TABLE, Key: Item }));

  expect(response.Item).toEqual(Item);
  await server.stop();
  await running.remove();
});

test("a DYNAMODB_ENDPOINT that is not a URL is refused", async () => {
  vi.stubEnv("DYNAMODB_ENDPOINT", "localhost:8000");
  const folder = temporaryFolder();

  await expect(runEndpoint(stackOf(), folder)).rejects.toThrow(
    'DYNAMODB_ENDPOINT is "localhost:8000"; it must be an address such as http://localhost:8000',
  );
  rmSync(folder, { recursive: true });
});
