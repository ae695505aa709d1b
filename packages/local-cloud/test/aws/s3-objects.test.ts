import { createHash } from "node:crypto";
import { Agent } from "node:http";
import type { LookupFunction } from "node:net";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningEndpoint, runEndpoint } from "./running-endpoint.ts";
import { BUCKET, stackOf } from "./stack.ts";

const Bucket = BUCKET;

let running: RunningEndpoint;
let client: S3Client;

beforeAll(async () => {
  running = await runEndpoint(stackOf());
  client = running.s3();
});

afterAll(() => running.remove());

test("an object is returned as it was stored, with its headers and metadata", async () => {
  await client.send(
    new PutObjectCommand({
      Bucket,
      Key: "page.html",
      Body: "<p>hello",
      ContentType: "text/html; charset=utf-8",
      CacheControl: "max-age=60",
      ContentDisposition: "inline",
      Metadata: { owner: "7" },
    }),
  );

  const head = await client.send(new HeadObjectCommand({ Bucket, Key: "page.html" }));
  const response = await client.send(new GetObjectCommand({ Bucket, Key: "page.html" }));

  const expected = {
    ContentType: "text/html; charset=utf-8",
    CacheControl: "max-age=60",
    ContentDisposition: "inline",
    Metadata: { owner: "7" },
    ContentLength: 8,
    ETag: `"${createHash("md5").update("<p>hello").digest("hex")}"`,
    LastModified: expect.any(Date),
  };
  expect(head).toMatchObject(expected);
  expect(response).toMatchObject(expected);
  expect(await response.Body?.transformToString()).toBe("<p>hello");
});

test.each([
  ["path separators and dots", "../../etc/passwd"],
  ["another key as its folder", "page.html/below"],
  ["the letters of another key in upper case", "PAGE.html"],
  ["percent signs and spaces", "100%25 a+b?c#d&e=é\u{1f600}"],
  ["slashes at both ends", "/a//b/"],
  ["1,024 bytes", "é".repeat(512)],
])("a key with %s names a separate object", async (_, Key) => {
  await client.send(new PutObjectCommand({ Bucket, Key: "page.html", Body: "other" }));
  await client.send(new PutObjectCommand({ Bucket, Key, Body: Key }));

  const response = await client.send(new GetObjectCommand({ Bucket, Key }));
  const listed = await client.send(new ListObjectsV2Command({ Bucket, Prefix: Key }));

  expect(await response.Body?.transformToString()).toBe(Key);
  expect(listed.Contents?.map((object) => object.Key)).toContain(Key);
});

test("a key of more than 1,024 bytes is refused", async () => {
  const put = client.send(new PutObjectCommand({ Bucket, Key: "é".repeat(513), Body: "" }));

  await expect(put).rejects.toMatchObject({ name: "KeyTooLongError" });
});

describe("ranges (GetObject of the S3 API Reference)", () => {
  beforeAll(async () => {
    await client.send(new PutObjectCommand({ Bucket, Key: "digits", Body: "0123456789" }));
    await client.send(new PutObjectCommand({ Bucket, Key: "empty", Body: "" }));
  });

  test.each([
    ["bytes=2-4", "234", "bytes 2-4/10"],
    ["bytes=7-", "789", "bytes 7-9/10"],
    ["bytes=-3", "789", "bytes 7-9/10"],
    ["bytes=-99", "0123456789", "bytes 0-9/10"],
    ["bytes=8-99", "89", "bytes 8-9/10"],
  ])("%s returns those bytes", async (Range, text, contentRange) => {
    const response = await client.send(new GetObjectCommand({ Bucket, Key: "digits", Range }));

    expect(response.$metadata.httpStatusCode).toBe(206);
    expect(response.ContentRange).toBe(contentRange);
    expect(response.ContentLength).toBe(text.length);
    expect(await response.Body?.transformToString()).toBe(text);
  });

  test.each(["bytes=4-2", "bytes=0-1,3-4", "lines=1-2", "bytes=-"])("%s is ignored", async (Range) => {
    const response = await client.send(new GetObjectCommand({ Bucket, Key: "digits", Range }));

    expect(response.$metadata.httpStatusCode).toBe(200);
    expect(await response.Body?.transformToString()).toBe("0123456789");
  });

  test.each([
    ["digits", "bytes=10-"],
    ["digits", "bytes=-0"],
    ["empty", "bytes=0-0"],
  ])("of %s %s returns 416", async (Key, Range) => {
    const get = client.send(new GetObjectCommand({ Bucket, Key, Range }));

    await expect(get).rejects.toMatchObject({ name: "InvalidRange", $metadata: { httpStatusCode: 416 } });
  });

  test("an empty object is served whole", async () => {
    const response = await client.send(new GetObjectCommand({ Bucket, Key: "empty" }));

    expect(await response.Body?.transformToString()).toBe("");
  });
});

