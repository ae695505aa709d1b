/** Descriptions of the stack's outputs. Operators read the outputs after a deployment, and the operator's tools use them. */
export const outputDescriptions = {
  baseUrl: "The service's base URL",
  baseDomain: "The domain of owners' hosts; without it, owners have paths below /@<namespace>/ of BaseUrl",
  callbackUrl: "The callback URL to register with the identity provider",
  distributionDomainName: "The target of the domain's DNS records",
  distributionId: "The CloudFront distribution",
  identityProviderParameter:
    'The parameter with {"client_id": "...", "client_secret": "..."} of the identity provider',
  slackParameter: 'The parameter with {"signing_secret": "...", "bot_token": "..."} of the Slack app',
  tableName: "The table of accounts, drops, versions, files and tokens",
  pagesBucket: "The bucket with the pages",
  blobsBucket: "The bucket with the files",
  auditDays: "Retention of the audit trail, in days",
  keepVersions: "Number of versions that each drop keeps",
  members: "Rules for who may publish, in addition to people whom the operator has added",
  mostOpenVisibility: "The most open visibility that a drop or file may have",
  pageBytesMax: "Maximum total size of an account's pages, in bytes",
  scim: "The rule that matches SCIM users with sign-ins",
  tokenDaysMax: "Lifetime of a token, in days",
  alarmTopicArn: "The SNS topic that receives the alarms",
  version: "The version of the service; its git tag is v and this number",
  dataFormat: "The data format. Do not deploy a version that supports only earlier formats",
} as const;

/** Key of an output in `outputDescriptions`. */
export type OutputKey = keyof typeof outputDescriptions;

/** Name of each output in the template, such as `BaseUrl` for `baseUrl`. */
export const outputNames = {
  ...(Object.fromEntries(
    Object.keys(outputDescriptions).map((key) => [key, key.replace(/^./, (first) => first.toUpperCase())]),
  ) as Record<OutputKey, string>),
  // The output is not named "AuditDays", so that the operator commands of version 0.1.0 refuse this stack instead of emptying the trash.
  auditDays: "AuditTrailDays",
};

/** Outputs that some stacks do not have. The base domain, members and limits depend on settings, and earlier versions had fewer outputs. */
export const optionalOutputs = [
  "baseDomain",
  "keepVersions",
  "members",
  "mostOpenVisibility",
  "pageBytesMax",
  "scim",
  "slackParameter",
  "tokenDaysMax",
  "version",
  "dataFormat",
] as const satisfies readonly OutputKey[];

type OptionalOutput = (typeof optionalOutputs)[number];

/** Values of the outputs. */
export type OutputValues = Readonly<Record<Exclude<OutputKey, OptionalOutput>, string>> &
  Readonly<Record<OptionalOutput, string | undefined>>;
