import { each, jsonLength, lengthOf, longestOf, numberOf, numberOr, textLength } from "./count.ts";
import { type QuotaPage, reasons } from "./quota.ts";

const role = "AWS::IAM::Role";
const managedPolicy = "AWS::IAM::ManagedPolicy";
const certificate = "AWS::CertificateManager::Certificate";

const noUsers = "The stack has roles only, no users or groups.";
const noSessions = "No code assumes a role with session policies or tags.";
const madeUp = "CloudFormation generates names within the quota.";
const operators = "The operator creates one parameter, with the identity provider's registration.";

interface InlinePolicy {
  readonly PolicyName: string;
  readonly PolicyDocument: unknown;
}

const inlineOf = (Policies: readonly InlinePolicy[] = []) => Policies;

export const iam: QuotaPage = {
  title: 'AWS IAM User Guide, "IAM and AWS STS quotas"',
  services: ["AWS::IAM"],
  quotas: [
    { name: "Customer managed policies per account", value: 1_500, bound: 2, count: numberOf(managedPolicy) },
    { name: "Groups per account", value: 300, reason: noUsers },
    { name: "Instance profiles per account", value: 1_000, reason: reasons.unused },
    {
      name: "Managed policies per role",
      value: 20,
      bound: 5,
      count: each(role, ({ ManagedPolicyArns }) => lengthOf(ManagedPolicyArns)),
    },
    { name: "Managed policies per user", value: 10, reason: noUsers },
    { name: "Managed policies per group", value: 10, reason: noUsers },
    {
      name: "Role trust policy length",
      value: 2_048,
      bound: 1_000,
      count: each(role, ({ AssumeRolePolicyDocument }) => jsonLength(AssumeRolePolicyDocument)),
    },
    { name: "Roles per account", value: 1_000, bound: 100, count: numberOf(role) },
    { name: "Server certificates per account", value: 20, reason: reasons.unused },
    { name: "OpenId connect providers per account", value: 100, reason: reasons.unused },
    { name: "STS request quotas", value: "600 a second", reason: "Requests of AWS's services do not count." },
    { name: "Alias for an AWS account ID", value: "63 characters", reason: reasons.unused },
    { name: "Inline policies of a user", value: "2,048 characters", reason: noUsers },
    {
      name: "Inline policies of a role",
      value: 10_240,
      bound: 9_250,
      count: each(role, ({ Policies }) =>
        inlineOf(Policies).reduce((sum, { PolicyDocument }) => sum + jsonLength(PolicyDocument), 0),
      ),
    },
    { name: "Inline policies of a group", value: "5,120 characters", reason: noUsers },
    {
      name: "For customer managed policies",
      value: 6_144,
      bound: 1_000,
      count: each(managedPolicy, ({ PolicyDocument }) => jsonLength(PolicyDocument)),
    },
    { name: "Group name", value: "128 characters", reason: noUsers },
    { name: "Instance profile name", value: "128 characters", reason: reasons.unused },
    { name: "Password for a login profile", value: "128 characters", reason: noUsers },
    { name: "Path", value: "512 characters", reason: "Roles have no path." },
    {
      name: "Policy name",
      value: 128,
      bound: 64,
      count: each(role, ({ Policies }) =>
        Math.max(0, ...inlineOf(Policies).map(({ PolicyName }) => PolicyName.length)),
      ),
    },
    { name: "Role name", value: 64, bound: 64, count: each(role, ({ RoleName }) => textLength(RoleName)) },
    {
      name: "Role session duration",
      value: 43_200,
      bound: 3_600,
      count: each(role, ({ MaxSessionDuration }) => numberOr(MaxSessionDuration, 3_600)),
    },
    { name: "Role session name", value: "64 characters", reason: noSessions },
    { name: "Role session policies", value: "2,048 characters", reason: noSessions },
    { name: "Role session tags", value: 50, reason: noSessions },
    {
      name: "SAML authentication response base64 encoded",
      value: "100,000 characters",
      reason: reasons.unused,
    },
    { name: "Tag key", value: "128 characters", reason: "The only key is `dropleaf:stack`." },
    { name: "Tag value", value: "256 characters", reason: "The value is the stack's name." },
    { name: "Unique IDs created by IAM", value: "128 characters", reason: madeUp },
    { name: "User name", value: "64 characters", reason: noUsers },
  ],
};

