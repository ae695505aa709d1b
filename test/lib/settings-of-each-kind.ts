import { eventKinds } from "../../functions/events/event.ts";
import { webhookLimits } from "../../functions/events/webhook.ts";
import { stackNameLengthMax } from "../../lib/settings/operating-settings.ts";
import type { Settings } from "../../lib/settings.ts";

const domain: Settings = {
  baseUrl: "https://drops.example.com",
  hostedZone: { id: "Z0123456789ABCDEFGHIJ", name: "example.com" },
};

const certificateArn = "arn:aws:acm:us-east-1:111122223333:certificate/12345678-1234-1234-1234-123456789012";

/** A Region that has every resource type of a stack. The template validator knows the types of each Region. */
export const otherRegion = "eu-central-1";

/** Returns a URL of this length with a distinct end. */
function addressOf(length: number, end: string): string {
  const start = "https://hooks.example.com/";
  return `${start}${"a".repeat(length - start.length - end.length)}${end}`;
}

/** Settings with texts and lists of the maximum length. */
const longestSettings: Settings = {
  baseUrl: `https://${"drops".padEnd(46, "s")}.pages.example.com`,
  hostedZone: { id: `Z${"0".repeat(31)}`, name: "pages.example.com" },
  baseDomain: `${"a".repeat(63)}.${"b".repeat(63)}.${"c".repeat(48)}.example.page`,
  baseDomainHostedZone: { id: `Z${"9".repeat(31)}`, name: "example.page" },
  stackName: "S".repeat(stackNameLengthMax),
  identityProvider: {
    kind: "oidc",
    issuer: "https://login.microsoftonline.com/12345678-1234-1234-1234-123456789012/v2.0",
    scope: "openid profile email offline_access GroupMember.Read.All",
    fields: {
      id: "oid",
      username: "preferred_username",
      groups: "groups",
      verifiedEmail: "preferred_username",
    },
  },
  enterpriseAuthorization: {
    issuer: "https://login.microsoftonline.com/12345678-1234-1234-1234-123456789012/v2.0",
  },
  githubActions: {
    repositories: Array.from({ length: 20 }, (_, index) => ({
      repository: `octo-org/${"r".repeat(12)}-${10 + index}`,
      repositoryId: 900_000_000 + index,
    })),
  },
  members: {
    emailDomains: Array.from({ length: 12 }, (_, index) => `team-${index}.example.com`),
    groups: Array.from({ length: 12 }, (_, index) => `12345678-1234-1234-1234-1234567890${10 + index}`),
  },
  webhooks: Array.from({ length: webhookLimits.endpointsMax }, (_, index) => ({
    url: addressOf(webhookLimits.urlCharactersMax, String(index)),
    // A list of all kinds is left out of a function's environment, so this list lacks one.
    events: eventKinds.filter((kind) => kind !== "drop.deleted"),
  })),
  embedding: {
    origins: Array.from({ length: 10 }, (_, index) => `https://team-${index}.example.com`),
  },
  alarmEmail: `${"o".repeat(60)}@${"m".repeat(60)}.example.com`,
  accessRequests: true,
  administrators: Array.from(
    { length: 10 },
    (_, index) => `group:12345678-1234-1234-1234-1234567890${10 + index}`,
  ),
  answerDays: 3_650,
  answers: false,
  auditDays: 3_650,
  auditEvents: true,
  concurrentExecutions: 1_000_000,
  costAnomalyDollars: 1_000_000,
  dashboard: true,
  defaultExpiryDays: 3_650,
  defaultVisibility: "public",
  ingest: "webfunction",
  keepVersions: 200,
  keepWarm: 60,
  maxExpiryDays: 3_650,
  monthlyBudgetDollars: 1_000_000,
  mostOpenVisibility: "public",
  originSecrets: { sent: 1_000, accepted: [1, 1_000] },
  pageBytesMax: 1_000_000_000_000,
  readTrail: true,
  readerSessionHours: 720,
  renderConcurrency: 10,
  scim: { match: "externalId", claim: "preferred_username" },
  secretScan: "refuse",
  slack: true,
  securityContact: `mailto:${"s".repeat(181)}@example.com`,
  tokenDaysMax: 3_650,
  tokensPerAccountMax: 100,
  trashDays: 365,
  tracing: true,
  visitorConcurrencyMax: 300,
  waf: { requestsPer5MinutesPerAddress: 2_000_000_000 },
};

