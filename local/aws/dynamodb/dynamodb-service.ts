import {
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { pipeline } from "node:stream/promises";
import type { Template } from "../../template.ts";
import { AwsError } from "../aws-error.ts";
import type { AwsRequest, AwsService } from "../aws-service.ts";
import { jsonTarget, jsonWireFormat, parseJsonInput } from "../json-protocol.ts";
import { accessesOf } from "./accesses.ts";
import { backendHeaders, type DynamoDbBackend } from "./backend.ts";
import { tablesOf } from "./tables.ts";

const TARGET_PREFIXES = ["DynamoDB_20120810", "DynamoDBStreams_20120810"];

const WRITES = /^(PutItem|UpdateItem|DeleteItem|BatchWriteItem|TransactWriteItems)$/;

/** DynamoDB: checks the caller's policies, then passes the request on to the backend; tells of each write. */
export function createDynamoDbService(
  template: Template,
  backend: DynamoDbBackend,
  onWrite: () => void,
): AwsService {
  const tables = tablesOf(template);
  const agents = {
    "http:": new HttpAgent({ keepAlive: true }),
    "https:": new HttpsAgent({ keepAlive: true }),
  };
  return {
    signingName: "dynamodb",
    wireFormat: jsonWireFormat,
    // "Service, account, and table quotas": the largest request and answer is 16 MB.
    bodyBytesMax: 16 * 1024 * 1024,
    async handle(request, response) {
      const { prefix, operation } = jsonTarget(request);
      if (!TARGET_PREFIXES.includes(prefix) || /Statement|ExecuteTransaction/.test(operation)) {
        throw new AwsError("UnknownOperationException", 400, `${prefix}.${operation} is not emulated.`);
      }
      for (const access of accessesOf(operation, parseJsonInput(request), tables)) request.authorize(access);
      const endpoint = await backend.endpoint();
      await forward(request, response, endpoint, agents);
      if (WRITES.test(operation)) onWrite();
    },
  };
}

async function forward(
  request: AwsRequest,
  response: ServerResponse,
  endpoint: URL,
  agents: { "http:": HttpAgent; "https:": HttpsAgent },
): Promise<void> {
  const headers = {
    ...backendHeaders(String(request.headers["x-amz-target"])),
    "content-length": request.body.length,
  };
  const answer = await new Promise<IncomingMessage>((done, fail) => {
    const options = { method: "POST", headers };
    const outgoing =
      endpoint.protocol === "https:"
        ? httpsRequest(endpoint, { ...options, agent: agents["https:"] }, done)
        : httpRequest(endpoint, { ...options, agent: agents["http:"] }, done);
    outgoing.once("error", fail).end(request.body);
  }).catch((error: Error) => {
    throw new AwsError("InternalServerError", 500, `The DynamoDB emulator did not answer: ${error.message}`);
  });
  response.writeHead(answer.statusCode ?? 500, {
    "content-type": "application/x-amz-json-1.0",
    "x-amzn-requestid": answer.headers["x-amzn-requestid"] ?? request.id,
    ...(answer.headers["x-amz-crc32"] && { "x-amz-crc32": answer.headers["x-amz-crc32"] }),
    ...(answer.headers["content-length"] && { "content-length": answer.headers["content-length"] }),
  });
  await pipeline(answer, response);
}
