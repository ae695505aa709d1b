import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInThisContext } from "node:vm";
import { CloudFrontClient } from "@aws-sdk/client-cloudfront";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { S3Client } from "@aws-sdk/client-s3";
import { SQSClient } from "@aws-sdk/client-sqs";
import { SSMClient } from "@aws-sdk/client-ssm";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { expect, test } from "vitest";
import { unusedMiddleware, withoutUnusedMiddleware } from "../../functions/table/aws-client.ts";

const options = { region: "us-east-1" };

const clients = [
  ["CloudFrontClient", () => new CloudFrontClient(options)],
  [
    "DynamoDBDocumentClient",
    () => DynamoDBDocumentClient.from(new DynamoDBClient(options), { marshallOptions: {} }),
  ],
  ["S3Client", () => new S3Client(options)],
  ["SQSClient", () => new SQSClient(options)],
  ["SSMClient", () => new SSMClient(options)],
] as const;

test.each(clients)(
  "%s has the removed middleware under the expected names, and loses only these",
  (_, newClient) => {
    const before = namesIn(newClient());

    const left = namesIn(withoutUnusedMiddleware(newClient()));

    expect(before).toEqual(expect.arrayContaining([...unusedMiddleware]));
    expect(left).toEqual(before.filter((name) => !unusedMiddleware.some((needless) => needless === name)));
  },
);

test.each(clients)("%s has a configuration that V8 copies quickly, unlike its default", (_, newClient) => {
  setFlagsFromString("--allow-natives-syntax");
  const isQuick = runInThisContext("(object) => %HasFastProperties(object)") as (object: object) => boolean;
  const client = newClient();
  const wasQuick = isQuick(client.config);

  withoutUnusedMiddleware(client);

  expect([wasQuick, isQuick(client.config)]).toEqual([false, true]);
});

test("every function's client lacks the removed middleware", () => {
  const directory = join(import.meta.dirname, "../../functions");
  const files = readdirSync(directory, { recursive: true, encoding: "utf8" });
  const codes = files
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => readFileSync(join(directory, name), "utf8"));

  const made = codes.flatMap(
    (code) =>
      code.match(/(withoutUnusedMiddleware\(\s*)?(DynamoDBDocumentClient\.from\(\s*)?new \w+Client\(/g) ?? [],
  );

  expect(made.length).toBeGreaterThan(5);
  expect(made.filter((text) => !text.startsWith("withoutUnusedMiddleware("))).toEqual([]);
});

/** Names in the stack's own listing: `name - step`, with other names in brackets. */
function namesIn(client: { readonly middlewareStack: { identify(): string[] } }): string[] {
  return client.middlewareStack.identify().map((line) => line.split(" ")[0] ?? "");
}
