import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { Hash } from "@smithy/core/serde";
import { SignatureV4 } from "@smithy/signature-v4";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findFreePort } from "../src/free-port.ts";
import { type LocalCloud, startLocalCloud } from "../src/local-cloud.ts";
import {
  apiOriginConfig,
  distributionResources,
  lambdaResources,
  restApiResources,
  routePaths,
  uncachedBehavior,
  writeStack,
} from "./fixture-stack.ts";
import { send } from "./http-client.ts";

const stack = writeStack(
  {
    ...lambdaResources("Responder", {
      Environment: { Variables: { ORIGIN: "{{resolve:secretsmanager:Origin:SecretString:::}}" } },
    }),
    ...restApiResources(
      {
        ...routePaths("GET", "/secret", "Responder"),
        ...routePaths("GET", "/slow", "Responder"),
        ...routePaths("GET", "/missing", "Responder"),
      },
      { "x-amazon-apigateway-binary-media-types": ["*/*"] },
    ),
    Origin: { Type: "AWS::SecretsManager::Secret", Properties: { Name: "Origin", GenerateSecretString: {} } },
    Blobs: { Type: "AWS::S3::Bucket" },
    BlobsPolicy: {
      Type: "AWS::S3::BucketPolicy",
      Properties: {
        Bucket: { Ref: "Blobs" },
        PolicyDocument: {
          Statement: [
            {
              Effect: "Allow",
              Principal: { Service: "cloudfront.amazonaws.com" },
              Action: "s3:GetObject",
              Resource: { "Fn::Join": ["", [{ "Fn::GetAtt": ["Blobs", "Arn"] }, "/*"]] },
              Condition: {
                StringEquals: {
                  "AWS:SourceArn": {
                    "Fn::Join": [
                      "",
                      ["arn:aws:cloudfront::000000000000:distribution/", { Ref: "Distribution" }],
                    ],
                  },
                },
              },
            },
          ],
        },
      },
    },
    AccessControl: { Type: "AWS::CloudFront::OriginAccessControl", Properties: {} },
    ...distributionResources({
      CacheBehaviors: [
        { PathPattern: "/q/*", ...uncachedBehavior("blobs") },
        { PathPattern: "/signed/*", ...uncachedBehavior("unsignedBlobs") },
        {
          PathPattern: "/b/*",
          ...uncachedBehavior("blobsOrMissing", {
            AllowedMethods: ["GET", "HEAD"],
            // Managed policy CachingOptimized.
            CachePolicyId: "658327ea-f89d-4fab-a63d-7e88639e58f6",
            OriginRequestPolicyId: undefined,
          }),
        },
      ],
      Origins: [
        apiOriginConfig({
          OriginCustomHeaders: [
            { HeaderName: "X-Origin", HeaderValue: "{{resolve:secretsmanager:Origin:SecretString:::}}" },
          ],
        }),
        {
          Id: "blobs",
          DomainName: { "Fn::GetAtt": ["Blobs", "RegionalDomainName"] },
          OriginAccessControlId: { "Fn::GetAtt": ["AccessControl", "Id"] },
          S3OriginConfig: {},
        },
        {
          Id: "unsignedBlobs",
          DomainName: { "Fn::GetAtt": ["Blobs", "RegionalDomainName"] },
          S3OriginConfig: { OriginAccessIdentity: "" },
        },
      ],
      OriginGroups: {
        Quantity: 1,
        Items: [
          {
            Id: "blobsOrMissing",
            FailoverCriteria: { StatusCodes: { Quantity: 2, Items: [403, 404] } },
            Members: { Quantity: 2, Items: [{ OriginId: "blobs" }, { OriginId: "api" }] },
          },
        ],
      },
    }),
  },
  {
    Responder: `export const handler = async ({ path, headers }) => {
      if (path === "/secret") return { statusCode: 200, body: String(process.env.ORIGIN.length > 20 && headers["X-Origin"] === process.env.ORIGIN) };
      if (path === "/slow") await new Promise((resolve) => setTimeout(resolve, 500));
      return { statusCode: 200, body: "slow" };
    };`,
  },
);
const dataDirectory = mkdtempSync(join(tmpdir(), "dropleaf-test-"));

let cloud: LocalCloud;
let port: number;

beforeAll(async () => {
  port = await findFreePort(2);
  cloud = await startLocalCloud({ assetsDirectory: stack.directory, port, dataDirectory, log: () => {} });
});

afterAll(async () => {
  await cloud.stop();
  stack.remove();
  rmSync(dataDirectory, { recursive: true });
});

async function putBlob(key: string, body: string): Promise<void> {
  const { url, administrator } = cloud.awsEndpoint;
  const client = new S3Client({
    endpoint: url,
    region: "us-east-1",
    credentials: administrator,
    forcePathStyle: true,
  });
  await client.send(
    new PutObjectCommand({
      Bucket: "blobs",
      Key: key,
      Body: body,
      ContentType: "image/png",
      CacheControl: "public, max-age=60",
    }),
  );
}

