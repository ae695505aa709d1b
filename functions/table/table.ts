import { AsyncLocalStorage } from "node:async_hooks";
import {
  type AttributeValue,
  DynamoDBClient,
  QueryCommand as RawQueryCommand,
} from "@aws-sdk/client-dynamodb";
import { BatchGetCommand, DynamoDBDocumentClient, GetCommand, QueryCommand } from "@aws-sdk/lib-dynamodb";
import pRetry from "p-retry";
import { environmentNames, readEnvironment } from "../core/environment.ts";
import { ApiError } from "../core/errors.ts";
import { abortWithRequest } from "../core/request-signal.ts";
import { PrewarmedAgent, prewarm, Sha256, timeouts, withoutUnusedMiddleware } from "./aws-client.ts";
import { folderHosts } from "./folder-hosts.ts";
import { type Key, keys, keyText } from "./keys.ts";

/** An item of the table. */
export type Item = Record<string, unknown>;

/** An item in DynamoDB's own format. */
export type RawItem = Record<string, AttributeValue>;

const agent = new PrewarmedAgent();

/** The only DynamoDB client of the process. Timeouts leave time for a second attempt within a request. */
export const dynamodb = abortWithRequest(
  withoutUnusedMiddleware(
    DynamoDBDocumentClient.from(
      new DynamoDBClient({
        sha256: Sha256,
        maxAttempts: 4,
        requestHandler: { ...timeouts(5_000), httpsAgent: agent },
      }),
      { marshallOptions: { removeUndefinedValues: true } },
    ),
  ),
);

prewarm(dynamodb, agent, () => {
  // No item has this key. If the request were sent, it would find nothing.
  const Key = { pk: "START", sk: "START" };
  return new GetCommand({ TableName: tableName(), Key, ConsistentRead: true });
});

/** Prepares a second connection and a query, for functions whose first request makes two concurrent reads. */
export function prewarmQuery(): void {
  prewarm(dynamodb, agent, () => new QueryCommand(queryOf({ pk: "START", prefix: "START" }, {})));
}

/**
 * Error of an attempt that lost a race with another writer, or exceeded the table's capacity. After the last attempt, the response
 * contains the error's message, or the message of `unavailable` if it is empty.
 */
export class RetryableError extends Error {}

/**
 * The first pause is 10 to 20 ms and the last is 140 to 280 ms. All pauses together take three seconds. Conflicts last only milliseconds.
 */
const policy = { retries: 40, minTimeout: 10, factor: 1.07, randomize: true } as const;

/**
 * Repeats an attempt after a random pause while it throws `RetryableError`. Each attempt must read its data again.
 *
 * @throws ApiError `unavailable` after the last attempt; any other error of an attempt immediately
 */
export async function retryConflicts<Result>(attempt: () => Promise<Result>): Promise<Result> {
  try {
    return await pRetry(attempt, { ...policy, shouldRetry: ({ error }) => error instanceof RetryableError });
  } catch (cause) {
    if (!(cause instanceof RetryableError)) throw cause;
    throw new ApiError("unavailable", { message: cause.message || undefined, retryAfterSeconds: 1, cause });
  }
}

const writeCommand = /^(BatchWrite|Delete|Put|TransactWrite|Update)/;

/** Errors after which DynamoDB has certainly written nothing; see "Error handling with DynamoDB", Amazon DynamoDB developer guide. */
const refusals = new Set([
  "ConditionalCheckFailedException",
  "ProvisionedThroughputExceededException",
  "RequestLimitExceeded",
  "ThrottlingException",
  "TransactionCanceledException",
  "TransactionConflictException",
]);

/** Number of writes in the current call of `withWriteCount` that succeeded, may have succeeded, or are pending. */
const writesOfWork = new AsyncLocalStorage<{ count: number }>();

/** Runs a function and counts its writes that may have reached the table, including writes that ended in a server error. */
export function withWriteCount<Result>(
  work: (mayHaveWritten: () => boolean) => Promise<Result>,
): Promise<Result> {
  const writes = { count: 0 };
  return writesOfWork.run(writes, () => work(() => writes.count > 0));
}

