import { ListTablesCommand } from "@aws-sdk/client-dynamodb";
import { GetObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { GetSecretValueCommand } from "@aws-sdk/client-secrets-manager";
import { SignatureV4 } from "@smithy/signature-v4";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningEndpoint, runEndpoint } from "./running-endpoint.ts";
import { BUCKET, SECRET_ARN, stackOf } from "./stack.ts";

let running: RunningEndpoint;

beforeAll(async () => {
  running = await runEndpoint(stackOf());
});

afterAll(() => running.remove());

test.each([
  [
    "DynamoDB",
    "InvalidSignatureException",
    (credentials: Keys) => running.dynamoDb(credentials).send(new ListTablesCommand()),
  ],
  [
    "S3",
    "SignatureDoesNotMatch",
    (credentials: Keys) =>
      running.s3(credentials).send(new PutObjectCommand({ Bucket: BUCKET, Key: "k", Body: "x" })),
  ],
  [
    "Secrets Manager",
    "InvalidSignatureException",
    (credentials: Keys) =>
      running.secretsManager(credentials).send(new GetSecretValueCommand({ SecretId: SECRET_ARN })),
  ],
])("a request to %s signed with another secret key is refused", async (_, code, send) => {
  const forged = { ...running.endpoint.administrator, secretAccessKey: "another" };

  await expect(send(forged)).rejects.toMatchObject({ name: code });
});

test("an unknown access key is refused", async () => {
  const stranger = { accessKeyId: "AKIANOBODY", secretAccessKey: "x" };

  const list = running.dynamoDb(stranger).send(new ListTablesCommand());
  const get = running.s3(stranger).send(new GetObjectCommand({ Bucket: BUCKET, Key: "k" }));

  await expect(list).rejects.toMatchObject({ name: "UnrecognizedClientException" });
  await expect(get).rejects.toMatchObject({ name: "InvalidAccessKeyId" });
});

test("a request without a signature is refused", async () => {
  const response = await fetch(`${running.endpoint.url}/${BUCKET}/key`);

  expect(response.status).toBe(403);
  expect(await response.text()).toContain("<Code>AccessDenied</Code>");
});

test("a body that differs from the signed one is refused and not stored", async () => {
  const signed = await signedPut("real");

  const response = await fetch(signed.url, { method: "PUT", headers: signed.headers, body: "fake" });

  expect(response.status).toBe(400);
  expect(await response.text()).toContain("<Code>XAmzContentSHA256Mismatch</Code>");
  const stored = running.s3().send(new GetObjectCommand({ Bucket: BUCKET, Key: "signed" }));
  await expect(stored).rejects.toMatchObject({ name: "NoSuchKey" });
});

test("a path, query or header that differs from the signed one is refused", async () => {
  const { url, headers } = await signedPut("real");
  const attempts: [string, Record<string, string>, string][] = [
    [url.replace("signed", "other"), headers, "SignatureDoesNotMatch"],
    [`${url}?uploads`, headers, "SignatureDoesNotMatch"],
    [url, { ...headers, "x-amz-meta-signed": "other" }, "SignatureDoesNotMatch"],
    [url, { ...headers, "x-amz-meta-added": "later" }, "AccessDenied"],
  ];

  for (const [target, sent, code] of attempts) {
    const response = await fetch(target, { method: "PUT", headers: sent, body: "real" });
    expect(response.status).toBe(403);
    expect(await response.text()).toContain(`<Code>${code}</Code>`);
  }

  expect((await fetch(url, { method: "PUT", headers, body: "real" })).status).toBe(200);
});

test("a signature that is more than 15 minutes old is refused", async () => {
  const signed = await signedPut("real", new Date(Date.now() - 16 * 60 * 1000));

  const response = await fetch(signed.url, { method: "PUT", headers: signed.headers, body: "real" });

  expect(response.status).toBe(403);
  expect(await response.text()).toContain("<Code>RequestTimeTooSkewed</Code>");
});

test("a presigned URL stores and serves an object until it expires", async () => {
  const put = await presigned("PUT", "shared", { expiresIn: 60 });
  const get = await presigned("GET", "shared", {
    expiresIn: 60,
    query: { "response-content-disposition": 'attachment; filename="a b.txt"' },
  });
  const expired = await presigned("GET", "shared", {
    expiresIn: 60,
    signingDate: new Date(Date.now() - 61_000),
  });

  const stored = await fetch(put, { method: "PUT", body: "by link" });
  const served = await fetch(get);
  const refused = await fetch(expired);

  expect(stored.status).toBe(200);
  expect(await served.text()).toBe("by link");
  expect(served.headers.get("content-disposition")).toBe('attachment; filename="a b.txt"');
  expect(refused.status).toBe(403);
  expect(await refused.text()).toContain("<Message>Request has expired</Message>");
  expect((await fetch(`${get.slice(0, -1)}${get.endsWith("0") ? "1" : "0"}`)).status).toBe(403);
});

type Keys = RunningEndpoint["endpoint"]["administrator"];

async function signedPut(body: string, signingDate = new Date()) {
  const { hostname, port, host } = new URL(running.endpoint.url);
  const request = await signer().sign(
    {
      method: "PUT",
      protocol: "http:",
      hostname,
      port: Number(port),
      path: `/${BUCKET}/signed`,
      query: {},
      headers: { host, "x-amz-meta-signed": "yes" },
      body,
    },
    { signingDate },
  );
  return { url: `${running.endpoint.url}${request.path}`, headers: request.headers };
}

async function presigned(
  method: string,
  key: string,
  options: { expiresIn: number; signingDate?: Date; query?: Record<string, string> },
): Promise<string> {
  const { hostname, port, host } = new URL(running.endpoint.url);
  const { query = {}, ...rest } = options;
  const path = `/${BUCKET}/${key}`;
  const headers = { host, "x-amz-content-sha256": "UNSIGNED-PAYLOAD" };
  const request = await signer().presign(
    { method, protocol: "http:", hostname, port: Number(port), path, query, headers },
    { ...rest, unhoistableHeaders: new Set() },
  );
  const search = Object.entries(request.query ?? {}).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`,
  );
  return `${running.endpoint.url}${path}?${search.join("&")}`;
}

function signer(): SignatureV4 {
  return new SignatureV4({
    service: "s3",
    region: "us-east-1",
    credentials: running.endpoint.administrator,
    sha256: running.s3().config.sha256,
    uriEscapePath: false,
  });
}
