import { Refusal } from "../aws-error.ts";
import type { AwsRequest, AwsService } from "../aws-service.ts";
import { type JsonInput, jsonTarget, parseJsonInput, writeJson } from "../json-protocol.ts";
import type { Queue } from "./queue.ts";
import type { QueuePolicies } from "./queue-policies.ts";
import { queueNameOf } from "./queue-settings.ts";
import { notEmulated, sqsError, sqsWireFormat } from "./sqs-errors.ts";
import { type Operation, sqsOperations } from "./sqs-operations.ts";

/** Serves SQS with the queues of the template, in the JSON protocol of current SDKs. */
export function createSqsService(
  queues: ReadonlyMap<string, Queue>,
  policies: QueuePolicies,
  stopping: AbortSignal,
): AwsService {
  return {
    signingName: "sqs",
    wireFormat: sqsWireFormat,
    // A message body has at most 1 MiB, but JSON escapes make it longer; see "Amazon SQS message quotas".
    bodyBytesMax: 8 * 1024 * 1024,
    async handle(request, response) {
      const { prefix, operation: name } = jsonTarget(request);
      const operation = prefix === "AmazonSQS" ? sqsOperations[name] : undefined;
      if (!operation) throw notEmulated(`${prefix}.${name}`);
      const input = parseJsonInput(request);
      const queue = findQueue(request, operation, input, queues, policies);
      const disconnected = new AbortController();
      response.once("close", () => disconnected.abort());
      const output = await operation.run({
        queue,
        input,
        queueUrl: `http://${request.headers.host}/000000000000/${queue.settings.name}`,
        signal: AbortSignal.any([stopping, disconnected.signal]),
      });
      writeJson(response, 200, request.id, output);
    },
  };
}

function findQueue(
  request: AwsRequest,
  { action, queueIn }: Operation,
  input: JsonInput,
  queues: ReadonlyMap<string, Queue>,
  policies: QueuePolicies,
): Queue {
  const name = queueNameOf(String(input[queueIn] ?? ""));
  const queue = queues.get(name);
  const access = {
    action: `sqs:${action}`,
    resourceArn: queue?.settings.arn ?? `arn:aws:sqs:us-east-1:000000000000:${name}`,
  };
  request.authorize(access);
  if (policies.deniesAll(access)) {
    throw new Refusal("access-denied", `The policy of the queue ${name} denies ${access.action}.`);
  }
  if (queue) return queue;
  const queryCode = "AWS.SimpleQueueService.NonExistentQueue";
  throw sqsError("QueueDoesNotExist", "The specified queue does not exist.", queryCode);
}