export const secretsManager: QuotaPage = {
  title: 'AWS Secrets Manager User Guide, "AWS Secrets Manager quotas"',
  services: ["AWS::SecretsManager"],
  quotas: [
    { name: "Rates of API requests", value: "13 rows", reason: reasons.rate },
    {
      name: "Resource-based policy length",
      value: "20,480 characters",
      reason: "The secrets have no policies.",
    },
    {
      name: "Secret value size",
      value: 65_536,
      bound: 1_000,
      count: each("AWS::SecretsManager::Secret", ({ GenerateSecretString }) =>
        numberOr(GenerateSecretString?.PasswordLength, 32),
      ),
    },
    { name: "Secrets", value: 500_000, bound: 5, count: numberOf("AWS::SecretsManager::Secret") },
    { name: "Staging labels attached across all versions of a secret", value: 20, reason: reasons.unused },
    {
      name: "Versions per secret",
      value: 100,
      reason: "A rotation creates another secret, not another version.",
    },
  ],
};

export const parameterStore: QuotaPage = {
  title:
    'AWS General Reference, "AWS Systems Manager endpoints and quotas", "Service quotas for Parameter Store"',
  services: ["AWS::SSM"],
  quotas: [
    { name: "Maximum number of parameters", value: 10_000, bound: 5, count: numberOf("AWS::SSM::Parameter") },
    { name: "Maximum size for parameter value", value: "4 KB", reason: operators },
    {
      name: "Maximum number of parameter policies per advanced parameter",
      value: 10,
      reason: reasons.unused,
    },
    { name: "Maximum number of parameter versions retained", value: 100, reason: operators },
    {
      name: "Transactions per second for GetParameter, GetParameters and GetParametersByPath",
      value: 40,
      reason: "`registration.ts` caches the parameter.",
    },
    { name: "Transactions per second for other calls", value: "2 rows", reason: operators },
  ],
};

export const certificateNames: QuotaPage = {
  title: 'AWS Certificate Manager API Reference, "RequestCertificate"',
  services: ["AWS::CertificateManager"],
  quotas: [
    {
      name: "DomainName",
      value: 64,
      bound: 64,
      count: each(certificate, ({ DomainName }) => DomainName.length),
    },
    {
      name: "SubjectAlternativeNames",
      value: 253,
      bound: 253,
      count: each(certificate, ({ SubjectAlternativeNames = [] }) => longestOf(SubjectAlternativeNames)),
    },
  ],
};

export const certificateManager: QuotaPage = {
  title: 'AWS Certificate Manager User Guide, "Quotas"',
  services: ["AWS::CertificateManager"],
  quotas: [
    { name: "Number of ACM certificates", value: 2_500, bound: 1, count: numberOf(certificate) },
    { name: "Number of ACM certificates per year", value: 5_000, bound: 1, count: numberOf(certificate) },
    { name: "Number of imported certificates", value: 2_500, reason: reasons.unused },
    { name: "Number of imported certificates per year", value: 5_000, reason: reasons.unused },
    {
      name: "Number of domain names per ACM certificate",
      value: 10,
      bound: 4,
      count: each(certificate, ({ SubjectAlternativeNames }) => 1 + lengthOf(SubjectAlternativeNames)),
    },
    { name: "Private CAs, ACME endpoints and their certificates", value: "6 rows", reason: reasons.unused },
    { name: "API rate quotas", value: "37 rows", reason: reasons.rate },
    { name: "ACME protocol request rate quotas", value: "12 rows", reason: reasons.unused },
  ],
};
