import { randomInt } from "node:crypto";
import { join } from "node:path";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { DynamoDBDocumentClient, GetCommand, PutCommand, QueryCommand } from "@aws-sdk/lib-dynamodb";
import type { LocalCloud } from "@dropleaf/local-cloud";
import {
  createTokenId,
  createTokenPlaintext,
  createUserId,
  hashSecret,
} from "../../functions/table/identifiers.ts";
import { type Key, keys } from "../../functions/table/keys.ts";
import type { Item } from "../../functions/table/table.ts";
import { type ServiceOptions, startService } from "../support/running-service.ts";
import { listenToInvalidations, type ToldEdge } from "../support/told-edge.ts";

/** The service's response. */
export interface ServiceResponse {
  readonly status: number;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the shape depends on the request.
  readonly json: any;
}

/** The service on the local cloud, with one account and access to its stored data. */
export interface ServiceWithStorage {
  readonly cloud: LocalCloud;
  /** The folder of its data, beside its log. */
  readonly dataDirectory: string;
  /** The account's namespace. */
  readonly namespace: string;
  /** Continues with a new account, which has its own write limits. `namespace` stays that of the first account. */
  useAccount(namespace: string): Promise<void>;
  /** Calls the service with the account's token. */
  call(
    method: string,
    path: string,
    body?: object | Buffer,
    headers?: Readonly<Record<string, string>>,
  ): Promise<ServiceResponse>;
  /** Sends GET without the token. */
  read(
    path: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<{ readonly text: string; readonly headers: Headers }>;
  /** Returns the response to GET, with the account's token only for the API, and without following redirects. */
  fetch(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
  /** Returns the cookie that unlocks a locked drop on the service's host. */
  unlock(slug: string, passcode: string): Promise<string>;
  /** Returns the edge's cache result for a path, such as `Hit` or `Miss`. */
  edgeResult(path: string): Promise<string>;
  /** The invalidations that the edge received. */
  readonly told: ToldEdge;
  /** Returns the sorted keys of the objects under a prefix. */
  objectKeys(bucket: "Pages" | "Blobs", prefix: string): Promise<string[]>;
  putObject(bucket: "Pages" | "Blobs", key: string): Promise<void>;
  readObject(bucket: "Pages" | "Blobs", key: string): Promise<string>;
  getItem(key: Key): Promise<Item | undefined>;
  putItem(item: Item & Key): Promise<void>;
  /** Returns the sort keys of a partition's items. */
  sortKeys(pk: string): Promise<string[]>;
  stop(): Promise<void>;
}

/**
 * Starts the service. After this many seconds an object without an item is removed, and after one or two such delays an invalidation is
 * repeated.
 */
export async function startServiceWithStorage(
  delaySeconds: number,
  options: ServiceOptions = {},
): Promise<ServiceWithStorage> {
  const { address, cloud, directory, stop } = await startService({
    unsafeOrphanDelaySeconds: delaySeconds,
    unsafeInvalidationDelaySeconds: delaySeconds,
    environmentsPerFunction: 1,
    ...options,
  });
  const told = listenToInvalidations({ cloud });
  const { url: endpoint, administrator: credentials } = cloud.awsEndpoint;
  const dynamoDb = DynamoDBDocumentClient.from(
    new DynamoDBClient({ endpoint, credentials, region: "us-east-1" }),
  );
  const s3 = new S3Client({ endpoint, credentials, region: "us-east-1" });
  const TableName = nameOf(cloud, "AWS::DynamoDB::Table", "");
  const bucketOf = (bucket: string) => nameOf(cloud, "AWS::S3::Bucket", bucket);
  const addAccount = async (namespace: string): Promise<string> => {
    const { token, items } = givenAccount(namespace);
    for (const item of items) await dynamoDb.send(new PutCommand({ TableName, Item: item }));
    return token;
  };
  const namespace = "clean-up";
  let token = await addAccount(namespace);
  return {
    cloud,
    dataDirectory: join(directory, "data"),
    namespace,
    told,
    async useAccount(other) {
      token = await addAccount(other);
    },
    async call(method, path, body, headers = {}) {
      const response = await fetch(`${address}${path}`, {
        method,
        redirect: "manual",
        headers: {
          authorization: `Bearer ${token}`,
          ...headers,
          ...(body === undefined || Buffer.isBuffer(body) ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined
          ? {}
          : { body: Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, text, json: text.startsWith("{") ? JSON.parse(text) : undefined };
    },
    async read(path, headers) {
      const response = await fetch(`${address}${path}`, { headers, redirect: "manual" });
      return { text: await response.text(), headers: response.headers };
    },
    fetch(path, headers = {}) {
      const authorization = path.startsWith("/api/") ? { authorization: `Bearer ${token}` } : undefined;
      return fetch(`${address}${path}`, { headers: { ...authorization, ...headers }, redirect: "manual" });
    },
    async unlock(slug, passcode) {
      const response = await fetch(`${address}/p/${slug}/unlock`, {
        method: "POST",
        redirect: "manual",
        headers: { origin: address },
        body: new URLSearchParams({ passcode }),
      });
      return (response.headers.get("set-cookie") ?? "").split(";", 1)[0] ?? "";
    },
    async edgeResult(path) {
      const response = await fetch(`${address}${path}`);
      await response.arrayBuffer();
      return (response.headers.get("x-cache") ?? "").replace(" from cloudfront", "");
    },
    async objectKeys(bucket, Prefix) {
      const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: bucketOf(bucket), Prefix }));
      return Contents.map(({ Key = "" }) => Key).sort();
    },
    async putObject(bucket, Key) {
      await s3.send(new PutObjectCommand({ Bucket: bucketOf(bucket), Key, Body: "stored" }));
    },
    async readObject(bucket, Key) {
      const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucketOf(bucket), Key }));
      return (await Body?.transformToString()) ?? "";
    },
    async getItem({ pk, sk }) {
      const command = new GetCommand({ TableName, Key: { pk, sk }, ConsistentRead: true });
      return (await dynamoDb.send(command)).Item;
    },
    async putItem(item) {
      await dynamoDb.send(new PutCommand({ TableName, Item: item }));
    },
    async sortKeys(pk) {
      const query = {
        KeyConditionExpression: "pk = :pk",
        ExpressionAttributeValues: { ":pk": pk },
      };
      const { Items = [] } = await dynamoDb.send(new QueryCommand({ TableName, ...query }));
      return Items.map((item) => String(item.sk));
    },
    stop,
  };
}

/** Returns a token, and the items that a sign-in and the token create in the table. */
function givenAccount(namespace: string): { token: string; items: (Item & Key)[] } {
  const [userId, token] = [createUserId(randomInt), createTokenPlaintext(randomInt)];
  const id = createTokenId(randomInt);
  const hash = hashSecret(token);
  const createdAtMs = Date.now();
  const counts = { dropCount: 0, pageBytes: 0, blobCount: 0, blobBytes: 0 };
  return {
    token,
    items: [
      { ...keys.account(userId), namespace, username: namespace, createdAtMs, ...counts },
      { ...keys.namespace(namespace), userId, createdAtMs },
      { ...keys.token(hash), id, userId, namespace, label: null, createdAtMs, lastUsedAtMs: createdAtMs },
      { ...keys.tokenRow(userId, id), hash },
    ],
  };
}

function nameOf({ template }: LocalCloud, type: string, part: string): string {
  const found = [...template.resources.values()].filter(
    (resource) => resource.type === type && resource.logicalId.includes(part),
  );
  if (found.length !== 1 || found[0] === undefined) throw new Error(`${found.length} resources are ${type}.`);
  return found[0].physicalId;
}
