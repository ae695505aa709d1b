import {
  ChangeMessageVisibilityCommand,
  DeleteMessageBatchCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  type SQSClient,
} from "@aws-sdk/client-sqs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startAwsEndpoint } from "../../src/aws/aws-endpoint.ts";
import { type RunningEndpoint, runEndpoint } from "./running-endpoint.ts";
import { allow, ROLE_ARN, stackOf } from "./stack.ts";

const urlOf = (name: string) => `https://sqs.us-east-1.amazonaws.com/000000000000/${name}`;
const arnOf = (name: string) => `arn:aws:sqs:us-east-1:000000000000:${name}`;

function queue(properties: Record<string, unknown> = {}) {
  return { Type: "AWS::SQS::Queue", Properties: properties };
}

const template = stackOf([allow("sqs:SendMessage", arnOf("Plain"))], {
  Plain: queue(),
  Batched: queue(),
  Waited: queue(),
  Delayed: queue({ DelaySeconds: 1 }),
  Retried: queue({
    VisibilityTimeout: 0,
    RedrivePolicy: { deadLetterTargetArn: { "Fn::GetAtt": ["Dead", "Arn"] }, maxReceiveCount: 2 },
  }),
  Dead: queue({ MessageRetentionPeriod: 1_209_600 }),
  Denied: queue(),
  DeniedPolicy: {
    Type: "AWS::SQS::QueuePolicy",
    Properties: {
      Queues: [{ Ref: "Denied" }],
      PolicyDocument: {
        Statement: [
          { Effect: "Deny", Principal: "*", Action: "sqs:DeleteMessage", Resource: arnOf("Denied") },
        ],
      },
    },
  },
  Secured: queue(),
  SecuredPolicy: {
    Type: "AWS::SQS::QueuePolicy",
    Properties: {
      Queues: [{ Ref: "Secured" }],
      PolicyDocument: {
        Statement: [
          {
            Effect: "Deny",
            Principal: { AWS: "*" },
            Action: "sqs:*",
            Resource: arnOf("Secured"),
            Condition: { Bool: { "aws:SecureTransport": "false" } },
          },
        ],
      },
    },
  },
});

let running: RunningEndpoint;
let client: SQSClient;

beforeAll(async () => {
  running = await runEndpoint(template);
  client = running.sqs();
});

afterAll(() => running.remove());

const send = (name: string, body: string, more: { DelaySeconds?: number } = {}) =>
  client.send(new SendMessageCommand({ QueueUrl: urlOf(name), MessageBody: body, ...more }));

async function receive(name: string, waitSeconds = 0, visibilityTimeoutSeconds?: number): Promise<Message[]> {
  const { Messages } = await client.send(
    new ReceiveMessageCommand({
      QueueUrl: urlOf(name),
      MaxNumberOfMessages: 10,
      WaitTimeSeconds: waitSeconds,
      VisibilityTimeout: visibilityTimeoutSeconds,
      MessageSystemAttributeNames: ["All"],
    }),
  );
  return Messages ?? [];
}

