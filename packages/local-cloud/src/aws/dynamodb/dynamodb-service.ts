import type { ServerResponse } from "node:http";
import type { Template } from "../../template.ts";
import { AwsError } from "../aws-error.ts";
import type { AwsRequest, AwsService } from "../aws-service.ts";
import { jsonTarget, jsonWireFormat, parseJsonInput, unknownOperation } from "../json-protocol.ts";
import { accessesOf } from "./accesses.ts";
import { type DynamoDbBackend, exchange } from "./backend.ts";
import { tablesOf } from "./tables.ts";

const TARGET_PREFIXES = ["DynamoDB_20120810", "DynamoDBStreams_20120810"];

const WRITES = /^(PutItem|UpdateItem|DeleteItem|BatchWriteItem|TransactWriteItems)$/;

/** Serves DynamoDB. Checks the caller's policies, forwards the request to the backend, and notifies listeners of each write. */
export function createDynamoDbService(
  template: Template,
  backend: DynamoDbBackend,
  onWrite: () => void,
): AwsService {
  const tables = tablesOf(template);
  return {
    signingName: "dynamodb",
    wireFormat: jsonWireFormat,
    // A request or response has at most 16 MB; see "Service, account, and table quotas".
    bodyBytesMax: 16 * 1024 * 1024,
    async handle(request, response) {
      const target = jsonTarget(request);
      const { prefix, operation } = target;
      if (!TARGET_PREFIXES.includes(prefix) || /Statement|ExecuteTransaction/.test(operation))
        throw unknownOperation(target);
      for (const access of accessesOf(operation, parseJsonInput(request), tables)) request.authorize(access);
      const endpoint = await backend.endpoint();
      await forward(request, response, endpoint);
      if (WRITES.test(operation)) onWrite();
    },
  };
}

async function forward(request: AwsRequest, response: ServerResponse, endpoint: URL): Promise<void> {
  const target = String(request.headers["x-amz-target"]);
  const { status, headers, body } = await exchange(endpoint, target, request.body).catch((error: Error) => {
    throw new AwsError("InternalServerError", 500, `The DynamoDB emulator did not respond: ${error.message}`);
  });
  response.writeHead(status, {
    "content-type": "application/x-amz-json-1.0",
    "content-length": body.length,
    "x-amzn-requestid": headers["x-amzn-requestid"] ?? request.id,
    ...(headers["x-amz-crc32"] && { "x-amz-crc32": headers["x-amz-crc32"] }),
  });
  response.end(body);
}
