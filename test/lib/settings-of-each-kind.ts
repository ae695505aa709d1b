import type { Settings } from "../../lib/settings.ts";

const domain: Settings = {
  baseUrl: "https://drops.example.com",
  hostedZone: { id: "Z0123456789ABCDEFGHIJ", name: "example.com" },
};

/** Settings of everything whose provisioning differs, by what is special about them. */
export const settingsOfEachKind: readonly (readonly [what: string, settings: Settings])[] = [
  ["no setting", {}],
  [
    "everything that production may have",
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
      auditDays: 30,
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
      tokenDaysMax: 30,
      tokensPerAccountMax: 50,
      visitorConcurrencyMax: 300,
      waf: { requestsPer5MinutesPerAddress: 1_000 },
      webhooks: [{ url: "https://hooks.example.com/dropleaf", events: ["drop.published"] }],
    },
  ],
  [
    "a certificate from elsewhere",
    {
      baseUrl: "https://drops.example.com",
      certificateArn: "arn:aws:acm:us-east-1:111122223333:certificate/12345678-1234-1234-1234-123456789012",
    },
  ],
  [
    "the most resources that settings can make",
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
  ["a pricing plan", { pricingPlan: "free" }],
  // What these change is apart from each other.
  [
    "another region, for a throw-away stage without renders",
    { region: "eu-central-1", stage: "throwaway", renders: false, ingest: "none" },
  ],
];