describe("a message", () => {
  test("is received with its attributes until it is deleted", async () => {
    const { MessageId } = await send("Plain", "häppy ✓");

    const [message] = await receive("Plain");

    expect(message).toMatchObject({
      MessageId,
      Body: "häppy ✓",
      Attributes: { ApproximateReceiveCount: "1", SentTimestamp: expect.stringMatching(/^\d{13}$/) },
    });
    await client.send(
      new DeleteMessageCommand({ QueueUrl: urlOf("Plain"), ReceiptHandle: message?.ReceiptHandle }),
    );
    const { Attributes } = await client.send(
      new GetQueueAttributesCommand({ QueueUrl: urlOf("Plain"), AttributeNames: ["All"] }),
    );
    expect(Attributes).toMatchObject({
      ApproximateNumberOfMessages: "0",
      ApproximateNumberOfMessagesNotVisible: "0",
      VisibilityTimeout: "30",
    });
  });

  test("is invisible after it was received, until its visibility timeout ends", async () => {
    await send("Plain", "once at a time");

    const [first] = await receive("Plain");
    const meanwhile = await receive("Plain");
    await client.send(
      new ChangeMessageVisibilityCommand({
        QueueUrl: urlOf("Plain"),
        ReceiptHandle: first?.ReceiptHandle,
        VisibilityTimeout: 0,
      }),
    );
    const [second] = await receive("Plain");

    expect(meanwhile).toEqual([]);
    expect(second).toMatchObject({
      MessageId: first?.MessageId,
      Attributes: { ApproximateReceiveCount: "2" },
    });
    const deleteAs = (message: Message | undefined) =>
      client.send(
        new DeleteMessageCommand({ QueueUrl: urlOf("Plain"), ReceiptHandle: message?.ReceiptHandle }),
      );
    await deleteAs(first);
    expect(running.endpoint.queues.get("Plain")?.counts().inFlight).toBe(1);
    await deleteAs(second);
    expect(running.endpoint.queues.get("Plain")?.counts().inFlight).toBe(0);
  });

  test("is invisible for the queue's delay, or for its own", { tags: "slow" }, async () => {
    const sentAtMs = Date.now();
    await send("Delayed", "the queue's second");
    await send("Delayed", "at once", { DelaySeconds: 0 });

    const atOnce = await receive("Delayed");
    const [later] = await receive("Delayed", 5);

    expect(atOnce.map(({ Body }) => Body)).toEqual(["at once"]);
    expect(later?.Body).toBe("the queue's second");
    expect(Date.now() - sentAtMs).toBeGreaterThanOrEqual(1_000);
  });

  test("is returned by a long poll as soon as it is sent; without one the poll returns after its wait time", {
    tags: "slow",
  }, async () => {
    const arrival = receive("Waited", 20);
    const startedAtMs = Date.now();
    await send("Waited", "now");

    expect(await arrival).toMatchObject([{ Body: "now" }]);
    expect(Date.now() - startedAtMs).toBeLessThan(19_000);
    expect(await receive("Waited", 1)).toEqual([]);
  });

  test("is moved to the dead-letter queue after it was received maxReceiveCount times", async () => {
    const { MessageId } = await send("Retried", "poison");

    const received = [await receive("Retried"), await receive("Retried"), await receive("Retried")];

    expect(received.map((messages) => messages.length)).toEqual([1, 1, 0]);
    expect(await receive("Dead")).toMatchObject([
      { MessageId, Body: "poison", Attributes: { DeadLetterQueueSourceArn: arnOf("Retried") } },
    ]);
    expect(running.logLines.join("\n")).toContain("Retried: received 2 times and not deleted; moved to Dead");
  });
});

describe("a batch", () => {
  test("is sent and deleted by id", async () => {
    const sent = await client.send(
      new SendMessageBatchCommand({
        QueueUrl: urlOf("Batched"),
        Entries: ["a", "b", "c"].map((body) => ({ Id: body, MessageBody: body })),
      }),
    );
    const messages = await receive("Batched");
    const deleted = await client.send(
      new DeleteMessageBatchCommand({
        QueueUrl: urlOf("Batched"),
        Entries: messages.map(({ ReceiptHandle }, index) => ({ Id: `${index}`, ReceiptHandle })),
      }),
    );

    expect(sent.Successful?.map(({ Id }) => Id)).toEqual(["a", "b", "c"]);
    expect(messages.map(({ Body }) => Body).sort()).toEqual(["a", "b", "c"]);
    expect(deleted.Successful).toHaveLength(3);
    expect(running.endpoint.queues.get("Batched")?.counts()).toEqual({ visible: 0, inFlight: 0, delayed: 0 });
  });

  test("with two entries of one id is refused as a whole", async () => {
    const batch = new SendMessageBatchCommand({
      QueueUrl: urlOf("Batched"),
      Entries: ["a", "b"].map((body) => ({ Id: "same", MessageBody: body })),
    });

    await expect(client.send(batch)).rejects.toMatchObject({ name: "BatchEntryIdsNotDistinct" });
    expect(running.endpoint.queues.get("Batched")?.counts().visible).toBe(0);
  });
});

