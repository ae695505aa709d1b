import {
  CopyObjectCommand,
  DeleteObjectCommand,
  DeleteObjectTaggingCommand,
  GetObjectCommand,
  GetObjectTaggingCommand,
  HeadObjectCommand,
  PutObjectCommand,
  PutObjectTaggingCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningEndpoint, runEndpoint } from "./running-endpoint.ts";
import { allow, BUCKET, BUCKET_ARN, ROLE_ARN, stackOf } from "./stack.ts";

const Bucket = BUCKET;

let running: RunningEndpoint;
let client: S3Client;

beforeAll(async () => {
  running = await runEndpoint(
    stackOf(
      [
        allow(["s3:GetObjectTagging", "s3:PutObject"], [`${BUCKET_ARN}/*`]),
        allow(["s3:GetObject"], [`${BUCKET_ARN}/source`]),
        {
          ...allow(["s3:GetObject"], [`${BUCKET_ARN}/*`]),
          Condition: { StringEquals: { "s3:ExistingObjectTag/for": "all" } },
        },
      ],
      {
        Pages: { Type: "AWS::S3::Bucket", Properties: { VersioningConfiguration: { Status: "Enabled" } } },
      },
    ),
  );
  client = running.s3();
});

afterAll(() => running.remove());

const put = (Key: string, Body = "bytes") => client.send(new PutObjectCommand({ Bucket, Key, Body }));
const tag = (Key: string, tags: Readonly<Record<string, string>>, s3 = client) => {
  const TagSet = Object.entries(tags).map(([name, Value]) => ({ Key: name, Value }));
  return s3.send(new PutObjectTaggingCommand({ Bucket, Key, Tagging: { TagSet } }));
};
const tagsOf = async (Key: string, s3 = client) => {
  const { TagSet = [] } = await s3.send(new GetObjectTaggingCommand({ Bucket, Key }));
  return Object.fromEntries(TagSet.map(({ Key: name, Value }) => [name, Value]));
};
const bodyOf = async (Key: string, s3 = client) =>
  (await s3.send(new GetObjectCommand({ Bucket, Key }))).Body?.transformToString();

test("new tags replace the earlier ones, and change nothing else of the object", async () => {
  await put("tagged");
  const before = await client.send(new HeadObjectCommand({ Bucket, Key: "tagged" }));

  expect(await tagsOf("tagged")).toEqual({});
  await tag("tagged", { one: "1", two: "a value" });
  await tag("tagged", { two: "2", three: "" });

  expect(await tagsOf("tagged")).toEqual({ two: "2", three: "" });
  const after = await client.send(new HeadObjectCommand({ Bucket, Key: "tagged" }));
  const { ETag, LastModified, VersionId } = after;
  expect({ ETag, LastModified, VersionId }).toEqual({
    ETag: before.ETag,
    LastModified: before.LastModified,
    VersionId: before.VersionId,
  });
  expect(await bodyOf("tagged")).toBe("bytes");
  await client.send(new DeleteObjectTaggingCommand({ Bucket, Key: "tagged" }));
  expect(await tagsOf("tagged")).toEqual({});
});

test("an object that replaces another does not get its tags", async () => {
  await put("replaced");
  await tag("replaced", { one: "1" });

  await put("replaced", "other bytes");

  expect(await tagsOf("replaced")).toEqual({});
});

test("a role reads an object only with the tag that its policy requires", async () => {
  const role = running.s3(running.endpoint.credentialsFor(ROLE_ARN));
  await put("judged");
  await expect(bodyOf("judged", role)).rejects.toMatchObject({ name: "AccessDenied" });

  await tag("judged", { for: "all" });

  expect(await bodyOf("judged", role)).toBe("bytes");
  await expect(tag("judged", {}, role)).rejects.toMatchObject({ name: "AccessDenied" });
});

test("tags of a missing or deleted object cannot be read or written", async () => {
  await put("gone");
  await tag("gone", { one: "1" });
  await client.send(new DeleteObjectCommand({ Bucket, Key: "gone" }));

  for (const Key of ["gone", "never"]) {
    await expect(tagsOf(Key)).rejects.toMatchObject({ name: "NoSuchKey" });
    await expect(tag(Key, { one: "1" })).rejects.toMatchObject({ name: "NoSuchKey" });
  }
});

test.each([
  [
    "a set of more than 10 tags",
    Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`t${n}`, ""])),
    "BadRequest",
  ],
  ["a key of 129 characters", { ["k".repeat(129)]: "" }, "InvalidTag"],
  ["a value of 257 characters", { key: "v".repeat(257) }, "InvalidTag"],
  ["a key that AWS reserves", { "aws:key": "" }, "InvalidTag"],
  ["a value with invalid characters", { key: "<a>" }, "InvalidTag"],
])('%s is refused ("Categorizing your objects using tags")', async (_, tags, name) => {
  await put("refused");

  await expect(tag("refused", tags)).rejects.toMatchObject({ name });
  expect(await tagsOf("refused")).toEqual({});
});

test('a copy gets the tags of its source, with permission to read and write them, or replaces them ("CopyObject")', async () => {
  await put("source");
  await tag("source", { for: "all" });
  const copy = { Bucket, Key: "copy", CopySource: `${Bucket}/source`, MetadataDirective: "REPLACE" } as const;
  const replacing = { ...copy, TaggingDirective: "REPLACE" } as const;
  const role = running.s3(running.endpoint.credentialsFor(ROLE_ARN));

  await client.send(new CopyObjectCommand(copy));
  expect(await tagsOf("copy")).toEqual({ for: "all" });
  await expect(role.send(new CopyObjectCommand(copy))).rejects.toThrow("s3:PutObjectTagging");
  await role.send(new CopyObjectCommand(replacing));
  expect(await tagsOf("copy")).toEqual({});
});
