import {
  BatchGetItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { DeleteObjectsCommand, GetObjectCommand, PutObjectCommand, type S3Client } from "@aws-sdk/client-s3";
import { GetSecretValueCommand } from "@aws-sdk/client-secrets-manager";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { startAwsEndpoint } from "../../src/aws/aws-endpoint.ts";
import { type RunningEndpoint, runEndpoint } from "./running-endpoint.ts";
import { allow, BUCKET, BUCKET_ARN, ROLE_ARN, SECRET_ARN, stackOf, TABLE, TABLE_ARN } from "./stack.ts";

const key = (pk: string) => ({ pk: { S: pk }, sk: { S: "row" } });

let running: RunningEndpoint;
let table: DynamoDBClient;
let bucket: S3Client;

beforeAll(async () => {
  running = await runEndpoint(
    stackOf([
      allow(["dynamodb:GetItem", "dynamodb:Query", "dynamodb:BatchGetItem"], TABLE_ARN),
      allow(["dynamodb:PutItem", "dynamodb:UpdateItem"], TABLE_ARN, {
        "ForAllValues:StringLike": { "dynamodb:LeadingKeys": ["USER#*"] },
      }),
      allow(["s3:GetObject", "s3:PutObject", "s3:DeleteObject"], `${BUCKET_ARN}/public/*`),
      { Effect: "Deny", Action: "s3:*", Resource: `${BUCKET_ARN}/public/frozen` },
    ]),
  );
  table = running.dynamoDb(running.endpoint.credentialsFor(ROLE_ARN));
  bucket = running.s3(running.endpoint.credentialsFor(ROLE_ARN));
});

afterAll(() => running.remove());

describe("a role", () => {
  test("can do what its policy allows, and its used actions are recorded", async () => {
    await table.send(new PutItemCommand({ TableName: TABLE, Item: key("USER#1") }));
    await table.send(new GetItemCommand({ TableName: TABLE, Key: key("USER#1") }));

    const used = running.endpoint.usedActions().get(ROLE_ARN);

    expect(used).toContain(`dynamodb:PutItem on ${TABLE_ARN}`);
    expect(used).toContain(`dynamodb:GetItem on ${TABLE_ARN}`);
  });

  test("is refused any other action, and the error and the log name role, action and resource", async () => {
    const secrets = running.secretsManager(running.endpoint.credentialsFor(ROLE_ARN));

    const refusal = secrets.send(new GetSecretValueCommand({ SecretId: SECRET_ARN }));

    const message = `User: ${ROLE_ARN} is not authorized to perform: secretsmanager:GetSecretValue on resource: ${SECRET_ARN}`;
    await expect(refusal).rejects.toMatchObject({
      name: "AccessDeniedException",
      message: expect.stringContaining(message),
    });
    expect(running.logLines.join("\n")).toContain(message);
    expect([...(running.endpoint.usedActions().get(ROLE_ARN) ?? [])].join()).not.toContain("secretsmanager");
  });

  test("can write only the partition keys in dynamodb:LeadingKeys", async () => {
    const put = table.send(new PutItemCommand({ TableName: TABLE, Item: key("TOKEN#1") }));
    const update = table.send(
      new UpdateItemCommand({
        TableName: TABLE,
        Key: key("TOKEN#1"),
        UpdateExpression: "SET a = :a",
        ExpressionAttributeValues: { ":a": { S: "USER#1" } },
      }),
    );

    await expect(put).rejects.toMatchObject({ name: "AccessDeniedException" });
    await expect(update).rejects.toMatchObject({ name: "AccessDeniedException" });
  });

  test("is limited by lambda:SourceFunctionArn to the named function, and refused without a function", async () => {
    const arnOf = (name: string) => `arn:aws:lambda:us-east-1:000000000000:function:${name}`;
    const aFunction = (FunctionName: string) => ({
      Type: "AWS::Lambda::Function",
      Properties: { FunctionName, Role: { "Fn::GetAtt": ["Role", "Arn"] } },
    });
    const shared = await runEndpoint(
      stackOf(
        [
          allow("dynamodb:PutItem", TABLE_ARN, {
            "ForAllValues:StringLike": { "dynamodb:LeadingKeys": ["USER#*"] },
            ArnEquals: { "lambda:SourceFunctionArn": [arnOf("writes")] },
          }),
        ],
        { Writes: aFunction("writes"), Reads: aFunction("reads") },
      ),
    );
    onTestFinished(() => shared.remove());
    const putBy = (pk: string, name?: string) =>
      shared
        .dynamoDb(shared.endpoint.credentialsFor(ROLE_ARN, name && arnOf(name)))
        .send(new PutItemCommand({ TableName: TABLE, Item: key(pk) }));

    await putBy("USER#1", "writes");

    await expect(putBy("TOKEN#1", "writes")).rejects.toMatchObject({ name: "AccessDeniedException" });
    await expect(putBy("USER#1", "reads")).rejects.toMatchObject({ name: "AccessDeniedException" });
    await expect(putBy("USER#1")).rejects.toMatchObject({ name: "AccessDeniedException" });
    expect(() => shared.endpoint.credentialsFor(ROLE_ARN, arnOf("another"))).toThrow("does not use the role");
  });

  test("has its refusals logged with a reason, and without secrets in keys", async () => {
    const secrets = running.secretsManager(running.endpoint.credentialsFor(ROLE_ARN));
    const refused = [
      table.send(new PutItemCommand({ TableName: TABLE, Item: key("TOKEN#0123abcd") })),
      bucket.send(new PutObjectCommand({ Bucket: BUCKET, Key: "private/kept", Body: "x" })),
      secrets.send(new GetSecretValueCommand({ SecretId: SECRET_ARN })),
      bucket.send(new PutObjectCommand({ Bucket: BUCKET, Key: "public/frozen", Body: "x" })),
    ];

    const outcomes = await Promise.allSettled(refused);

    expect(outcomes.map(({ status }) => status)).toEqual(outcomes.map(() => "rejected"));
    const reasons = running.logLines.map((line) => line.slice(line.lastIndexOf("; ") + 2));
    expect(reasons).toContain("TOKEN#… is not allowed: the role's LeadingKeys are USER#*");
    expect(reasons).toContain(`the role is allowed this action only on ${BUCKET_ARN}/public/*`);
    expect(reasons).toContain(
      "no statement of the role allows secretsmanager:GetSecretValue on any resource",
    );
    expect(reasons).toContain("a statement of the role denies this access");
    // The rest of the key may be the hash of a secret.
    expect(running.logLines.join()).not.toContain("0123abcd");
  });

  test("needs a permission for every element of a transaction, which otherwise writes nothing", async () => {
    const put = { Put: { TableName: TABLE, Item: key("USER#transacted") } };
    const remove = { Delete: { TableName: TABLE, Key: key("USER#1") } };
    const check = {
      ConditionCheck: { TableName: TABLE, Key: key("USER#1"), ConditionExpression: "attribute_exists(pk)" },
    };

    for (const [refused, action] of [
      [remove, "dynamodb:DeleteItem"],
      [check, "dynamodb:ConditionCheckItem"],
    ] as const) {
      const transaction = table.send(new TransactWriteItemsCommand({ TransactItems: [put, refused] }));
      await expect(transaction).rejects.toMatchObject({
        name: "AccessDeniedException",
        message: expect.stringContaining(action),
      });
    }

    const found = await table.send(new GetItemCommand({ TableName: TABLE, Key: key("USER#transacted") }));
    expect(found.Item).toBeUndefined();
    await table.send(new TransactWriteItemsCommand({ TransactItems: [put] }));
  });

  test("can read a batch with the permission for BatchGetItem", async () => {
    const response = await table.send(
      new BatchGetItemCommand({ RequestItems: { [TABLE]: { Keys: [key("USER#1")], ConsistentRead: true } } }),
    );

    expect(response.Responses?.[TABLE]).toHaveLength(1);
  });

  test("is refused an object that a Deny names, even if an Allow covers it", async () => {
    await bucket.send(new PutObjectCommand({ Bucket: BUCKET, Key: "public/open", Body: "x" }));

    const refused = bucket.send(new PutObjectCommand({ Bucket: BUCKET, Key: "public/frozen", Body: "x" }));

    await expect(refused).rejects.toMatchObject({ name: "AccessDenied", $metadata: { httpStatusCode: 403 } });
  });

  test("without ListBucket gets AccessDenied for a missing key, as in S3", async () => {
    const missing = new GetObjectCommand({ Bucket: BUCKET, Key: "public/missing" });

    await expect(bucket.send(missing)).rejects.toMatchObject({ name: "AccessDenied" });
    await expect(running.s3().send(missing)).rejects.toMatchObject({ name: "NoSuchKey" });
  });

  test("deletes only the permitted keys of a list", async () => {
    await running.s3().send(new PutObjectCommand({ Bucket: BUCKET, Key: "private/kept", Body: "x" }));
    await bucket.send(new PutObjectCommand({ Bucket: BUCKET, Key: "public/gone", Body: "x" }));

    const response = await bucket.send(
      new DeleteObjectsCommand({
        Bucket: BUCKET,
        Delete: { Objects: [{ Key: "public/gone" }, { Key: "private/kept" }] },
      }),
    );

    expect(response.Deleted).toEqual([{ Key: "public/gone" }]);
    expect(response.Errors).toMatchObject([{ Key: "private/kept", Code: "AccessDenied" }]);
    await running.s3().send(new GetObjectCommand({ Bucket: BUCKET, Key: "private/kept" }));
  });
});

test("dynamodb:Attributes restricts a role to the attributes that it names", async () => {
  const limited = await runEndpoint(
    stackOf([
      allow(["dynamodb:UpdateItem", "dynamodb:Query"], TABLE_ARN, {
        "ForAllValues:StringEquals": { "dynamodb:Attributes": ["pk", "sk", "views"] },
      }),
    ]),
  );
  const client = limited.dynamoDb(limited.endpoint.credentialsFor(ROLE_ARN));
  const addTo = (name: string) =>
    client.send(
      new UpdateItemCommand({
        TableName: TABLE,
        Key: key("USER#1"),
        UpdateExpression: "ADD #count :one",
        ConditionExpression: "attribute_not_exists(pk) OR pk <> :one",
        ExpressionAttributeNames: { "#count": name },
        ExpressionAttributeValues: { ":one": { N: "1" } },
      }),
    );

  try {
    await addTo("views");

    await expect(addTo("owner")).rejects.toMatchObject({ name: "AccessDeniedException" });
    const query = new QueryCommand({
      TableName: TABLE,
      KeyConditionExpression: "pk = :pk AND begins_with(sk, :sk)",
      FilterExpression: "owner = :pk",
      ExpressionAttributeValues: { ":pk": { S: "USER#1" }, ":sk": { S: "r" } },
    });
    await expect(client.send(query)).rejects.toMatchObject({ name: "AccessDeniedException" });
  } finally {
    await limited.remove();
  }
});

describe("a policy that cannot be evaluated is refused at the start:", () => {
  const neverCreated = `${import.meta.dirname}/never-created`;

  test.each([
    [
      "an unknown operator",
      allow("s3:*", "*", { NumericLessThan: { "s3:max-keys": "10" } }),
      "NumericLessThan",
    ],
    [
      "an unknown condition key",
      allow("s3:*", "*", { StringEquals: { "aws:PrincipalTag/team": "a" } }),
      "PrincipalTag",
    ],
    ["NotAction", { Effect: "Allow", NotAction: "s3:*", Resource: "*" }, "NotAction"],
    ["NotResource", { Effect: "Allow", Action: "s3:*", NotResource: "*" }, "NotResource"],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the syntax of policies, not of JavaScript
    ["a policy variable", allow("s3:*", "arn:aws:s3:::pages/${aws:username}"), "policy variable"],
  ])("%s", async (_, statement, named) => {
    const start = startAwsEndpoint({
      template: stackOf([statement]),
      dataDirectory: neverCreated,
      log: () => {},
    });

    await expect(start).rejects.toThrow(new RegExp(`^Policy, statement 1: .*${named}`));
  });

  test("an AWS managed policy with unknown permissions", async () => {
    const managed = { ManagedPolicyArns: ["arn:aws:iam::aws:policy/AmazonDynamoDBFullAccess"] };
    const template = stackOf([], { Reader: { Type: "AWS::IAM::Role", Properties: managed } });

    const start = startAwsEndpoint({ template, dataDirectory: neverCreated, log: () => {} });

    await expect(start).rejects.toThrow(
      "Reader: the managed policy arn:aws:iam::aws:policy/AmazonDynamoDBFullAccess",
    );
  });
});
