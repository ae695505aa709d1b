import { createHash, randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { Readable } from "node:stream";
import {
  AbortMultipartUploadCommand,
  type ChecksumAlgorithm,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ObjectCreated } from "../../src/aws/s3/notifying-store.ts";
import { type RunningEndpoint, runEndpoint } from "./running-endpoint.ts";
import { BUCKET, stackOf } from "./stack.ts";

const Bucket = BUCKET;
const megabytes = 1024 * 1024;

let running: RunningEndpoint;
let client: S3Client;

beforeAll(async () => {
  running = await runEndpoint(stackOf());
  client = running.s3();
});

afterAll(() => running.remove());

describe("a streamed upload (aws-chunked with a trailing checksum)", () => {
  test.each<ChecksumAlgorithm>(["CRC32", "CRC32C", "CRC64NVME", "SHA1", "SHA256"])(
    "is stored without its framing if its %s is right",
    async (algorithm) => {
      const bytes = randomBytes(3 * megabytes + 17);
      const pieces = Readable.from([
        bytes.subarray(0, 100),
        bytes.subarray(100, 70_000),
        bytes.subarray(70_000),
      ]);
      const created: ObjectCreated[] = [];
      running.endpoint.onObjectCreated((event) => (isPlaced) => {
        if (isPlaced) created.push(event);
      });

      await client.send(
        new PutObjectCommand({
          Bucket,
          Key: `streamed-${algorithm}`,
          Body: pieces,
          ContentLength: bytes.length,
          ChecksumAlgorithm: algorithm,
        }),
      );

      const response = await client.send(new GetObjectCommand({ Bucket, Key: `streamed-${algorithm}` }));
      expect(response.ContentEncoding).toBeUndefined();
      expect(response[`Checksum${algorithm}`]).toBeDefined();
      expect(Buffer.from((await response.Body?.transformToByteArray()) ?? []).equals(bytes)).toBe(true);
      expect(created).toMatchObject([
        {
          bucket: Bucket,
          key: `streamed-${algorithm}`,
          sizeBytes: bytes.length,
          eventName: "ObjectCreated:Put",
        },
      ]);
    },
  );

  test.each([
    ["a wrong checksum", framed(["hello"], "AAAAAA=="), "BadDigest"],
    ["no checksum", framed(["hello"], undefined), "MalformedTrailerError"],
    ["less than its declared length", framed(["hell"], "h6m1ZA=="), "IncompleteBody"],
    ["more than its declared length", framed(["hello", "!"], "NhCmhg=="), "IncompleteBody"],
    ["no last chunk", "5\r\nhello\r\n", "IncompleteBody"],
    ["a chunk longer than its length", "4\r\nhello\r\n0\r\n\r\n", "InvalidRequest"],
    ["no framing", "hello\r\n0\r\n\r\n", "InvalidRequest"],
  ])("with %s is refused and stores nothing", async (_, body, code) => {
    const response = await sendChunked(body);

    expect(response.status).toBe(400);
    expect(await response.text()).toContain(`<Code>${code}</Code>`);
    await expectMissing("chunked");
  });

  test("with the right framing is stored", async () => {
    const response = await sendChunked(framed(["hel", "lo"], "NhCmhg=="));

    expect(response.status).toBe(200);
  });
});

test.each([
  ["Content-MD5", { ContentMD5: createHash("md5").update("other").digest("base64") }, "BadDigest"],
  ["x-amz-checksum-sha256", { ChecksumSHA256: Buffer.alloc(32).toString("base64") }, "BadDigest"],
  ["an invalid Content-MD5", { ContentMD5: "short" }, "InvalidDigest"],
])("a body that does not match %s is refused and not stored", async (_, digest, name) => {
  const put = client.send(new PutObjectCommand({ Bucket, Key: "digest", Body: "hello", ...digest }));

  await expect(put).rejects.toMatchObject({ name, $metadata: { httpStatusCode: 400 } });
  await expectMissing("digest");
});

test("an aborted upload stores nothing and leaves no file", async () => {
  const { url, headers } = await presign(
    new PutObjectCommand({ Bucket, Key: "broken", Body: "x".repeat(1000) }),
  );
  const upload = request(url, { method: "PUT", headers }).on("error", () => {});

  upload.write("x".repeat(500));
  await expect.poll(() => incomingFiles()).toHaveLength(1);
  upload.destroy();

  await expect.poll(() => incomingFiles()).toHaveLength(0);
  await expectMissing("broken");
});

describe("a multipart upload", () => {
  test("becomes one object with the headers of its creation", async () => {
    const parts = [randomBytes(5 * megabytes), Buffer.from("the end")];
    const upload = await createUpload("multipart");
    const etags = [await uploadPart(upload, 1, parts[0]), await uploadPart(upload, 2, parts[1])];

    await expectMissing("multipart");
    const { ETag } = await complete(upload, etags);

    const response = await client.send(new GetObjectCommand({ Bucket, Key: "multipart" }));
    expect(
      Buffer.from((await response.Body?.transformToByteArray()) ?? []).equals(Buffer.concat(parts)),
    ).toBe(true);
    expect(response).toMatchObject({ ContentType: "video/mp4", Metadata: { owner: "7" }, ETag });
    expect(ETag).toMatch(/^"[0-9a-f]{32}-2"$/);
    await expect(complete(upload, etags)).rejects.toMatchObject({ name: "NoSuchUpload" });
  });

  test("is refused if a part is missing, out of order, or too small", async () => {
    const upload = await createUpload("incomplete");
    const etags = [await uploadPart(upload, 1, "small"), await uploadPart(upload, 2, "end")];

    const attempts: [code: string, etags: (string | undefined)[], numbers: number[]][] = [
      ["InvalidPartOrder", etags, [2, 1]],
      ["InvalidPart", etags, [1, 3]],
      ["InvalidPart", ['"00000000000000000000000000000000"', etags[1]], [1, 2]],
      ["EntityTooSmall", etags, [1, 2]],
    ];

    for (const [name, given, numbers] of attempts) {
      await expect(complete(upload, given, numbers)).rejects.toMatchObject({ name });
    }
    await expectMissing("incomplete");
  });

  test("does not exist after it was aborted", async () => {
    const upload = await createUpload("aborted");
    const etag = await uploadPart(upload, 1, "part");

    await client.send(new AbortMultipartUploadCommand(upload));

    await expect(uploadPart(upload, 2, "part")).rejects.toMatchObject({ name: "NoSuchUpload" });
    await expect(complete(upload, [etag])).rejects.toMatchObject({ name: "NoSuchUpload" });
  });
});

interface Upload {
  readonly Bucket: string;
  readonly Key: string;
  readonly UploadId: string | undefined;
}

async function createUpload(Key: string): Promise<Upload> {
  const settings = { Bucket, Key, ContentType: "video/mp4", Metadata: { owner: "7" } };
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(settings));
  return { Bucket, Key, UploadId };
}