test("a read with If-None-Match returns 304 for the same ETag, and with If-Match 412 for another", async () => {
  const { ETag } = await client.send(new PutObjectCommand({ Bucket, Key: "validated", Body: "a" }));
  const get = (condition: object) =>
    client.send(new GetObjectCommand({ Bucket, Key: "validated", ...condition }));

  await expect(get({ IfNoneMatch: ETag })).rejects.toMatchObject({ $metadata: { httpStatusCode: 304 } });
  await expect(get({ IfMatch: '"other"' })).rejects.toMatchObject({ name: "PreconditionFailed" });
  expect(await (await get({ IfNoneMatch: '"other"', IfMatch: ETag })).Body?.transformToString()).toBe("a");
});

test("only one of ten concurrent writes with If-None-Match: * succeeds", async () => {
  const puts = Array.from({ length: 10 }, (_, index) =>
    client.send(new PutObjectCommand({ Bucket, Key: "once", Body: `writer ${index}`, IfNoneMatch: "*" })),
  );

  const results = await Promise.allSettled(puts);

  const refused = results.filter((result) => result.status === "rejected").map((result) => result.reason);
  expect(refused).toHaveLength(9);
  for (const reason of refused) expect(reason).toMatchObject({ name: "PreconditionFailed" });
});

test("only one of ten concurrent writes with the same If-Match succeeds, and a missing object returns 404", async () => {
  const { ETag } = await client.send(new PutObjectCommand({ Bucket, Key: "turns", Body: "before" }));
  const puts = Array.from({ length: 10 }, (_, index) =>
    client.send(new PutObjectCommand({ Bucket, Key: "turns", Body: `writer ${index}`, IfMatch: ETag })),
  );

  const results = await Promise.allSettled(puts);

  const refused = results.filter((result) => result.status === "rejected").map((result) => result.reason);
  expect(refused).toHaveLength(9);
  for (const reason of refused) expect(reason).toMatchObject({ name: "PreconditionFailed" });
  await expect(
    client.send(new PutObjectCommand({ Bucket, Key: "no-turns", Body: "a", IfMatch: ETag })),
  ).rejects.toMatchObject({ name: "NoSuchKey" });
});

test("a response in progress is not affected when its object is replaced", async () => {
  const large = "a".repeat(4 * 1024 * 1024);
  await client.send(new PutObjectCommand({ Bucket, Key: "switched", Body: large, ContentType: "text/old" }));

  const response = await client.send(new GetObjectCommand({ Bucket, Key: "switched" }));
  await client.send(new PutObjectCommand({ Bucket, Key: "switched", Body: "b", ContentType: "text/new" }));

  expect(response.ContentType).toBe("text/old");
  expect(await response.Body?.transformToString()).toBe(large);
  const after = await client.send(new GetObjectCommand({ Bucket, Key: "switched" }));
  expect([after.ContentType, await after.Body?.transformToString()]).toEqual(["text/new", "b"]);
});

