/** The stack's outputs: what an operator reads after a deployment, and what the tools for operators go by. */
export const outputNames = {
  baseUrl: "BaseUrl",
  baseDomain: "BaseDomain",
  callbackUrl: "CallbackUrl",
  distributionDomainName: "DistributionDomainName",
  distributionId: "DistributionId",
  identityProviderParameter: "IdentityProviderParameter",
  tableName: "TableName",
  pagesBucket: "PagesBucket",
  blobsBucket: "BlobsBucket",
  auditDays: "AuditDays",
  members: "Members",
  mostOpenVisibility: "MostOpenVisibility",
  pageBytesMax: "PageBytesMax",
  tokenDaysMax: "TokenDaysMax",
  alarmTopicArn: "AlarmTopicArn",
  version: "Version",
  dataFormat: "DataFormat",
} as const;

/** The key of an output in `outputNames`. */
export type OutputKey = keyof typeof outputNames;

/**
 * What a stack may be without: a base domain has only a service with a domain, members, what a page may be, and days only one
 * whose settings say some, and earlier versions told none.
 */
export const optionalOutputs = [
  "baseDomain",
  "members",
  "mostOpenVisibility",
  "pageBytesMax",
  "tokenDaysMax",
  "version",
  "dataFormat",
] as const satisfies readonly OutputKey[];

type OptionalOutput = (typeof optionalOutputs)[number];

/** What each output says. */
export type OutputValues = Readonly<Record<Exclude<OutputKey, OptionalOutput>, string>> &
  Readonly<Record<OptionalOutput, string | undefined>>;