async function uploadPart(upload: Upload, PartNumber: number, Body: Buffer | string | undefined) {
  const { ETag } = await client.send(new UploadPartCommand({ ...upload, PartNumber, Body }));
  return ETag;
}

function complete(upload: Upload, etags: (string | undefined)[], numbers = [1, 2]) {
  const Parts = etags.map((ETag, index) => ({ ETag, PartNumber: numbers[index] }));
  return client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }));
}

async function expectMissing(Key: string): Promise<void> {
  await expect(client.send(new GetObjectCommand({ Bucket, Key }))).rejects.toMatchObject({
    name: "NoSuchKey",
  });
}

function incomingFiles(): string[] {
  return readdirSync(join(running.dataDirectory, "s3", BUCKET, "incoming"));
}

function framed(chunks: string[], crc32: string | undefined): string {
  const data = chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join("");
  const trailer = crc32 === undefined ? "" : `x-amz-checksum-crc32:${crc32}\r\n`;
  return `${data}0\r\n${trailer}\r\n`;
}

/** Sends a framed body with a signature that the SDK created for a stream of five bytes. */
async function sendChunked(body: string): Promise<Response> {
  const stream = Readable.from([Buffer.from("hello")]);
  const { url, headers } = await presign(
    new PutObjectCommand({ Bucket, Key: "chunked", Body: stream, ContentLength: 5 }),
  );
  return fetch(url, { method: "PUT", headers, body });
}

/** Returns the signed request that the SDK would send. */
async function presign(command: PutObjectCommand): Promise<{ url: string; headers: Record<string, string> }> {
  const signing = running.s3();
  let signed: { path: string; headers: Record<string, string> } | undefined;
  signing.middlewareStack.add(
    () => async (args) => {
      signed = args.request as { path: string; headers: Record<string, string> };
      throw new Error("signed, not sent");
    },
    { step: "finalizeRequest", priority: "low" },
  );
  await expect(signing.send(command)).rejects.toThrow("signed, not sent");
  if (!signed) throw new Error("the SDK signed nothing");
  const { "transfer-encoding": _, host: __, ...headers } = signed.headers;
  return { url: `${running.endpoint.url}${signed.path}?x-id=PutObject`, headers };
}
