import { type Resource, resourcesOfType, type Template } from "../../template.ts";
import { AwsError } from "../aws-error.ts";
import { callDynamoDb, type DynamoDbBackend } from "./backend.ts";

/** A table of the template, with the data that policy checks need. */
export interface Table {
  readonly name: string;
  readonly arn: string;
  readonly partitionKey: string;
}

interface KeyElement {
  readonly AttributeName: string;
  readonly KeyType: string;
}

/** Returns the tables of the template by name. */
export function tablesOf(template: Template): ReadonlyMap<string, Table> {
  const tables = resourcesOfType(template, "AWS::DynamoDB::Table").map((resource): Table => {
    const name = resource.physicalId;
    const partitionKey = keysOf(resource).find((key) => key.KeyType === "HASH")?.AttributeName;
    if (!partitionKey) throw new Error(`${resource.logicalId}: KeySchema has no HASH key`);
    return { name, arn: resource.arn, partitionKey };
  });
  return new Map(tables.map((table) => [table.name, table]));
}

/** Creates missing tables, with keys, indexes, stream and time to live. Throws an Error if an existing table has different keys. */
export async function createMissingTables(template: Template, backend: DynamoDbBackend): Promise<void> {
  for (const resource of resourcesOfType(template, "AWS::DynamoDB::Table")) {
    const existing = await describeTable(backend, resource.physicalId);
    if (existing) await adoptTable(backend, resource, existing);
    else await createTable(backend, resource);
  }
}

async function createTable(backend: DynamoDbBackend, resource: Resource): Promise<void> {
  const { properties, physicalId: TableName } = resource;
  const { KeySchema, AttributeDefinitions, GlobalSecondaryIndexes, LocalSecondaryIndexes } = properties;
  await callDynamoDb(backend, "CreateTable", {
    ...{ TableName, KeySchema, AttributeDefinitions, GlobalSecondaryIndexes, LocalSecondaryIndexes },
    BillingMode: "PAY_PER_REQUEST",
    StreamSpecification: streamOf(resource),
  });
  const { TimeToLiveSpecification } = properties;
  if (TimeToLiveSpecification)
    await callDynamoDb(backend, "UpdateTimeToLive", { TableName, TimeToLiveSpecification });
}

async function adoptTable(
  backend: DynamoDbBackend,
  resource: Resource,
  existing: Record<string, unknown>,
): Promise<void> {
  const wanted = keyText(keysOf(resource));
  const found = keyText(existing.KeySchema as KeyElement[]);
  if (wanted !== found) {
    throw new Error(
      `The table ${resource.physicalId} in the data folder has the keys ${found}, but the template has ${wanted}. Choose another folder with DATA_DIR.`,
    );
  }
  const stream = streamOf(resource);
  if (stream && !existing.LatestStreamArn) {
    const update = { TableName: resource.physicalId, StreamSpecification: stream };
    await callDynamoDb(backend, "UpdateTable", update);
  }
}

async function describeTable(
  backend: DynamoDbBackend,
  name: string,
): Promise<Record<string, unknown> | undefined> {
  try {
    const { Table } = await callDynamoDb(backend, "DescribeTable", { TableName: name });
    return Table as Record<string, unknown>;
  } catch (error) {
    if (error instanceof AwsError && error.code === "ResourceNotFoundException") return undefined;
    throw error;
  }
}

/** Returns the stream specification with StreamEnabled, which CloudFormation omits and the API requires. */
function streamOf(resource: Resource): Record<string, unknown> | undefined {
  const specification = resource.properties.StreamSpecification as { StreamViewType: string } | undefined;
  return specification && { StreamEnabled: true, StreamViewType: specification.StreamViewType };
}

function keysOf(resource: Resource): KeyElement[] {
  return (resource.properties.KeySchema ?? []) as KeyElement[];
}

function keyText(keys: readonly KeyElement[]): string {
  return keys.map((key) => `${key.AttributeName} ${key.KeyType}`).join(", ");
}
