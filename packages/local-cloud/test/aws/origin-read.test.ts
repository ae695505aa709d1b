import { text } from "node:stream/consumers";
import { DeleteObjectTaggingCommand, PutObjectCommand, PutObjectTaggingCommand } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningEndpoint, runEndpoint } from "./running-endpoint.ts";
import { BUCKET, BUCKET_ARN, stackOf } from "./stack.ts";

const distributionArn = "arn:aws:cloudfront::000000000000:distribution/edge";

let running: RunningEndpoint;

beforeAll(async () => {
  const statements = [
    {
      Effect: "Deny",
      Principal: { AWS: "*" },
      Action: "s3:*",
      Resource: `${BUCKET_ARN}/*`,
      Condition: { Bool: { "aws:SecureTransport": "false" } },
    },
    {
      Effect: "Allow",
      Principal: { Service: "cloudfront.amazonaws.com" },
      Action: "s3:GetObject",
      Resource: `${BUCKET_ARN}/*`,
      Condition: { StringEquals: { "AWS:SourceArn": distributionArn } },
    },
    {
      Effect: "Deny",
      Principal: { Service: "cloudfront.amazonaws.com" },
      Action: "s3:GetObject",
      Resource: `${BUCKET_ARN}/*`,
      Condition: { StringEquals: { "s3:ExistingObjectTag/hidden": "true" } },
    },
  ];
  const policy = { Bucket: { Ref: "Pages" }, PolicyDocument: { Statement: statements } };
  running = await runEndpoint(
    stackOf([], { PagesPolicy: { Type: "AWS::S3::BucketPolicy", Properties: policy } }),
  );
  const object = { Bucket: BUCKET, Key: "b/1", Body: "0123456789", ContentType: "image/png" };
  await running.s3().send(new PutObjectCommand(object));
});

afterAll(() => running.remove());

test("CloudFront reads an object or a range of it", async () => {
  const whole = await running.endpoint.readObject(BUCKET, "b/1", { distributionArn });
  const part = await running.endpoint.readObject(BUCKET, "b/1", { distributionArn, range: "bytes=2-3" });

  expect(whole).toMatchObject({
    status: 200,
    headers: { "content-type": "image/png", "content-length": "10" },
  });
  expect(await text(whole.body)).toBe("0123456789");
  expect(part).toMatchObject({ status: 206, headers: { "content-range": "bytes 2-3/10" } });
  expect(await text(part.body)).toBe("23");
});

test.each([
  ["a missing key without the permission to list", "b/2", distributionArn],
  ["a read for a distribution that the bucket's policy does not name", "b/1", `${distributionArn}-other`],
])("%s returns 403", async (_, key, reader) => {
  const response = await running.endpoint.readObject(BUCKET, key, { distributionArn: reader });

  expect(response.status).toBe(403);
  expect(await text(response.body)).toContain("<Code>AccessDenied</Code>");
});

test("an object with a tag that the bucket's policy denies returns 403 until the tag is removed", async () => {
  const read = async () => {
    const response = await running.endpoint.readObject(BUCKET, "b/1", { distributionArn });
    return { status: response.status, body: await text(response.body) };
  };
  const tag = (value: string) =>
    new PutObjectTaggingCommand({
      Bucket: BUCKET,
      Key: "b/1",
      Tagging: { TagSet: [{ Key: "hidden", Value: value }] },
    });

  await running.s3().send(tag("false"));
  expect((await read()).status).toBe(200);
  await running.s3().send(tag("true"));
  expect(await read()).toMatchObject({ status: 403, body: expect.stringContaining("AccessDenied") });
  await running.s3().send(new DeleteObjectTaggingCommand({ Bucket: BUCKET, Key: "b/1" }));
  expect(await read()).toEqual({ status: 200, body: "0123456789" });
});
