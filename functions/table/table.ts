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

/** An item as DynamoDB sends it. */
export type RawItem = Record<string, AttributeValue>;

const agent = new PrewarmedAgent();

/** The process's only client. Timeouts leave time for a second attempt within a request. */
export const dynamodb = abortWithRequest(
  withoutUnusedMiddleware(
    DynamoDBDocumentClient.from(
      new DynamoDBClient({
        sha256: Sha256,
        maxAttempts: 4,
        requestHandler: {
          ...timeouts(5_000),
          httpsAgent: agent,
        },
      }),
      { marshallOptions: { removeUndefinedValues: true } },
    ),
  ),
);

prewarm(dynamodb, agent, () => {
  // A key that no item has, in case the request is ever sent.
  const Key = { pk: "START", sk: "START" };
  return new GetCommand({ TableName: tableName(), Key, ConsistentRead: true });
});

/** Prepares a second connection and a query, for functions whose first request makes two reads at once. */
export function prewarmQuery(): void {
  prewarm(dynamodb, agent, () => new QueryCommand(queryOf({ pk: "START", prefix: "START" }, {})));
}

/**
 * Error of an attempt that lost a race with another writer, or met a table without capacity. Its message goes into the
 * response after the last attempt. @default - the message of `unavailable`
 */
export class RetryableError extends Error {}

/** Pauses of 10 to 20 ms at first, and of 140 to 280 ms in the end: three seconds in all. Conflicts last milliseconds. */
const policy = { retries: 40, minTimeout: 10, factor: 1.07, randomize: true } as const;

/**
 * Repeats an attempt after a random pause while it throws `RetryableError`. Each attempt reads what it depends on again.
 *
 * @throws ApiError `unavailable` after the last attempt; any other error of an attempt at once
 */
export async function retryConflicts<Result>(attempt: () => Promise<Result>): Promise<Result> {
  try {
    return await pRetry(attempt, { ...policy, shouldRetry: ({ error }) => error instanceof RetryableError });
  } catch (cause) {
    if (!(cause instanceof RetryableError)) throw cause;
    throw new ApiError("unavailable", { message: cause.message || undefined, retryAfterSeconds: 1, cause });
  }
}

/** The commands of the client that write. */
const writeCommand = /^(BatchWrite|Delete|Put|TransactWrite|Update)/;

/** Errors after which DynamoDB has certainly written nothing; Amazon DynamoDB developer guide, "Error handling with DynamoDB". */
const refusals = new Set([
  "ConditionalCheckFailedException",
  "ProvisionedThroughputExceededException",
  "RequestLimitExceeded",
  "ThrottlingException",
  "TransactionCanceledException",
  "TransactionConflictException",
]);

/** Number of a work's writes that are done, may be done, or are pending. */
const writesOfWork = new AsyncLocalStorage<{ count: number }>();

/** Runs work and counts its writes that may have reached the table: a server error may follow a successful write. */
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
  // Below the SDK's retries: the outcome of each attempt counts.
  { step: "finalizeRequest", priority: "low", name: "countWrites" },
);

/** The name of the service's one table. */
export function tableName(): string {
  return readEnvironment(environmentNames.tableName);
}

/** One item, strongly consistent; undefined if it does not exist. */
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
  /** The key after which the items begin. @default - the first */
  readonly after?: Key | undefined;
  /** The attributes that are sent. DynamoDB charges for whole items. @default - all */
  readonly attributes?: readonly string[];
  /** Only items with this attribute are sent. @default - all items */
  readonly having?: string;
  /** Only items with this text in an attribute are sent. DynamoDB charges for all that it reads. @default - all items */
  readonly equal?: readonly [attribute: string, text: string] | undefined;
}

/** Every item of a partition whose sort key has the prefix, in the order of the sort key; strongly consistent. */
export function queryAll(range: Range, options: QueryOptions = {}): Promise<Item[]> {
  return readPages(options, (start: Item | undefined = options.after && { ...options.after }) =>
    dynamodb.send(new QueryCommand({ ...queryOf(range, options), ExclusiveStartKey: start })),
  );
}

/**
 * The items of one query, which ends after `limit` items or 1 MB, including those that are not sent. `next` is the key to continue
 * after; undefined at the end.
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

/** The keys of the same items. */
export async function queryKeys(range: Range): Promise<Key[]> {
  return (await queryAll(range, { attributes: ["pk", "sk"] })) as unknown as Key[];
}

/**
 * The same items in DynamoDB's own format, for lists that show few of many. Converting all of 500 drops makes a list of 20 more expensive
 * by 17 %, and of 100 by 33 %: docs/adr/0037-dynamodb-reads.md.
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

/** The last possible sort key with a prefix. */
function lastWith(prefix: string): string {
  return `${prefix}\u{10ffff}`;
}

function queryOf({ pk, prefix }: Range, { descending, limit, attributes, having, equal }: QueryOptions) {
  // Attributes have placeholder names, since many words are reserved.
  const filtered = [having, equal?.[0]].filter((name) => name !== undefined);
  const named = [...(attributes ?? []), ...filtered].flatMap(partsOf);
  const filters = [
    ...(having === undefined ? [] : [`attribute_exists(#${having})`]),
    ...(equal === undefined ? [] : [`#${equal[0]} = :equal`]),
  ];
  return {
    TableName: tableName(),
    // The engine of `npm start` ignores case in begins_with, which DynamoDB does not. Sort keys are in the order of their UTF-8 bytes.
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

/** The names in a path of attributes, such as those of an attribute of a map. */
function partsOf(path: string): string[] {
  return path.split(".");
}

/**
 * The last `limit` sort keys of a partition, or those before a key, in descending order. Eventually consistent, at half
 * the price, since they are only a hint.
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

/** The most keys that one BatchGetItem takes; Amazon DynamoDB API reference, "BatchGetItem". */
const batchKeysMax = 100;

/**
 * Many items, strongly consistent, in no particular order; missing items are left out.
 *
 * @throws ApiError `unavailable` if some are left unread after several attempts
 */
export async function getItems(allKeys: readonly Key[]): Promise<Item[]> {
  const count = Math.ceil(allKeys.length / batchKeysMax);
  const batches = Array.from({ length: count }, (_, index) =>
    allKeys.slice(index * batchKeysMax, (index + 1) * batchKeysMax),
  );
  return (await Promise.all(batches.map(getBatch))).flat();
}

/** The same items, by their keys. Keys may repeat, which BatchGetItem refuses. */
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
    // The table had no capacity for the rest, or a response of 16 MB was full.
    if (Keys.length > 0) throw new RetryableError();
    return items;
  });
}

folderHosts.findSlug = async (id) => {
  const host = await getItem(keys.folderHost(id));
  return host?.slug as string | undefined;
};