/** Settings for every difference in provisioning, with a name each. */
export const settingsOfEachKind: readonly (readonly [what: string, settings: Settings])[] = [
  ["no setting", {}],
  [
    "all production features",
    {
      ...domain,
      baseDomain: "example.page",
      baseDomainHostedZone: { id: "Z9876543210ABCDEFGHIJ", name: "example.page" },
      identityProvider: {
        kind: "oidc",
        issuer: "https://id.example.com",
        fields: { groups: "groups", verifiedEmail: "preferred_username" },
      },
      enterpriseAuthorization: { issuer: "https://id.example.com" },
      githubActions: {
        repositories: [
          { repository: "octo-org/octo-repo", repositoryId: 74, branches: ["main"], workflow: "preview.yml" },
        ],
      },
      stage: "production",
      alarmEmail: "operators@example.com",
      administrators: ["ada@example.com", "group:platform"],
      answerDays: 30,
      auditDays: 30,
      auditEvents: true,
      costAnomalyDollars: 20,
      members: { emailDomains: ["example.com"], groups: ["publishers"] },
      monthlyBudgetDollars: 50,
      dashboard: true,
      defaultExpiryDays: 30,
      maxExpiryDays: 365,
      pageBytesMax: 2_097_152,
      readTrail: true,
      secretScan: "refuse",
      readerSessionHours: 8,
      renders: true,
      renderConcurrency: 4,
      requestsPerDayMax: 1_000_000_000,
      scim: { match: "externalId", claim: "sub" },
      securityContact: "mailto:security@example.com",
      ingest: { requestsPerSecondMax: 200 },
      keepVersions: 20,
      keepWarm: 10,
      tracing: true,
      originSecrets: { sent: 1, accepted: [1, 2] },
      stackName: "Drops",
      teams: { creation: "members", leavers: ["@example.com", "group:people-team"] },
      tokenDaysMax: 30,
      tokensPerAccountMax: 50,
      visitorConcurrencyMax: 300,
      waf: { requestsPer5MinutesPerAddress: 1_000 },
      webhooks: [{ url: "https://hooks.example.com/dropleaf", events: ["drop.published"] }],
    },
  ],
  [
    "a certificate and no zone",
    {
      baseUrl: "https://drops.example.com",
      certificateArn,
    },
  ],
  [
    "the maximum number of resources",
    {
      ...domain,
      alarmEmail: "operators@example.com",
      backupVaultArn: "arn:aws:backup:eu-west-1:111122223333:backup-vault:dropleaf",
      concurrentExecutions: 1_000,
      costAnomalyDollars: 20,
      monthlyBudgetDollars: 50,
      dashboard: true,
      keepWarm: true,
      originSecrets: { sent: 1, accepted: [1, 2] },
      tracing: true,
      visitorConcurrencyMax: 300,
      waf: true,
      webhooks: [{ url: "https://hooks.example.com/dropleaf" }],
    },
  ],
  // These settings are independent of each other.
  [
    "another region, for a throwaway stage without rendering",
    { region: otherRegion, stage: "throwaway", renders: false, ingest: "none" },
  ],
  ["the longest settings", longestSettings],
  [
    "another region, with all its features",
    {
      region: otherRegion,
      baseUrl: "https://drops.example.com",
      certificateArn,
      alarmEmail: "operators@example.com",
      backupVaultArn: "arn:aws:backup:eu-west-1:111122223333:backup-vault:dropleaf",
      costAnomalyDollars: 20,
      dashboard: true,
      ingest: "webfunction",
      keepWarm: true,
      monthlyBudgetDollars: 50,
      tracing: true,
    },
  ],
  ["a given certificate and a zone", { ...domain, certificateArn }],
  ["an ingest server and no domain", { ingest: "webfunction" }],
  [
    "neither rendering nor an ingest server",
    { renders: false, ingest: "none", keepVersions: 5, tracing: true },
  ],
  [
    "sign-in at GitHub, with organizations",
    { members: { githubOrganizations: ["example-inc", "example-labs"] }, waf: false },
  ],
  [
    "an OAuth 2.0 provider without a discovery document",
    {
      identityProvider: {
        kind: "oauth2",
        authorizationEndpoint: "https://github.example.com/login/oauth/authorize",
        tokenEndpoint: "https://github.example.com/login/oauth/access_token",
        userinfoEndpoint: "https://github.example.com/api/v3/user",
        emailsEndpoint: "https://github.example.com/api/v3/user/emails",
        membershipsEndpoint: "https://github.example.com/api/v3/user/memberships/orgs",
        scope: "read:user user:email read:org",
        fields: { id: "id", username: "login" },
      },
      githubActions: {
        issuer: "https://github.example.com/_services/token",
        repositories: [{ repository: "octo-org/octo-repo", repositoryId: 74 }],
      },
      members: { githubOrganizations: ["example-inc"] },
    },
  ],
  [
    "anyone as a member, and a directory that matches user names",
    {
      identityProvider: { kind: "oidc", issuer: "https://id.example.com" },
      members: "anyone",
      scim: { match: "userName" },
    },
  ],
  [
    "a rotated secret, and functions called every minute",
    { originSecrets: { sent: 2, accepted: [2] }, keepWarm: 1 },
  ],
  [
    "a backup of a throwaway stage",
    {
      stage: "throwaway",
      backupVaultArn: "arn:aws:backup:eu-west-1:111122223333:backup-vault:dropleaf",
    },
  ],
  ["a localhost URL", { baseUrl: "http://localhost:8080" }],
];