/** Returns the query of a presigned GET, which is valid for a minute. */
async function signedQuery(
  key: string,
  { signedAtMs = Date.now(), host = "blobs.s3.us-east-1.amazonaws.com" } = {},
): Promise<string> {
  const credentials = cloud.awsEndpoint.administrator;
  const signer = new SignatureV4({
    service: "s3",
    region: "us-east-1",
    credentials,
    sha256: Hash.bind(null, "sha256"),
    uriEscapePath: false,
  });
  const request = {
    method: "GET",
    protocol: "https:",
    hostname: host,
    path: `/${key}`,
    query: { "response-cache-control": "no-store" },
    headers: { host, "x-amz-content-sha256": "UNSIGNED-PAYLOAD" },
  };
  const options = { expiresIn: 60, signingDate: new Date(signedAtMs) };
  const { query } = await signer.presign(request, options);
  return new URLSearchParams(query as Record<string, string>).toString();
}

describe("a stack on the local cloud", () => {
  it("has the same generated secret at the edge and in the function", async () => {
    expect((await send(port, "/secret")).text).toBe("true");
  });

  it("serves objects of a private bucket by origin access control, whole and in ranges, and caches them", async () => {
    await putBlob("b/a b", "0123456789");

    const range = await send(port, "/b/a%20b", { headers: { Range: "bytes=2-4" } });
    const whole = await send(port, "/b/a%20b");
    const again = await send(port, "/b/a%20b", { headers: { "If-None-Match": String(whole.headers.etag) } });

    expect([range.status, range.text, range.headers["content-range"]]).toEqual([206, "234", "bytes 2-4/10"]);
    expect([whole.status, whole.text, whole.headers["content-type"]]).toEqual([
      200,
      "0123456789",
      "image/png",
    ]);
    expect([again.status, again.headers["x-cache"]]).toEqual([304, "Hit from cloudfront"]);
  });

  it("allows a viewer to override an object's headers only if the query is forwarded, like S3", async () => {
    await putBlob("b/typed", "x");
    await putBlob("q/typed", "x");
    const typeOf = async (path: string) =>
      (await send(port, `${path}?response-content-type=text/html`)).headers["content-type"];

    expect(await typeOf("/b/typed")).toBe("image/png");
    expect(await typeOf("/q/typed")).toBe("text/html");
  });

  describe("an object behind an origin without access control", () => {
    const key = "signed/a";
    let query: string;

    beforeAll(async () => {
      await putBlob(key, "0123456789");
      query = await signedQuery(key);
    });

    it("is readable with a query signed for the bucket's own domain, also in ranges and with overridden headers", async () => {
      const range = await send(port, `/${key}?${query}`, { headers: { Range: "bytes=2-4" } });

      expect([range.status, range.text, range.headers["content-range"]]).toEqual([
        206,
        "234",
        "bytes 2-4/10",
      ]);
      expect(range.headers["cache-control"]).toBe("no-store");
    });

    it.each([
      ["nothing is signed", () => ""],
      ["another header is overridden too", () => `${query}&response-content-type=text/html`],
      ["the overridden value is changed", () => query.replace("no-store", "public")],
      ["the signature is wrong", () => query.replace(/(Signature=)./, "$1x")],
      ["the access key is unknown", () => query.replace(/Credential=[A-Z0-9]+/, "Credential=AKIANOBODY")],
      ["the signature has expired", () => signedQuery(key, { signedAtMs: Date.now() - 61_000 })],
      ["it was signed for another object", () => signedQuery("signed/b")],
      ["it was signed for another host", () => signedQuery(key, { host: "localhost" })],
    ])("is not readable if %s", async (_, of) => {
      const response = await send(port, `/${key}?${await of()}`);

      expect([response.status, response.headers["content-type"]]).toEqual([403, "application/xml"]);
    });

    it("is not readable by HEAD if GET was signed", async () => {
      expect((await send(port, `/${key}?${query}`, { method: "HEAD" })).status).toBe(403);
    });
  });

  it("requests a missing object from the second origin", async () => {
    const response = await send(port, "/b/none");

    // The API has no /b/{id}: its refusal shows that it got the request.
    expect(response.headers["x-amzn-errortype"]).toBe("MissingAuthenticationTokenException");
  });

  it("refuses a port or a data folder in use", async () => {
    const start = (changes: { port: number; dataDirectory: string }) =>
      startLocalCloud({ assetsDirectory: stack.directory, log: () => {}, ...changes });
    const otherDirectory = mkdtempSync(join(tmpdir(), "dropleaf-test-"));

    await expect(start({ port, dataDirectory: otherDirectory })).rejects.toThrow(/^Port \d+.* is in use/);
    await expect(start({ port: await findFreePort(2), dataDirectory })).rejects.toThrow(
      `${dataDirectory} is in use`,
    );

    rmSync(otherDirectory, { recursive: true });
  });

  it("completes a running request when it stops, and does not wait for open connections", async () => {
    const running = send(port, "/slow");
    await new Promise((resolve) => setTimeout(resolve, 200));
    const startedAtMs = Date.now();

    await cloud.stop();

    expect((await running).text).toBe("slow");
    // Open keep-alive connections would delay the stop by a minute.
    expect(Date.now() - startedAtMs).toBeLessThan(50_000);
    await expect(send(port, "/slow")).rejects.toThrow("ECONNREFUSED");
  });
});
