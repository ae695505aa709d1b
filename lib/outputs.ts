import { CfnOutput, type Stack } from "aws-cdk-lib/core";
import { type OutputKey, type OutputValues, outputNames } from "./output-names.ts";

const descriptions: Readonly<Record<OutputKey, string>> = {
  baseUrl: "Where the service lives",
  baseDomain: "The domain under which owners live; none: below /@<namespace>/ of BaseUrl",
  callbackUrl: "To be registered with the identity provider",
  distributionDomainName: "What the domain's records point at",
  distributionId: "The edge",
  identityProviderParameter:
    'The parameter that takes {"client_id": "...", "client_secret": "..."} of the identity provider',
  tableName: "Holds accounts, drops, versions, files and tokens",
  pagesBucket: "Holds the pages",
  blobsBucket: "Holds the files",
  auditDays: "How many days a line of the audit trail is kept",
  keepVersions: "How many versions of a drop are kept",
  members: "Who may publish by the settings, beside those whom the operator has let in",
  mostOpenVisibility: "The most open that a drop or a file may be",
  pageBytesMax: "How many bytes of pages an account may have",
  scim: "How the people of a SCIM directory are matched with sign-ins",
  tokenDaysMax: "How many days a token is good",
  version: "The version of the service, whose tag is v and this",
  dataFormat: "The form of the data: a version that knows only lower ones must not be deployed over it",
  alarmTopicArn: "Tells the alarms to whoever subscribes",
};

/** Puts every output out that there is. The API's own address is none: it would invite callers past the edge. */
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
