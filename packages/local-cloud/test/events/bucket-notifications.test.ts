import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { afterEach, describe, expect, it } from "vitest";
import { allow, runEventStack, writeEventStack } from "./running-events.ts";

const queueArn = { "Fn::GetAtt": ["Created", "Arn"] };

/** Creates a policy that allows the bucket `files` to send to the queue `Created`. */
function queuePolicy(conditions: object = {}) {
  return {
    Type: "AWS::SQS::QueuePolicy",
    Properties: {
      Queues: [{ Ref: "Created" }],
      PolicyDocument: {
        Statement: [
          {
            Effect: "Allow",
            Principal: { Service: "s3.amazonaws.com" },
            Action: "sqs:SendMessage",
            Resource: queueArn,
            Condition: {
              ArnLike: { "aws:SourceArn": { "Fn::GetAtt": ["Files", "Arn"] } },
              StringEquals: { "aws:SourceAccount": { Ref: "AWS::AccountId" } },
              ...conditions,
            },
          },
        ],
      },
    },
  };
}

let cleanUp: (() => Promise<void>) | undefined;
afterEach(() => cleanUp?.());

/** Starts a bucket `files` that sends notifications of new objects to the queue `Created`. */
async function start(configuration: object = {}, resources: object = {}) {
  const written = writeEventStack({
    statements: [allow("s3:GetObject", "*")],
    resources: {
      Files: {
        Type: "AWS::S3::Bucket",
        Properties: {
          NotificationConfiguration: {
            QueueConfigurations: [{ Event: "s3:ObjectCreated:*", Queue: queueArn, ...configuration }],
          },
        },
      },
      Created: { Type: "AWS::SQS::Queue", Properties: {} },
      CreatedPolicy: queuePolicy(),
      ...resources,
    },
  });
  cleanUp = async () => written.remove();
  const running = await runEventStack(written);
  cleanUp = async () => {
    await running.stop();
    written.remove();
  };
  const put = (key: string, more: object = {}) =>
    running.s3().send(new PutObjectCommand({ Bucket: "files", Key: key, Body: "12345", ...more }));
  const received = () =>
    running
      .queue("Created")
      .receive({ countMax: 10 })
      .map(({ body }) => JSON.parse(body));
  return { ...running, put, received };
}

describe("a bucket's notifications (Amazon S3 user guide, Amazon S3 Event Notifications)", () => {
  it("begin with a test message", async () => {
    const { received } = await start();

    expect(received()).toMatchObject([{ Service: "Amazon S3", Event: "s3:TestEvent", Bucket: "files" }]);
  });

  it("report an object as soon as its upload is acknowledged, with a URL-encoded key", async () => {
    const { put, received } = await start();
    received();

    const { ETag } = await put("a/red flower+ü (1).jpg");

    expect(received()).toEqual([
      {
        Records: [
          {
            eventVersion: "2.1",
            eventSource: "aws:s3",
            awsRegion: "us-east-1",
            eventTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
            eventName: "ObjectCreated:Put",
            userIdentity: { principalId: expect.any(String) },
            requestParameters: { sourceIPAddress: expect.any(String) },
            responseElements: { "x-amz-request-id": expect.any(String), "x-amz-id-2": expect.any(String) },
            s3: {
              s3SchemaVersion: "1.0",
              configurationId: expect.any(String),
              bucket: {
                name: "files",
                ownerIdentity: { principalId: expect.any(String) },
                arn: "arn:aws:s3:::files",
              },
              object: {
                key: "a/red+flower%2B%C3%BC+%281%29.jpg",
                size: 5,
                eTag: ETag?.replaceAll('"', ""),
                sequencer: expect.any(String),
              },
            },
          },
        ],
      },
    ]);
  });

  it("report a multipart upload when it is complete", async () => {
    const { s3, received } = await start();
    received();
    const object = { Bucket: "files", Key: "parts" };

    const { UploadId } = await s3().send(new CreateMultipartUploadCommand(object));
    const { ETag } = await s3().send(
      new UploadPartCommand({ ...object, UploadId, PartNumber: 1, Body: "1" }),
    );
    const before = received();
    const MultipartUpload = { Parts: [{ PartNumber: 1, ETag }] };
    await s3().send(new CompleteMultipartUploadCommand({ ...object, UploadId, MultipartUpload }));

    expect(before).toEqual([]);
    expect(received()).toMatchObject([{ Records: [{ eventName: "ObjectCreated:CompleteMultipartUpload" }] }]);
  });

  it("do not report a refused upload", async () => {
    const { put, received } = await start();
    await put("once");
    received();

    const again = put("once", { IfNoneMatch: "*" });

    await expect(again).rejects.toMatchObject({ name: "PreconditionFailed" });
    expect(received()).toEqual([]);
  });

  it("report only keys that match the filter", async () => {
    const { put, received } = await start({
      Filter: {
        S3Key: {
          Rules: [
            { Name: "prefix", Value: "in/" },
            { Name: "suffix", Value: ".html" },
          ],
        },
      },
    });
    received();

    for (const key of ["in/a.html", "in/a.txt", "out/a.html"]) await put(key);

    expect(received().map(({ Records }) => Records[0].s3.object.key)).toEqual(["in/a.html"]);
  });

  it.each([
    [
      "of another bucket",
      { CreatedPolicy: queuePolicy({ ArnLike: { "aws:SourceArn": "arn:aws:s3:::other" } }) },
    ],
    [
      "of another account",
      { CreatedPolicy: queuePolicy({ StringEquals: { "aws:SourceAccount": "111111111111" } }) },
    ],
  ])("are refused at the start if the queue's policy allows only notifications %s", async (_, resources) => {
    await expect(start({}, resources)).rejects.toThrow(
      "files: S3 would refuse the NotificationConfiguration: no AWS::SQS::QueuePolicy allows s3.amazonaws.com to send to Created",
    );
  });
});
