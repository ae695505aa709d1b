import type { Access } from "../aws-service.ts";
import type { JsonInput } from "../json-protocol.ts";
import type { Table } from "./tables.ts";

/** The part of a DynamoDB request that concerns one table. It has the API's fields, which are not validated. */
type TableRequest = JsonInput;

const EXPRESSIONS = [
  "ProjectionExpression",
  "FilterExpression",
  "ConditionExpression",
  "KeyConditionExpression",
  "UpdateExpression",
];

/** Keywords of expressions. An attribute whose name is a keyword must be written as a placeholder, `#name`. */
const KEYWORDS = new Set(["SET", "REMOVE", "ADD", "DELETE", "AND", "OR", "NOT", "BETWEEN", "IN"]);

/**
 * Returns each access that an operation needs. A transaction needs the actions of all its elements. A batch needs only the batch action.
 * Sources: "Actions, resources, and condition keys for Amazon DynamoDB" and "DynamoDB transactions and IAM".
 */
export function accessesOf(
  operation: string,
  input: JsonInput,
  tables: ReadonlyMap<string, Table>,
): Access[] {
  switch (operation) {
    case "TransactWriteItems":
    case "TransactGetItems":
      return transactionElements(input).map(([kind, request]) =>
        tableAccess(transactionAction(kind), request, tables),
      );
    case "BatchGetItem":
      return batchEntries(input).map(([tableName, batch]) =>
        tableAccess(operation, { ...(batch as JsonInput), TableName: tableName }, tables),
      );
    case "BatchWriteItem":
      return batchEntries(input).map(([tableName, writes]) =>
        tableAccess(operation, { TableName: tableName, ...batchWrites(writes) }, tables),
      );
    default:
      return [tableAccess(operation, input, tables)];
  }
}

function tableAccess(operation: string, request: TableRequest, tables: ReadonlyMap<string, Table>): Access {
  const action = `dynamodb:${operation}`;
  if (typeof request.StreamArn === "string") return { action, resourceArn: request.StreamArn };
  if (typeof request.TableName !== "string") return { action, resourceArn: "*" };
  // The API accepts a table's ARN instead of its name.
  const tableName = request.TableName.split(":table/").at(-1) ?? request.TableName;
  const table = tables.get(tableName);
  const tableArn = table?.arn ?? `arn:aws:dynamodb:us-east-1:000000000000:table/${tableName}`;
  return {
    action,
    resourceArn: typeof request.IndexName === "string" ? `${tableArn}/index/${request.IndexName}` : tableArn,
    conditionKeys: {
      "dynamodb:LeadingKeys": table ? leadingKeys(request, table.partitionKey) : [],
      "dynamodb:Attributes": attributeNames(request),
      "dynamodb:Select": selectOf(operation, request),
      "dynamodb:ReturnValues": typeof request.ReturnValues === "string" ? [request.ReturnValues] : [],
    },
  };
}

function transactionElements(input: JsonInput): [kind: string, request: TableRequest][] {
  const items = Array.isArray(input.TransactItems)
    ? (input.TransactItems as Record<string, TableRequest>[])
    : [];
  return items.flatMap((item) => Object.entries(item));
}

function transactionAction(kind: string): string {
  return kind === "ConditionCheck" ? "ConditionCheckItem" : `${kind}Item`;
}

function batchEntries(input: JsonInput): [tableName: string, batch: unknown][] {
  return Object.entries((input.RequestItems ?? {}) as Record<string, unknown>);
}

function batchWrites(writes: unknown): TableRequest {
  const requests = Array.isArray(writes)
    ? (writes as { PutRequest?: { Item: JsonInput }; DeleteRequest?: { Key: JsonInput } }[])
    : [];
  return {
    Items: requests.flatMap((request) => request.PutRequest?.Item ?? []),
    Keys: requests.flatMap((request) => request.DeleteRequest?.Key ?? []),
  };
}

function selectOf(operation: string, request: TableRequest): string[] {
  if (!["GetItem", "BatchGetItem", "Query", "Scan"].includes(operation)) return [];
  if (typeof request.Select === "string") return [request.Select];
  return [request.ProjectionExpression === undefined ? "ALL_ATTRIBUTES" : "SPECIFIC_ATTRIBUTES"];
}

/**
 * Returns the partition key values that a request reads or writes, for the condition key `dynamodb:LeadingKeys`; see "Using IAM policy
 * conditions for fine-grained access control".
 */
function leadingKeys(request: TableRequest, partitionKey: string): string[] {
  const values = [
    ...itemsOf(request).map((item) => item[partitionKey]),
    queriedValue(request, partitionKey),
  ].filter((value) => value !== undefined);
  return [...new Set(values.map((value) => String(Object.values(value as JsonInput)[0])))];
}

/** Returns the top-level attributes that a request names, for the condition key `dynamodb:Attributes`. */
function attributeNames(request: TableRequest): string[] {
  const names = new Set(itemsOf(request).flatMap((item) => Object.keys(item)));
  for (const field of EXPRESSIONS) {
    for (const name of namesInExpression(request[field], request)) names.add(name);
  }
  return [...names];
}

function itemsOf(request: TableRequest): JsonInput[] {
  return [
    request.Key,
    request.Item,
    ...((request.Keys ?? []) as unknown[]),
    ...((request.Items ?? []) as unknown[]),
  ].filter((item): item is JsonInput => typeof item === "object" && item !== null);
}

/** Returns the value that a KeyConditionExpression compares with the partition key, as in `pk = :value`. */
function queriedValue(request: TableRequest, partitionKey: string): unknown {
  const expression = request.KeyConditionExpression;
  if (typeof expression !== "string") return undefined;
  for (const [, name = "", placeholder = ""] of expression.matchAll(/([#\w]+)\s*=\s*(:\w+)/g)) {
    if (resolveName(name, request) === partitionKey) {
      return (request.ExpressionAttributeValues as JsonInput | undefined)?.[placeholder];
    }
  }
  return undefined;
}

function namesInExpression(expression: unknown, request: TableRequest): string[] {
  if (typeof expression !== "string") return [];
  // Matches the first segment of a path, but not `:value`, `.nested` or `function(`.
  const segments = expression.matchAll(/(?<![:.#\w])(#?[A-Za-z_]\w*)(?!\w*\s*\()/g);
  return [...segments]
    .map(([, segment = ""]) => segment)
    .filter((segment) => !KEYWORDS.has(segment.toUpperCase()))
    .map((segment) => resolveName(segment, request));
}

function resolveName(name: string, request: TableRequest): string {
  const names = request.ExpressionAttributeNames as Readonly<Record<string, string>> | undefined;
  return name.startsWith("#") ? (names?.[name] ?? name) : name;
}
