import {
  type AttributeValue,
  BatchGetItemCommand,
  DynamoDBClient,
  GetItemCommand,
  QueryCommand,
} from "@aws-sdk/client-dynamodb";
import { marshall, unmarshall } from "@aws-sdk/util-dynamodb";
import { environmentNames, readEnvironment } from "../http/environment.ts";
import { ApiError } from "../http/errors.ts";
import { abortWithRequest } from "../http/request-signal.ts";
import { PrewarmedAgent, prewarm, Sha256, timeouts, withoutUnusedMiddleware } from "./aws-client.ts";
import type { Key } from "./keys.ts";
import { backOff } from "./retry-policy.ts";

/** An item as it lies in the table. */
export type Item = Record<string, unknown>;

const agent = new PrewarmedAgent();

/** The one client of the process. Timeouts leave room for a second try within a request. */
export const dynamodb = abortWithRequest(
  withoutUnusedMiddleware(
    new DynamoDBClient({
      sha256: Sha256,
      maxAttempts: 4,
      requestHandler: {
        ...timeouts(5_000),
        httpsAgent: agent,
      },
    }),
  ),
);

prewarm(dynamodb, agent, () => {
  // With a key that no item has, were it ever sent.
  const Key = toAttributes({ pk: "START", sk: "START" });
  return new GetItemCommand({ TableName: tableName(), Key, ConsistentRead: true });
});

/** For a function whose first request asks the table for two things at once: a second connection, and a query. */
export function prewarmQuery(): void {
  prewarm(dynamodb, agent, () => queryOf({ pk: "START", prefix: "START" }, {}));
}

/** An item, key or set of values as DynamoDB takes it; undefined attributes are left out. */
export function toAttributes(item: Readonly<Record<string, unknown>>): Record<string, AttributeValue> {
  return marshall(item, { removeUndefinedValues: true });
}

/** An item as DynamoDB gives it. */
export function fromAttributes(attributes: Record<string, AttributeValue>): Item {
  return unmarshall(attributes);
}

/** The name of the service's one table. */
export function tableName(): string {
  return readEnvironment(environmentNames.tableName);
}

/** One item, strongly consistent; undefined where there is none. */
export async function getItem(key: Key): Promise<Item | undefined> {
  const response = await dynamodb.send(
    new GetItemCommand({ TableName: tableName(), Key: toAttributes({ ...key }), ConsistentRead: true }),
  );
  return response.Item && fromAttributes(response.Item);
}

interface Range {
  readonly pk: string;
  readonly prefix: string;
}

/** An item as DynamoDB gives it, not converted. */
export type ItemAttributes = Record<string, AttributeValue>;

interface QueryOptions {
  readonly descending?: boolean;
  readonly limit?: number;
  /** The attributes that are sent. What is read is charged for whole. @default - all */
  readonly attributes?: readonly string[];
  /** Only items with this attribute are sent. @default - all items */
  readonly having?: string;
}

/** Every item of a partition whose sort key has the prefix, in the order of the sort key; strongly consistent. */
export async function queryAll(range: Range, options: QueryOptions = {}): Promise<Item[]> {
  return (await queryAttributes(range, options)).map(fromAttributes);
}

/** The same without converting them: for thousands of items of which few are wanted whole. */
export async function queryAttributes(range: Range, options: QueryOptions): Promise<ItemAttributes[]> {
  const items: ItemAttributes[] = [];
  let start: ItemAttributes | undefined;
  do {
    const response = await dynamodb.send(queryOf(range, options, start));
    items.push(...(response.Items ?? []));
    start = options.limit === undefined ? response.LastEvaluatedKey : undefined;
  } while (start !== undefined);
  return items;
}

function queryOf(
  { pk, prefix }: Range,
  { descending, limit, attributes, having }: QueryOptions,
  start?: ItemAttributes,
): QueryCommand {
  // By other names, since many words are reserved.
  const named = [...(attributes ?? []), ...(having === undefined ? [] : [having])];
  return new QueryCommand({
    TableName: tableName(),
    KeyConditionExpression: "pk = :pk AND begins_with(sk, :prefix)",
    ExpressionAttributeValues: toAttributes({ ":pk": pk, ":prefix": prefix }),
    ConsistentRead: true,
    ScanIndexForward: descending !== true,
    Limit: limit,
    ProjectionExpression: attributes?.map((name) => `#${name}`).join(", "),
    FilterExpression: having === undefined ? undefined : `attribute_exists(#${having})`,
    ExpressionAttributeNames:
      named.length === 0 ? undefined : Object.fromEntries(named.map((name) => [`#${name}`, name])),
    ExclusiveStartKey: start,
  });
}

/**
 * The sort keys of a partition that come before one, or all of them, the last first: at most so many. Eventually consistent, at half
 * the price: for what is only a hint.
 */
export async function querySortKeysBefore(
  pk: string,
  before: string | undefined,
  limit: number,
): Promise<string[]> {
  const { Items = [] } = await dynamodb.send(
    new QueryCommand({
      TableName: tableName(),
      KeyConditionExpression: before === undefined ? "pk = :pk" : "pk = :pk AND sk < :before",
      ExpressionAttributeValues: toAttributes({ ":pk": pk, ":before": before }),
      ProjectionExpression: "sk",
      ScanIndexForward: false,
      Limit: limit,
    }),
  );
  return Items.map((item) => item.sk?.S ?? "");
}

/** The most keys that one BatchGetItem takes; Amazon DynamoDB API reference, "BatchGetItem". */
const batchKeysMax = 100;

/** The attempts of a batch read whose keys the table had no capacity for, or that did not fit into a response of 16 MB. */
const attemptsMax = 10;

/**
 * Many items, strongly consistent, in no particular order; keys without an item give none.
 *
 * @throws ApiError `unavailable` where some are left unread after several attempts
 */
export async function getItems(allKeys: readonly Key[]): Promise<Item[]> {
  const count = Math.ceil(allKeys.length / batchKeysMax);
  const batches = Array.from({ length: count }, (_, index) =>
    allKeys.slice(index * batchKeysMax, (index + 1) * batchKeysMax),
  );
  return (await Promise.all(batches.map(getBatch))).flat();
}

async function getBatch(batch: readonly Key[]): Promise<Item[]> {
  const items: Item[] = [];
  let pending = batch.map((key) => toAttributes({ ...key }));
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    await backOff(attempt);
    const request = { [tableName()]: { Keys: pending, ConsistentRead: true } };
    const response = await dynamodb.send(new BatchGetItemCommand({ RequestItems: request }));
    items.push(...(response.Responses?.[tableName()] ?? []).map(fromAttributes));
    pending = response.UnprocessedKeys?.[tableName()]?.Keys ?? [];
    if (pending.length === 0) return items;
  }
  throw new ApiError("unavailable", { retryAfterSeconds: 1 });
}
