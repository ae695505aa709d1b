import { describe, expect, test } from "vitest";
import { givenStack, resourcesOf } from "./given-stack.ts";
import { settingsOfEachKind } from "./settings-of-each-kind.ts";

/**
 * Resource types that must never be replaced, with the properties whose change would do it. The AWS CloudFormation template reference
 * says "Update requires: Replacement" of them, or that a change generates a new secret value.
 */
const replacedBy: Readonly<Record<string, readonly string[]>> = {
  "AWS::DynamoDB::Table": [
    "AttributeDefinitions",
    "ImportSourceSpecification",
    "KeySchema",
    "LocalSecondaryIndexes",
    "TableName",
  ],
  "AWS::S3::Bucket": ["BucketName", "BucketNamePrefix", "BucketNamespace", "ObjectLockEnabled"],
  "AWS::SecretsManager::Secret": ["GenerateSecretString", "Name", "SecretString"],
  "AWS::SQS::Queue": ["FifoQueue", "QueueName"],
  // A replacement would lose the distribution's domain name and the topic's subscriptions.
  "AWS::CloudFront::Distribution": [],
  "AWS::SNS::Topic": ["FifoTopic", "TopicName"],
};

const generated = { GenerateSecretString: { ExcludePunctuation: true, PasswordLength: 64 } };

/** Identities as they were first deployed. A change here loses published drops: write a migration instead. */
const deployed: Readonly<Record<string, object>> = {
  StorageTableB43FDCE7: {
    AttributeDefinitions: [
      { AttributeName: "pk", AttributeType: "S" },
      { AttributeName: "sk", AttributeType: "S" },
    ],
    KeySchema: [
      { AttributeName: "pk", KeyType: "HASH" },
      { AttributeName: "sk", KeyType: "RANGE" },
    ],
  },
  StoragePages2B0B5787: {},
  StorageBlobs31FE9BCB: {},
  SecretsOrigin297BAAC6: generated,
  QueuesViews94C83F4D: {},
  QueuesOrphans69FAC8CE: {},
  QueuesDeadLettersF0D5D2AD: {},
  EdgeDistribution0060737B: {},
  MonitoringTopic6A29B4F9: {},
};

/** This bucket contains code, which each deployment copies again. */
const codeBucket = "IngestWebFunctionCodeBucketD53BC1BC";

/** Returns, by logical id, the properties whose change would replace a protected resource. */
function identitiesOf(template: ReturnType<typeof givenStack>): Record<string, object> {
  const found = Object.entries(replacedBy).flatMap(([type, names]) =>
    Object.entries(resourcesOf(template, type)).flatMap(([id, { Properties = {} }]) => {
      if (id === codeBucket) return [];
      const given = names.filter((name) => name in Properties).map((name) => [name, Properties[name]]);
      return [[id, Object.fromEntries(given)]];
    }),
  );
  return Object.fromEntries(found);
}

/** A rotation replaces the secret on purpose: docs/runbook.md, "Rotate the origin secret". */
const unrotated = settingsOfEachKind.filter(
  ([, { originSecrets }]) => originSecrets?.accepted.includes(1) ?? true,
);

describe.each(unrotated)("an upgrade of a stack with %s", (_, settings) => {
  test("replaces nothing with data or a name, and creates no secret again", () => {
    expect(identitiesOf(givenStack(settings))).toMatchObject(deployed);
  });
});

test("every resource with data or a name is listed in this test", () => {
  expect(Object.keys(identitiesOf(givenStack())).sort()).toEqual(Object.keys(deployed).sort());
});

test("no property is set whose change would replace a resource with data", () => {
  expect(identitiesOf(givenStack())).toEqual(deployed);
});

// docs/adr/0019-api-key-of-the-edge.md. The logical ids in earlier releases were ApiRestApiE35FEAFE and ApiDefinition9262CF49.
test("the API is a new one, because the earlier one requires no key until the edge sends one", () => {
  const apis = Object.keys(resourcesOf(givenStack(), "AWS::ApiGateway::RestApi"));

  expect(apis).toEqual(["ApiGatewayED308F4C"]);
});
