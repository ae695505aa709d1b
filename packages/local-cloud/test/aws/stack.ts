import { resolveTemplate, type Template } from "../../src/template.ts";

type Properties = Record<string, unknown>;

/** ARNs and names of the resources of `stackOf`. */
export const TABLE = "Table";
export const TABLE_ARN = "arn:aws:dynamodb:us-east-1:000000000000:table/Table";
export const BUCKET = "pages";
export const BUCKET_ARN = "arn:aws:s3:::pages";
export const SECRET_ARN = "arn:aws:secretsmanager:us-east-1:000000000000:secret:Secret";
export const ROLE_ARN = "arn:aws:iam::000000000000:role/Role";

/** Creates a stack with a table, a bucket, a secret, and one role with the given statements. */
export function stackOf(
  statements: readonly Properties[] = [],
  more: Record<string, unknown> = {},
): Template {
  const resources: Record<string, { Type: string; Properties?: Properties }> = {
    Table: {
      Type: "AWS::DynamoDB::Table",
      Properties: {
        KeySchema: [
          { AttributeName: "pk", KeyType: "HASH" },
          { AttributeName: "sk", KeyType: "RANGE" },
        ],
        AttributeDefinitions: [
          { AttributeName: "pk", AttributeType: "S" },
          { AttributeName: "sk", AttributeType: "S" },
        ],
        BillingMode: "PAY_PER_REQUEST",
        StreamSpecification: { StreamViewType: "NEW_AND_OLD_IMAGES" },
        TimeToLiveSpecification: { AttributeName: "ttl", Enabled: true },
      },
    },
    Pages: { Type: "AWS::S3::Bucket" },
    Secret: { Type: "AWS::SecretsManager::Secret", Properties: { GenerateSecretString: {} } },
    Role: { Type: "AWS::IAM::Role" },
    ...(statements.length > 0 && {
      Policy: {
        Type: "AWS::IAM::Policy",
        Properties: { Roles: [{ Ref: "Role" }], PolicyDocument: { Statement: statements } },
      },
    }),
    ...(more as Record<string, { Type: string }>),
  };
  return resolveTemplate({ Resources: resources }, "/nowhere");
}

/** Creates an Allow statement. */
export function allow(
  action: string | string[],
  resource: string | string[],
  condition?: unknown,
): Properties {
  return {
    Effect: "Allow",
    Action: action,
    Resource: resource,
    ...(condition ? { Condition: condition } : {}),
  };
}