test("a restart keeps messages and receive counts, and delivers reserved messages that were not cancelled", async () => {
  const first = await runEndpoint(template);
  const plain = first.endpoint.queues.get("Plain");
  plain?.send({ body: "sent" });
  plain?.reserve({ body: "reserved" });
  plain?.reserve({ body: "cancelled" }).cancel();
  first.endpoint.queues.get("Retried")?.send({ body: "received" });
  first.endpoint.queues.get("Retried")?.receive({ countMax: 1 });

  await first.endpoint.stop();
  const second = await runEndpoint(template, first.dataDirectory);

  const bodies = second.endpoint.queues.get("Plain")?.receive({ countMax: 10 });
  expect(bodies?.map(({ body }) => body).sort()).toEqual(["reserved", "sent"]);
  const [again] = second.endpoint.queues.get("Retried")?.receive({ countMax: 1 }) ?? [];
  expect(again).toMatchObject({ body: "received", receiveCount: 2 });
  await second.remove();
});

describe("refused with the error in the API Reference:", () => {
  test.each([
    ["a message to a missing queue", { QueueUrl: urlOf("Nowhere"), MessageBody: "x" }, "QueueDoesNotExist"],
    ["an empty message", { QueueUrl: urlOf("Plain"), MessageBody: "" }, "MissingRequiredParameterException"],
    [
      "a message with a control character",
      { QueueUrl: urlOf("Plain"), MessageBody: "\u0000" },
      "InvalidMessageContents",
    ],
    [
      "a message above 1 MiB",
      { QueueUrl: urlOf("Plain"), MessageBody: "x".repeat(1_048_577) },
      "InvalidParameterValueException",
    ],
    [
      "a message with a delay above 15 minutes",
      { QueueUrl: urlOf("Plain"), MessageBody: "x", DelaySeconds: 901 },
      "InvalidParameterValueException",
    ],
    [
      "a message with an unsupported parameter",
      { QueueUrl: urlOf("Plain"), MessageBody: "x", MessageGroupId: "g" },
      "UnsupportedOperation",
    ],
  ])("%s", async (_, input, name) => {
    await expect(client.send(new SendMessageCommand(input))).rejects.toMatchObject({ name });
  });

  test("an invalid receipt handle", async () => {
    const remove = new DeleteMessageCommand({ QueueUrl: urlOf("Plain"), ReceiptHandle: "made up" });

    await expect(client.send(remove)).rejects.toMatchObject({ name: "ReceiptHandleIsInvalid" });
  });

  test("a role without a grant for the queue or the action", async () => {
    const limited = running.sqs(running.endpoint.credentialsFor(ROLE_ARN));

    await limited.send(new SendMessageCommand({ QueueUrl: urlOf("Plain"), MessageBody: "granted" }));
    const other = limited.send(new SendMessageCommand({ QueueUrl: urlOf("Delayed"), MessageBody: "not" }));
    const receiving = limited.send(new ReceiveMessageCommand({ QueueUrl: urlOf("Plain") }));

    const denied = { name: "AccessDeniedException", $metadata: { httpStatusCode: 403 } };
    await expect(other).rejects.toMatchObject(denied);
    await expect(receiving).rejects.toMatchObject(denied);
  });

  test("a request that the queue's policy denies, unless it denies only requests without TLS", async () => {
    const handle = "x".repeat(64);

    const denied = client.send(
      new DeleteMessageCommand({ QueueUrl: urlOf("Denied"), ReceiptHandle: handle }),
    );

    await expect(denied).rejects.toMatchObject({ name: "AccessDeniedException" });
    await client.send(new SendMessageCommand({ QueueUrl: urlOf("Secured"), MessageBody: "over TLS" }));
  });
});

test("GetQueueUrl returns the URL below the endpoint", async () => {
  const { QueueUrl } = await client.send(new GetQueueUrlCommand({ QueueName: "Plain" }));

  expect(QueueUrl).toBe(`${running.endpoint.url}/000000000000/Plain`);
});

test("a queue with unsupported properties is refused at the start", async () => {
  const start = startAwsEndpoint({
    template: stackOf([], { Fifo: queue({ FifoQueue: true }) }),
    dataDirectory: `${import.meta.dirname}/never-created`,
    log: () => {},
  });

  await expect(start).rejects.toThrow("Fifo: the local cloud does not emulate FifoQueue");
});
