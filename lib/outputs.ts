import { CfnOutput, type Stack } from "aws-cdk-lib/core";
import { type OutputKey, type OutputValues, outputNames } from "./output-names.ts";

const descriptions: Readonly<Record<OutputKey, string>> = {
  baseUrl: "The service's base URL",
  baseDomain: "The domain of owners' hosts; without it, owners have paths below /@<namespace>/ of BaseUrl",
  callbackUrl: "The callback URL to register with the identity provider",
  distributionDomainName: "The target of the domain's records",
  distributionId: "The edge",
  identityProviderParameter:
    'The parameter that takes {"client_id": "...", "client_secret": "..."} of the identity provider',
  slackParameter:
    'The parameter that takes {"signing_secret": "...", "bot_token": "..."} of the app in Slack',
  tableName: "The table of accounts, drops, versions, files and tokens",
  pagesBucket: "Holds the pages",
  blobsBucket: "Holds the files",
  auditDays: "Retention of the audit trail, in days",
  keepVersions: "Versions kept of each drop",
  members: "The settings' rules for publishers, besides people whom the operator has added",
  mostOpenVisibility: "The most open visibility of a drop or a file",
  pageBytesMax: "Limit of an account's pages, in bytes",
  scim: "Matching of a SCIM directory's people with sign-ins",
  tokenDaysMax: "Lifetime of a token, in days",
  version: "The version of the service; its git tag is v and this number",
  dataFormat: "The data format: do not deploy a version that supports only lower ones",
  alarmTopicArn: "The topic of the alarms",
};

/** Adds every output with a value. The API's own address is left out: it would invite callers past the edge. */
export function addOutputs(
  stack: Stack,
  values: { readonly [key in OutputKey]: OutputValues[key] | number },
): void {
  for (const key of Object.keys(outputNames) as OutputKey[]) {
    const value = values[key];
    if (value !== undefined)
      new CfnOutput(stack, outputNames[key], { description: descriptions[key], value: String(value) });
  }
}
