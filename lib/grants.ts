import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Bucket } from "aws-cdk-lib/aws-s3";
import type { Secret } from "aws-cdk-lib/aws-secretsmanager";
import { environmentNames, type IdentityProviderSettings } from "../functions/contract/environment.ts";
import type { BucketAction, Grants, TableGrant } from "../functions/contract/route.ts";
import type { Secrets } from "./secrets.ts";
import type { Storage } from "./storage.ts";

/** What grants are about. */
export interface GrantTargets {
  readonly storage: Storage;
  readonly secrets: Secrets;
  readonly identityProvider: IdentityProviderSettings;
}

/** The statements of a row's grants: these actions on these resources, and nothing that a CDK grant would add. */
export function grantStatements(grants: Grants, { storage, secrets }: GrantTargets): PolicyStatement[] {
  return [
    ...(grants.table ? [tableStatement(grants.table, storage)] : []),
    ...(grants.pages ? [bucketStatement(grants.pages, storage.pages)] : []),
    ...(grants.blobs ? [bucketStatement(grants.blobs, storage.blobs)] : []),
    ...(grants.secrets ?? []).map((name) => secretStatement(secrets[name])),
  ];
}

/** The environment variables that tell a function where to find what it is granted. */
export function grantEnvironment(grants: Grants, targets: GrantTargets): Record<string, string> {
  const { storage, secrets, identityProvider } = targets;
  const usesCookies = grants.secrets?.includes("cookieKey");
  const usesIdentityProvider = grants.secrets?.includes("identityProvider");
  return {
    ...(grants.table ? { [environmentNames.tableName]: storage.table.tableName } : {}),
    ...(grants.pages ? { [environmentNames.pagesBucket]: storage.pages.bucketName } : {}),
    ...(grants.blobs ? { [environmentNames.blobsBucket]: storage.blobs.bucketName } : {}),
    ...(usesCookies ? { [environmentNames.cookieKeySecretArn]: secrets.cookieKey.secretArn } : {}),
    ...(usesIdentityProvider
      ? {
          [environmentNames.identityProviderSecretArn]: secrets.identityProvider.secretArn,
          [environmentNames.identityProvider]: JSON.stringify(identityProvider),
        }
      : {}),
  };
}

/** DynamoDB developer guide, "Using IAM policy conditions for fine-grained access control". */
function tableStatement({ actions, items }: TableGrant, { table }: Storage): PolicyStatement {
  return new PolicyStatement({
    actions: actions.map((action) => `dynamodb:${action}`),
    resources: [table.tableArn],
    conditions: {
      "ForAllValues:StringLike": { "dynamodb:LeadingKeys": items.map((family) => `${family}#*`) },
    },
  });
}

function bucketStatement(actions: readonly BucketAction[], bucket: Bucket): PolicyStatement {
  return new PolicyStatement({
    actions: actions.map((action) => `s3:${action}`),
    resources: [bucket.arnForObjects("*")],
  });
}

function secretStatement(secret: Secret): PolicyStatement {
  return new PolicyStatement({ actions: ["secretsmanager:GetSecretValue"], resources: [secret.secretArn] });
}
