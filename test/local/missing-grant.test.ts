import { createAccessControl } from "@dropleaf/local-cloud/aws/access-control";
import type { Access } from "@dropleaf/local-cloud/aws/aws-service";
import { resolveTemplate, resourcesOfType } from "@dropleaf/local-cloud/template";
import type { RawTemplate } from "@dropleaf/local-cloud/template-intrinsics";
import { expect, test } from "vitest";
import { missingGrant } from "../../local/missing-grant.ts";
import { givenStack } from "../lib/given-stack.ts";

const template = resolveTemplate(givenStack().toJSON() as RawTemplate, "");
const logged: string[] = [];
const control = createAccessControl(
  template,
  (line) => logged.push(line),
  async (...given) => missingGrant(...given),
);

/** Returns the log lines of an access that the operation does not grant. The last line is the advice, if any. */
async function refusalOf(exportName: string, access: Access): Promise<string[]> {
  const { properties, arn } =
    resourcesOfType(template, "AWS::Lambda::Function").find(
      (one) => String(one.properties.Handler).split(".").at(-1) === exportName,
    ) ?? {};
  const from = logged.length;
  const { accessKeyId } = control.credentialsFor(String(properties?.Role), arn);
  expect(() => control.callerOf(accessKeyId)?.authorize(access)).toThrow("is not authorized to perform");
  await control.whenAdvised();
  return logged.slice(from);
}

function onTable(action: string, ...leadingKeys: string[]): Access {
  const resourceArn = `arn:aws:dynamodb:us-east-1:000000000000:table/${physicalId("AWS::DynamoDB::Table", "")}`;
  return {
    action: `dynamodb:${action}`,
    resourceArn,
    conditionKeys: { "dynamodb:LeadingKeys": leadingKeys },
  };
}

function physicalId(type: string, name: string): string {
  return (
    resourcesOfType(template, type).find(({ logicalId }) => logicalId.includes(name))?.physicalId ?? type
  );
}

test("a refused item is reported with the action, the key's prefix, and the line to add to the operation", async () => {
  const [said, advice] = await refusalOf("pollSignIn", onTable("PutItem", "SLUG#aB3dE5f"));

  expect(said).toContain("dynamodb:PutItem on resource");
  expect(said).toContain(
    "SLUG#… is not allowed: the role's LeadingKeys are CODE#*, IDP#*, MEMBER#*, POLL#*, SCIM#*, TOKEN#*, USER#*",
  );
  expect(advice).toMatch(
    /^To allow this access, extend the grants of poll-sign-in \(operation definitions in functions\/identity\): table: \{ actions: \["BatchGetItem", "GetItem", "PutItem", "Query", "UpdateItem"\], items: \["CODE", "IDP", "MEMBER", "POLL", "SCIM", "TOKEN", "USER", "SLUG"\] \}$/,
  );
  expect(said).not.toContain("aB3dE5f");
});

test("a refused action is reported with the function's own operation, not another one with its role", async () => {
  const [said, advice] = await refusalOf("startSignIn", onTable("DeleteItem", "CODE#u1"));

  expect(said).toContain("dynamodb:DeleteItem");
  expect(advice).toContain(
    "extend the grants of start-sign-in (operation definitions in functions/identity): table:",
  );
  expect(advice).toContain(
    'actions: ["DeleteItem", "PutItem", "UpdateItem"], items: ["CODE", "POLL", "LIMIT"]',
  );
});

test.each<[what: string, access: () => Access, line: string]>([
  ["entry of the audit trail", () => onTable("PutItem", "AUDIT#2026-01-15#3"), "audit: true"],
  ["read of the cookie key", () => onTable("GetItem", "KEY#cookies"), 'secrets: ["cookieKey"]'],
  [
    "change of the cookie key",
    () => onTable("UpdateItem", "KEY#cookies"),
    'secrets: ["cookieKey", "newCookieKey"]',
  ],
  [
    "read of a page",
    () => ({
      action: "s3:GetObject",
      resourceArn: `arn:aws:s3:::${physicalId("AWS::S3::Bucket", "Pages")}/a`,
    }),
    'pages: ["GetObject"]',
  ],
  [
    "message to a queue",
    () => ({
      action: "sqs:SendMessage",
      resourceArn: `arn:aws:sqs:us-east-1:000000000000:${physicalId("AWS::SQS::Queue", "Views")}`,
    }),
    'queues: ["views"]',
  ],
  [
    "call of a function",
    () => ({
      action: "lambda:InvokeFunction",
      resourceArn: "arn:aws:lambda:us-east-1:000000000000:function:DrawPage",
    }),
    'functions: ["drawPage"]',
  ],
  [
    "cache invalidation",
    () => ({
      action: "cloudfront:CreateInvalidation",
      resourceArn: "arn:aws:cloudfront::000000000000:distribution/E1",
    }),
    'distribution: ["CreateInvalidation"]',
  ],
])("a refused %s is reported with the grant to add", async (_what, access, line) => {
  expect((await refusalOf("startSignIn", access())).at(-1)).toMatch(
    new RegExp(`: ${line.replace(/[[\]]/g, "\\$&")}$`),
  );
});

test("a refusal outside the grants, or of a function without an operation, has no advice", async () => {
  const secret = {
    action: "secretsmanager:GetSecretValue",
    resourceArn: "arn:aws:secretsmanager:us-east-1:0:secret:x",
  };

  expect(await refusalOf("startSignIn", secret)).toEqual([expect.stringContaining("access denied: ")]);
  expect(await refusalOf("countViews", onTable("PutItem", "SLUG#x"))).toHaveLength(1);
});