dynamodb.middlewareStack.add(
  (next, { commandName = "" }) =>
    async (args) => {
      const writes = writeCommand.test(commandName) ? writesOfWork.getStore() : undefined;
      if (writes === undefined) return next(args);
      writes.count += 1;
      try {
        return await next(args);
      } catch (error) {
        if (refusals.has((error as Error).name)) writes.count -= 1;
        throw error;
      }
    },
  // The middleware runs once for each of the SDK's attempts, so that the outcome of each attempt counts.
  { step: "finalizeRequest", priority: "low", name: "countWrites" },
);

/** Returns the name of the service's only table. */
export function tableName(): string {
  return readEnvironment(environmentNames.tableName);
}

/** Reads one item with strong consistency. Returns undefined if the item does not exist. */
export async function getItem(key: Key): Promise<Item | undefined> {
  const command = new GetCommand({ TableName: tableName(), Key: key, ConsistentRead: true });
  return (await dynamodb.send(command)).Item;
}

interface Range {
  readonly pk: string;
  readonly prefix: string;
}

interface QueryOptions {
  readonly descending?: boolean;
  readonly limit?: number;
  /** The key after which the query begins. @default - the query begins at the first item */
  readonly after?: Key | undefined;
  /** Attributes to return. DynamoDB charges for whole items. @default - all */
  readonly attributes?: readonly string[];
  /** Attribute that the returned items must have. @default - all items */
  readonly having?: string;
  /** Attribute of the returned items, and the text that it must have. DynamoDB charges for all items that it reads. @default - all items */
  readonly equal?: readonly [attribute: string, text: string] | undefined;
}

/** Reads all items of a partition whose sort key has the prefix, in the order of the sort key. The reads are strongly consistent. */
export function queryAll(range: Range, options: QueryOptions = {}): Promise<Item[]> {
  return readPages(options, (start: Item | undefined = options.after && { ...options.after }) =>
    dynamodb.send(new QueryCommand({ ...queryOf(range, options), ExclusiveStartKey: start })),
  );
}

/**
 * Reads the items of one query, which ends after `limit` items or 1 MB, including items that a filter omits. `next` is the key to
 * continue after, or undefined at the end.
 */
export async function queryOnce(
  range: Range,
  options: QueryOptions,
): Promise<{ readonly items: readonly Item[]; readonly next: Key | undefined }> {
  const ExclusiveStartKey = options.after && { ...options.after };
  const { Items = [], LastEvaluatedKey } = await dynamodb.send(
    new QueryCommand({ ...queryOf(range, options), ExclusiveStartKey }),
  );
  return { items: Items, next: LastEvaluatedKey as Key | undefined };
}

/** Reads the keys of all items in a range. */
export async function queryKeys(range: Range): Promise<Key[]> {
  return (await queryAll(range, { attributes: ["pk", "sk"] })) as unknown as Key[];
}

/**
 * Reads items like `queryAll`, but in DynamoDB's own format, for lists that show few of many items. Converting all of 500 drops would make
 * a list of 20 drops 17 % more expensive, and a list of 100 drops 33 %; see docs/adr/0037-dynamodb-reads.md.
 */
export function queryRaw(range: Range, options: QueryOptions = {}): Promise<RawItem[]> {
  const values = {
    ":pk": { S: range.pk },
    ":prefix": { S: range.prefix },
    ":last": { S: lastWith(range.prefix) },
  };
  const query = { ...queryOf(range, options), ExpressionAttributeValues: values };
  return readPages(options, (start?: RawItem) =>
    dynamodb.send(new RawQueryCommand({ ...query, ExclusiveStartKey: start })),
  );
}

async function readPages<Row>(
  { limit }: QueryOptions,
  readPage: (start?: Row) => Promise<{ readonly Items?: Row[]; readonly LastEvaluatedKey?: Row }>,
): Promise<Row[]> {
  const items: Row[] = [];
  let start: Row | undefined;
  do {
    const response = await readPage(start);
    items.push(...(response.Items ?? []));
    start = limit === undefined ? response.LastEvaluatedKey : undefined;
  } while (start !== undefined);
  return items;
}

