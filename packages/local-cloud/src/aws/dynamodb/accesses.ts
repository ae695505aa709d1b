import type { Access } from "../aws-service.ts";
import { attributeNames, leadingKeys, type TableRequest } from "./request-attributes.ts";
import type { Table } from "./tables.ts";

type Input = Readonly<Record<string, unknown>>;

/**
 * Each access that an operation needs. Source: "Actions, resources, and condition keys for Amazon DynamoDB" and
 * "DynamoDB transactions and IAM": a transaction needs the action of each of its elements, a batch one of its own.
 */
export function accessesOf(operation: string, input: Input, tables: ReadonlyMap<string, Table>): Access[] {
  switch (operation) {
    case "TransactWriteItems":
    case "TransactGetItems":
      return transactionElements(input).map(([kind, request]) =>
        tableAccess(transactionAction(kind), request, tables),
      );
    case "BatchGetItem":
      return batchEntries(input).map(([tableName, batch]) =>
        tableAccess(operation, { ...(batch as Input), TableName: tableName }, tables),
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
  // The API accepts an ARN instead of a name.
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

function transactionElements(input: Input): [kind: string, request: TableRequest][] {
  const items = Array.isArray(input.TransactItems)
    ? (input.TransactItems as Record<string, TableRequest>[])
    : [];
  return items.flatMap((item) => Object.entries(item));
}

function transactionAction(kind: string): string {
  return kind === "ConditionCheck" ? "ConditionCheckItem" : `${kind}Item`;
}

function batchEntries(input: Input): [tableName: string, batch: unknown][] {
  return Object.entries((input.RequestItems ?? {}) as Record<string, unknown>);
}

function batchWrites(writes: unknown): TableRequest {
  const requests = Array.isArray(writes)
    ? (writes as { PutRequest?: { Item: Input }; DeleteRequest?: { Key: Input } }[])
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
