import { Agent as HttpAgent, request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { setTimeout as delay } from "node:timers/promises";
import { urlToHttpOptions } from "node:url";
import { AwsError } from "../aws-error.ts";

const EXTERNAL_READY_MS_MAX = 5_000;

/** A DynamoDB-compatible server that stores the data and trusts every caller. */
export interface DynamoDbBackend {
  /** Path of the database file, which only this local cloud writes. @default - an external server stores the data */
  readonly ownDatabase?: string;
  /** Returns the server's URL. Waits while the server restarts, and rejects if the server has ended permanently. */
  endpoint(): Promise<URL>;
  stop(): Promise<void>;
}

/** Uses a server that is already running, such as DynamoDB Local, at the address in DYNAMODB_ENDPOINT. */
export async function useRunningServer(address: string): Promise<DynamoDbBackend> {
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) {
    throw new Error(`DYNAMODB_ENDPOINT is "${address}"; it must be an address such as http://localhost:8000`);
  }
  const endpoint = new URL(address);
  const backend: DynamoDbBackend = { endpoint: async () => endpoint, stop: async () => {} };
  const deadlineMs = Date.now() + EXTERNAL_READY_MS_MAX;
  while (!(await isReady(backend))) {
    if (Date.now() > deadlineMs)
      throw new Error(`No DynamoDB server responds at DYNAMODB_ENDPOINT=${address}.`);
    await delay(200);
  }
  return backend;
}

const streamOperations = ["DescribeStream", "GetRecords", "GetShardIterator"];

/** Calls one operation of DynamoDB or DynamoDB Streams. Throws the service's error as an AwsError. */
export async function callDynamoDb(
  backend: DynamoDbBackend,
  operation: string,
  input: unknown,
): Promise<Record<string, unknown>> {
  const prefix = streamOperations.includes(operation) ? "DynamoDBStreams_20120810" : "DynamoDB_20120810";
  const body = Buffer.from(JSON.stringify(input));
  const response = await exchange(await backend.endpoint(), `${prefix}.${operation}`, body);
  const output = JSON.parse(response.body.toString()) as Record<string, unknown>;
  if (response.status === 200) return output;
  const code = String(output.__type).split("#").at(-1) ?? "InternalServerError";
  throw new AwsError(code, response.status, String(output.message ?? output.Message ?? code));
}

const agents = {
  "http:": new HttpAgent({ keepAlive: true }),
  "https:": new HttpsAgent({ keepAlive: true }),
};

/** Sends JSON to a server, on a reused connection. Rejects if the response is missing or incomplete. */
export function exchange(
  endpoint: URL,
  target: string,
  body: Buffer,
): Promise<{ readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: Buffer }> {
  return new Promise((done, fail) => {
    const isEncrypted = endpoint.protocol === "https:";
    const outgoing = (isEncrypted ? httpsRequest : httpRequest)(
      {
        ...urlToHttpOptions(endpoint),
        method: "POST",
        headers: { ...backendHeaders(target), "content-length": body.length },
        agent: agents[isEncrypted ? "https:" : "http:"],
      },
      (incoming) => {
        const pieces: Buffer[] = [];
        incoming
          .on("data", (bytes: Buffer) => pieces.push(bytes))
          .once("error", fail)
          .once("end", () => {
            const { statusCode: status = 500, headers } = incoming;
            done({ status, headers, body: Buffer.concat(pieces) });
          });
      },
    );
    outgoing.once("error", fail).end(body);
  });
}

/** Headers that both servers require. DynamoDB Local separates data by access key, so all callers share one. No signature is checked. */
function backendHeaders(target: string): Record<string, string> {
  const time = new Date().toISOString().replace(/[-:]|\.\d+/g, "");
  const scope = `dropleaf/${time.slice(0, 8)}/us-east-1/dynamodb/aws4_request`;
  return {
    "content-type": "application/x-amz-json-1.0",
    "x-amz-target": target,
    "x-amz-date": time,
    authorization: `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=${"0".repeat(64)}`,
  };
}

function isReady(backend: DynamoDbBackend): Promise<boolean> {
  return callDynamoDb(backend, "ListTables", { Limit: 1 }).then(
    () => true,
    () => false,
  );
}
