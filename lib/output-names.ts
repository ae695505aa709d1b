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
  alarmTopicArn: "AlarmTopicArn",
} as const;

/** The key of an output in `outputNames`. */
export type OutputKey = keyof typeof outputNames;

/** What each output says. A service without a domain has no base domain. */
export type OutputValues = Readonly<Record<Exclude<OutputKey, "baseDomain">, string>> & {
  readonly baseDomain: string | undefined;
};
