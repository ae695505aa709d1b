import { spawn } from "node:child_process";
import { once } from "node:events";
import { GetObjectCommand } from "@aws-sdk/client-s3";
import { afterEach, expect, test } from "vitest";
import { allow, runEventStack, writeEventStack } from "./running-events.ts";

const arnOf = (name: string, attribute = "Arn") => ({ "Fn::GetAtt": [name, attribute] });

const resources = {
  Table: {
    Type: "AWS::DynamoDB::Table",
    Properties: {
      KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
      AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
      StreamSpecification: { StreamViewType: "NEW_AND_OLD_IMAGES" },
    },
  },
  Files: {
    Type: "AWS::S3::Bucket",
    Properties: {
      NotificationConfiguration: {
        QueueConfigurations: [{ Event: "s3:ObjectCreated:*", Queue: arnOf("Jobs") }],
      },
    },
  },
  Jobs: { Type: "AWS::SQS::Queue", Properties: { VisibilityTimeout: 3 } },
  JobsPolicy: {
    Type: "AWS::SQS::QueuePolicy",
    Properties: {
      Queues: [{ Ref: "Jobs" }],
      PolicyDocument: {
        Statement: [
          {
            Effect: "Allow",
            Principal: { Service: "s3.amazonaws.com" },
            Action: "sqs:SendMessage",
            Resource: arnOf("Jobs"),
          },
        ],
      },
    },
  },
  FromQueue: {
    Type: "AWS::Lambda::EventSourceMapping",
    Properties: { EventSourceArn: arnOf("Jobs"), FunctionName: { Ref: "F" } },
  },
  FromStream: {
    Type: "AWS::Lambda::EventSourceMapping",
    Properties: {
      EventSourceArn: arnOf("Table", "StreamArn"),
      FunctionName: { Ref: "F" },
      StartingPosition: "LATEST",
    },
  },
};

const written = writeEventStack({
  resources,
  statements: [
    allow(["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"], arnOf("Jobs")),
    allow(
      ["dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator", "dynamodb:ListStreams"],
      "*",
    ),
  ],
});

let stop: (() => Promise<void>) | undefined;
afterEach(async () => {
  await stop?.();
  written.remove();
});

/** Runs the stack in another process that writes continuously, and prints each write when it is acknowledged. */
function spawnWriter(): ReturnType<typeof spawn> {
  const script = `
    import { PutItemCommand } from "@aws-sdk/client-dynamodb";
    import { PutObjectCommand } from "@aws-sdk/client-s3";
    import { SendMessageCommand } from "@aws-sdk/client-sqs";
    import { runEventStack } from "${import.meta.dirname}/running-events.ts";
    const { dynamoDb, s3, sqs, queue } = await runEventStack(${JSON.stringify({ ...written, remove: undefined })});
    const QueueUrl = "https://sqs.us-east-1.amazonaws.com/000000000000/Jobs";
    const acknowledged = (what) => process.stdout.write(what + "\\n");
    for (let n = 0; ; n += 1) {
      await dynamoDb().send(new PutItemCommand({ TableName: "Table", Item: { pk: { S: "item-" + n } } }));
      acknowledged("item-" + n);
      await s3().send(new PutObjectCommand({ Bucket: "files", Key: "object-" + n, Body: "x" }));
      acknowledged("object-" + n);
      await sqs().send(new SendMessageCommand({ QueueUrl, MessageBody: "message-" + n }));
      acknowledged("message-" + n);
    }`;
  return spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
}

test("a killed local cloud delivers every acknowledged change, object and message after its next start", {
  tags: "slow",
}, async () => {
  const writer = spawnWriter();
  let output = "";
  writer.stdout?.on("data", (bytes) => {
    output += bytes;
  });
  await expect.poll(() => output.split("\n").length).toBeGreaterThan(60);

  writer.kill("SIGKILL");
  await once(writer, "close");
  const acknowledged = output.split("\n").slice(0, -1);
  const running = await runEventStack(written);
  stop = running.stop;

  const seen = () =>
    new Set(
      running.invocations().flatMap(({ records }) =>
        records.map(({ body = "", dynamodb }) => {
          if (dynamodb) return dynamodb.Keys.pk.S;
          return body.startsWith("{") ? JSON.parse(body).Records?.[0].s3.object.key : body;
        }),
      ),
    );
  await expect.poll(() => acknowledged.filter((what) => !seen().has(what))).toEqual([]);
  const object = acknowledged.findLast((what) => what.startsWith("object-"));
  await running.s3().send(new GetObjectCommand({ Bucket: "files", Key: object }));
});
