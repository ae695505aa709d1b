/** The stack's outputs, for operators after a deployment and for the operator's tools. */
export const outputNames = {
  baseUrl: "BaseUrl",
  baseDomain: "BaseDomain",
  callbackUrl: "CallbackUrl",
  distributionDomainName: "DistributionDomainName",
  distributionId: "DistributionId",
  identityProviderParameter: "IdentityProviderParameter",
  slackParameter: "SlackParameter",
  tableName: "TableName",
  pagesBucket: "PagesBucket",
  blobsBucket: "BlobsBucket",
  // Not "AuditDays": the operator commands of 0.1.0 take its absence as a reason to refuse the stack. They would empty the trash.
  auditDays: "AuditTrailDays",
  keepVersions: "KeepVersions",
  members: "Members",
  mostOpenVisibility: "MostOpenVisibility",
  pageBytesMax: "PageBytesMax",
  scim: "Scim",
  tokenDaysMax: "TokenDaysMax",
  alarmTopicArn: "AlarmTopicArn",
  version: "Version",
  dataFormat: "DataFormat",
} as const;

/** The key of an output in `outputNames`. */
export type OutputKey = keyof typeof outputNames;

/** Outputs that some stacks lack: the base domain, members and limits depend on settings, and earlier versions had fewer. */
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

/** Value of each output. */
export type OutputValues = Readonly<Record<Exclude<OutputKey, OptionalOutput>, string>> &
  Readonly<Record<OptionalOutput, string | undefined>>;