test("a deletion succeeds for an existing and for a missing object", async () => {
  await client.send(new PutObjectCommand({ Bucket, Key: "deleted", Body: "x" }));

  await client.send(new DeleteObjectCommand({ Bucket, Key: "deleted" }));
  await client.send(new DeleteObjectCommand({ Bucket, Key: "deleted" }));

  const get = client.send(new GetObjectCommand({ Bucket, Key: "deleted" }));
  await expect(get).rejects.toMatchObject({ name: "NoSuchKey", $metadata: { httpStatusCode: 404 } });
  const head = client.send(new HeadObjectCommand({ Bucket, Key: "deleted" }));
  await expect(head).rejects.toMatchObject({ name: "NotFound" });
});

test("a bucket that is not in the template is refused", async () => {
  const get = client.send(new GetObjectCommand({ Bucket: "missing", Key: "x" }));

  await expect(get).rejects.toMatchObject({ name: "NoSuchBucket" });
});

test("a bucket can also be named in the host name", async () => {
  const { port } = new URL(running.endpoint.url);
  // Some systems do not resolve names below localhost.
  const lookup: LookupFunction = (_host, _options, found) =>
    found(null, [{ address: "127.0.0.1", family: 4 }]);
  const hosted = new S3Client({
    ...running.clientSettings(),
    endpoint: `http://localhost:${port}`,
    requestHandler: { httpAgent: new Agent({ lookup }) },
  });

  await hosted.send(new PutObjectCommand({ Bucket, Key: "hosted/é", Body: "by host" }));

  const response = await client.send(new GetObjectCommand({ Bucket, Key: "hosted/é" }));
  expect(await response.Body?.transformToString()).toBe("by host");
});

test("unsupported parameters are refused, not ignored", async () => {
  const attempts = [
    () => client.send(new PutObjectCommand({ Bucket, Key: "x", Body: "x", Tagging: "a=b" })),
    () => client.send(new ListObjectsV2Command({ Bucket, Delimiter: "/" })),
  ];

  for (const attempt of attempts) {
    await expect(attempt()).rejects.toMatchObject({ name: "NotImplemented" });
  }
});

test("a listing returns every key once over its pages, in the order of UTF-8 bytes", async () => {
  const keys = ["list/b", "list/a", "list/Z", "list/ä", "list/\u{ff61}", "list/\u{1f600}", "other"];
  for (const Key of keys) await client.send(new PutObjectCommand({ Bucket, Key, Body: Key }));
  const listed: (string | undefined)[] = [];

  let ContinuationToken: string | undefined;
  do {
    const page: Awaited<ReturnType<typeof listPage>> = await listPage(ContinuationToken);
    listed.push(...(page.Contents ?? []).map((object) => object.Key));
    ContinuationToken = page.NextContinuationToken;
  } while (ContinuationToken);

  expect(listed).toEqual(["list/Z", "list/a", "list/b", "list/ä", "list/\u{ff61}", "list/\u{1f600}"]);
  const after = await client.send(
    new ListObjectsV2Command({ Bucket, Prefix: "list/", StartAfter: "list/b", MaxKeys: 1 }),
  );
  expect(after.Contents).toMatchObject([
    { Key: "list/ä", Size: 7, ETag: expect.stringMatching(/^".{32}"$/) },
  ]);

  function listPage(token: string | undefined) {
    return client.send(
      new ListObjectsV2Command({ Bucket, Prefix: "list/", MaxKeys: 4, ContinuationToken: token }),
    );
  }
});

test("objects survive a restart", async () => {
  const first = await runEndpoint(stackOf());
  await first
    .s3()
    .send(new PutObjectCommand({ Bucket, Key: "kept", Body: "kept", ContentType: "text/kept" }));
  await first.endpoint.stop();

  const second = await runEndpoint(stackOf(), first.dataDirectory);
  const response = await second.s3().send(new GetObjectCommand({ Bucket, Key: "kept" }));

  expect([response.ContentType, await response.Body?.transformToString()]).toEqual(["text/kept", "kept"]);
  await second.remove();
});