/** Returns the last possible sort key with a prefix. */
function lastWith(prefix: string): string {
  return `${prefix}\u{10ffff}`;
}

function queryOf({ pk, prefix }: Range, { descending, limit, attributes, having, equal }: QueryOptions) {
  // Attributes have placeholder names, because many words are reserved.
  const filtered = [having, equal?.[0]].filter((name) => name !== undefined);
  const named = [...(attributes ?? []), ...filtered].flatMap(partsOf);
  const filters = [
    ...(having === undefined ? [] : [`attribute_exists(#${having})`]),
    ...(equal === undefined ? [] : [`#${equal[0]} = :equal`]),
  ];
  return {
    TableName: tableName(),
    // The query does not use begins_with, because the engine of `npm start` ignores case there, unlike DynamoDB. Sort keys are ordered by
    // their UTF-8 bytes.
    KeyConditionExpression: "pk = :pk AND sk BETWEEN :prefix AND :last",
    ExpressionAttributeValues: {
      ":pk": pk,
      ":prefix": prefix,
      ":last": lastWith(prefix),
      ...(equal && { ":equal": equal[1] }),
    },
    ConsistentRead: true,
    ScanIndexForward: descending !== true,
    Limit: limit,
    ProjectionExpression: attributes
      ?.map((path) =>
        partsOf(path)
          .map((name) => `#${name}`)
          .join("."),
      )
      .join(", "),
    FilterExpression: filters.length === 0 ? undefined : filters.join(" AND "),
    ExpressionAttributeNames:
      named.length === 0 ? undefined : Object.fromEntries(named.map((name) => [`#${name}`, name])),
  };
}

/** Splits the path of an attribute, which may be inside a map, into names. */
function partsOf(path: string): string[] {
  return path.split(".");
}

/**
 * Reads the last `limit` sort keys of a partition, or the last ones before a key, in descending order. The read is eventually consistent,
 * which costs half as much and is enough, because the keys are only a hint.
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
      ExpressionAttributeValues: { ":pk": pk, ":before": before },
      ProjectionExpression: "sk",
      ScanIndexForward: false,
      Limit: limit,
    }),
  );
  return Items.map(({ sk }) => sk);
}

/** Maximum number of keys in one BatchGetItem; see "BatchGetItem", Amazon DynamoDB API reference. */
const batchKeysMax = 100;

/**
 * Reads many items with strong consistency, in no particular order. Missing items are omitted.
 *
 * @throws ApiError `unavailable` if some items are unread after several attempts
 */
export async function getItems(allKeys: readonly Key[]): Promise<Item[]> {
  const count = Math.ceil(allKeys.length / batchKeysMax);
  const batches = Array.from({ length: count }, (_, index) =>
    getBatch(allKeys.slice(index * batchKeysMax, (index + 1) * batchKeysMax)),
  );
  return (await Promise.all(batches)).flat();
}

/** Reads many items, and returns a function that finds an item by its key. The keys may contain duplicates, which are removed. */
export async function findItems(allKeys: readonly Key[]): Promise<(key: Key) => Item | undefined> {
  const distinct = new Map(allKeys.map((key) => [keyText(key), key]));
  const items = await getItems([...distinct.values()]);
  const byKey = new Map(items.map((item) => [keyText(item as unknown as Key), item]));
  return (key) => byKey.get(keyText(key));
}

async function getBatch(batch: readonly Key[]): Promise<Item[]> {
  const items: Item[] = [];
  let Keys: Item[] = batch.map((key) => ({ ...key }));
  return retryConflicts(async () => {
    const RequestItems = { [tableName()]: { Keys, ConsistentRead: true } };
    const response = await dynamodb.send(new BatchGetCommand({ RequestItems }));
    items.push(...(response.Responses?.[tableName()] ?? []));
    Keys = response.UnprocessedKeys?.[tableName()]?.Keys ?? [];
    // The table had no capacity for the remaining items, or the response reached 16 MB.
    if (Keys.length > 0) throw new RetryableError();
    return items;
  });
}

folderHosts.findSlug = async (id) => {
  const host = await getItem(keys.folderHost(id));
  return host?.slug as string | undefined;
};
