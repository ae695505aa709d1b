import { describe, expect, test } from "vitest";
import { validateSettings } from "../../../lib/settings/validate-settings.ts";
import type { Settings } from "../../../lib/settings.ts";
import { settings } from "../../../settings.ts";

const longAddress = `https://id.example.com/${"a".repeat(600)}`;

const trusted = { repository: "octo-org/octo-repo", repositoryId: 74 };
const manyRepositories = Array.from({ length: 21 }, (_, index) => ({
  repository: `octo-org/repo-${index}`,
  repositoryId: index + 1,
}));

const good: Settings[] = [
  {},
  { baseUrl: "https://example.com", hostedZone: { id: "Z0123456789ABCDEFGHIJ", name: "example.com" } },
  {
    baseUrl: "https://drops.example.com",
    baseDomain: "pages.example.page",
    hostedZone: { id: "Z0123456789ABCDEFGHIJ", name: "example.com" },
    baseDomainHostedZone: { id: "Z1", name: "example.page" },
  },
  { waf: false },
  { embedding: { origins: ["https://acme.notion.site", "https://wiki.example.com:8443"] } },
  { webhooks: [] },
  { webhooks: [{ url: "https://hooks.example.com:8443/a?b=c", events: ["drop.deleted"] }] },
  { webhooks: [{ url: "https://93.184.215.14/" }] },
  { waf: { requestsPer5MinutesPerAddress: 10 } },
  { baseUrl: "http://localhost:8787", stage: "throwaway", stackName: "Dropleaf-2" },
  { identityProvider: "github" },
  { githubActions: { repositories: [trusted] } },
  { githubActions: { repositories: [{ ...trusted, pullRequests: false, branches: ["release/1.0"] }] } },
  { identityProvider: { kind: "oidc", issuer: "https://id.example.com/tenant" } },
  { identityProvider: { kind: "oidc", issuer: "http://localhost:8788" } },
  {
    identityProvider: {
      kind: "oauth2",
      authorizationEndpoint: "https://id.example.com/authorize",
      tokenEndpoint: "https://id.example.com/token",
      userinfoEndpoint: "https://id.example.com/me",
      scope: "",
      fields: { id: "id", username: "name" },
    },
  },
  {
    baseUrl: "https://drops.example.com",
    certificateArn: "arn:aws:acm:us-east-1:111122223333:certificate/12345678-1234-1234-1234-123456789012",
  },
];

const wrong: [name: string, settings: object, message: string][] = [
  [
    "no scheme",
    { baseUrl: "drops.example.com" },
    'baseUrl is "drops.example.com": use only a scheme and host',
  ],
  [
    "a trailing slash",
    { baseUrl: "https://a.example/" },
    'baseUrl is "https://a.example/": use only a scheme and host',
  ],
  [
    "a path",
    { baseUrl: "https://a.example/x" },
    'baseUrl is "https://a.example/x": use only a scheme and host',
  ],
  [
    "upper case",
    { baseUrl: "https://A.example" },
    'baseUrl is "https://A.example": use only a scheme and host',
  ],
  [
    "http on another host than localhost",
    { baseUrl: "http://a.example" },
    'baseUrl is "http://a.example": use https',
  ],
  ["a number", { baseUrl: 8787 }, "baseUrl is 8787: use only a scheme and host"],
  [
    "an http base URL and a base domain on another host, which would be a redirect loop",
    { baseUrl: "http://localhost:8787", baseDomain: "drops.test:8787" },
    'baseDomain is "drops.test:8787", and baseUrl uses http, which is only for localhost: use "localhost:8787"',
  ],
  [
    "a base domain without a base URL",
    { baseDomain: "a.example" },
    "baseDomain is set and baseUrl is not: set baseUrl too",
  ],
  [
    "a URL as base domain",
    { baseUrl: "https://a.example", baseDomain: "https://a.example" },
    'baseDomain is "https://a.example": use a lower-case domain only',
  ],
  [
    "a certificate of another region",
    { baseUrl: "https://a.example", certificateArn: "arn:aws:acm:eu-west-1:111122223333:certificate/1" },
    "CloudFront accepts only certificates from us-east-1",
  ],
  [
    "a certificate without a base URL",
    { certificateArn: "arn:aws:acm:us-east-1:111122223333:certificate/1" },
    "certificateArn is set without an https baseUrl",
  ],
  ["an unknown provider", { identityProvider: "gitlab" }, 'identityProvider is "gitlab": use "github"'],
  ["null as provider", { identityProvider: null }, 'identityProvider is null: use "github"'],
  [
    "no issuer",
    { identityProvider: { kind: "oidc" } },
    "identityProvider.issuer is missing: use an https address",
  ],
  [
    "an issuer over http",
    { identityProvider: { kind: "oidc", issuer: "http://id.example.com" } },
    'identityProvider.issuer is "http://id.example.com": use an https address',
  ],
  [
    "no endpoints",
    { identityProvider: { kind: "oauth2", scope: "x", fields: { id: "id", username: "name" } } },
    "identityProvider.tokenEndpoint is missing: use an https address",
  ],
  [
    "the issuer of all tenants of Microsoft Entra ID",
    { identityProvider: { kind: "oidc", issuer: "https://login.microsoftonline.com/common/v2.0" } },
    'which stands for every tenant: use your own, "https://login.microsoftonline.com/<tenant id>/v2.0"',
  ],
  [
    "a misspelt field",
    { identityProvider: { kind: "oidc", issuer: "https://id.example.com", fields: { group: "groups" } } },
    'there is no setting "identityProvider.fields.group"; did you mean "groups"?',
  ],
  [
    "a field that is not the name of a claim",
    { identityProvider: { kind: "oidc", issuer: "https://id.example.com", fields: { verifiedEmail: true } } },
    "identityProvider.fields.verifiedEmail is true: use the name of a claim",
  ],
  [
    "assertions with GitHub",
    { enterpriseAuthorization: { issuer: "https://id.example.com" } },
    "enterpriseAuthorization needs an OpenID Connect provider",
  ],
  [
    "assertions of another issuer",
    {
      identityProvider: { kind: "oidc", issuer: "https://id.example.com" },
      enterpriseAuthorization: { issuer: "https://id.example.net" },
    },
    'people sign in at "https://id.example.com": use the same issuer',
  ],
  [
    "assertions without an issuer",
    { identityProvider: { kind: "oidc", issuer: "https://id.example.com" }, enterpriseAuthorization: {} },
    "enterpriseAuthorization.issuer is missing: use the issuer of identityProvider",
  ],
  ["no repositories", { githubActions: {} }, "githubActions.repositories is missing: use [{ repository:"],
  [
    "a repository without its owner and number",
    { githubActions: { repositories: [{ repository: "octo-repo" }] } },
    "githubActions.repositories[0].repositoryId is missing: to get the number, run: gh api repos/octo-org/octo-repo --jq .id",
  ],
  [
    "a repository's number as text",
    { githubActions: { repositories: [{ repository: "octo-org/octo-repo", repositoryId: "74" }] } },
    'githubActions.repositories[0].repositoryId is "74"',
  ],
  [
    "a pattern as branch",
    { githubActions: { repositories: [{ ...trusted, branches: ["release/*"] }] } },
    'branches[0] is "release/*": use full branch names',
  ],
  [
    "a repository without pull requests and branches",
    { githubActions: { repositories: [{ ...trusted, pullRequests: false }] } },
    "no workflow run is trusted: set branches",
  ],
  [
    "a misspelt field of a repository",
    { githubActions: { repositories: [{ ...trusted, branch: ["main"] }] } },
    'there is no setting "githubActions.repositories[0].branch"; did you mean "branches"?',
  ],
  [
    "an empty environment",
    { githubActions: { repositories: [{ ...trusted, environment: "" }] } },
    'environment is "": use the name of an environment',
  ],
  [
    "the path of a workflow",
    { githubActions: { repositories: [{ ...trusted, workflow: ".github/workflows/preview.yml" }] } },
    "use the name of a file in .github/workflows",
  ],
  [
    "a repository twice",
    { githubActions: { repositories: [trusted, { ...trusted, repository: "Octo-Org/octo-repo" }] } },
    'githubActions.repositories has "octo-org/octo-repo" twice',
  ],
  [
    "too many repositories",
    { githubActions: { repositories: manyRepositories } },
    "githubActions has 21 repositories: use at most 20",
  ],
  [
    "a workflow issuer over http",
    { githubActions: { issuer: "http://github.example.com", repositories: [trusted] } },
    'githubActions.issuer is "http://github.example.com": use an https address',
  ],
  ["an unknown stage", { stage: "test" }, 'stage is "test": use "production" or "throwaway"'],
  ["a name with a space", { stackName: "My stack" }, 'stackName is "My stack": use a letter'],
  [
    "a misspelt name",
    { baseURL: "https://a.example" },
    'there is no setting "baseURL"; did you mean "baseUrl"?',
  ],
  ["an unknown name", { zone: "example.com" }, 'there is no setting "zone"; the settings are baseUrl,'],
  [
    "an invalid region",
    { region: "Frankfurt" },
    'region is "Frankfurt": use an AWS Region such as "eu-central-1"',
  ],
  ["another partition's region", { region: "cn-north-1" }, 'region is "cn-north-1": use an AWS Region'],
  [
    "a domain outside us-east-1 without a certificate",
    {
      region: "eu-central-1",
      baseUrl: "https://drops.example.com",
      hostedZone: { id: "Z0123456789ABCDEFGHIJ", name: "example.com" },
    },
    'region is "eu-central-1", and CloudFront accepts only certificates from us-east-1: create a certificate there',
  ],
  [
    "a firewall outside us-east-1",
    { region: "eu-central-1", waf: true },
    'region is "eu-central-1", and firewalls for CloudFront exist only in us-east-1: leave out waf',
  ],
  [
    "an unknown kind of ingest server",
    { ingest: "fargate" as "none" },
    'ingest is "fargate": use "webfunction", "none" or a value such as { requestsPerSecondMax: 200 }',
  ],
  [
    "a rate that Lambda does not have",
    { ingest: { requestsPerSecondMax: 1_500 } },
    "ingest.requestsPerSecondMax is 1500: use 100 to 1000 in steps of 100, or 2000 to 10000 in steps of 1000",
  ],
  [
    "a rate of 0",
    { ingest: { requestsPerSecondMax: 0 } },
    "ingest.requestsPerSecondMax is 0: use 100 to 1000 in steps of 100",
  ],
  [
    "an ingest server without a rate",
    { ingest: {} as { requestsPerSecondMax: number } },
    "ingest.requestsPerSecondMax is missing: use 100 to 1000 in steps of 100",
  ],
  [
    "a misspelt name beside the rate",
    { ingest: { requestsPerSecondMax: 200, maxEnvironments: 2 } as { requestsPerSecondMax: number } },
    'there is no setting "ingest.maxEnvironments"',
  ],
  [
    "a misspelt name inside a setting",
    { identityProvider: { kind: "oidc", issuer: "https://id.example.com", scopes: "openid" } },
    'there is no setting "identityProvider.scopes"; did you mean "scope"?',
  ],
  [
    "an unknown name inside a setting",
    { waf: { requestsPer5MinutesPerAddress: 100, countries: [] } },
    'there is no setting "waf.countries"; waf takes requestsPer5MinutesPerAddress',
  ],
  ["a limit below the minimum", { waf: { requestsPer5MinutesPerAddress: 9 } }, "from 10 to 2000000000"],
  ["embedding without origins", { embedding: {} }, "embedding.origins is missing: use a list"],
  [
    "embedding with no origins",
    { embedding: { origins: [] } },
    "embedding.origins is []: leave embedding out",
  ],
  [
    "embedding as text",
    { embedding: "https://a.example" },
    'embedding is "https://a.example": use a value such as { origins:',
  ],
  ...[
    "http://a.example",
    "https://*.a.example",
    "a.example",
    "*",
    "'self'",
    "https://a.example; script-src *",
    "https://[2001:db8::1]",
  ].map((origin): (typeof wrong)[number] => [
    `the origin ${origin}`,
    { embedding: { origins: ["https://b.example", origin] } },
    `embedding.origins[1] is ${JSON.stringify(origin)}: use an https origin such as "https://acme.notion.site", without a path or wildcard`,
  ]),
  ...["https://a.example/", "https://a.example/wiki?x#y", "https://A.example", "https://a.example:443"].map(
    (origin): (typeof wrong)[number] => [
      `the URL ${origin} instead of its origin`,
      { embedding: { origins: [origin] } },
      `embedding.origins[0] is ${JSON.stringify(origin)}: write it as "https://a.example"`,
    ],
  ),
  [
    "an origin with a password",
    { embedding: { origins: ["https://u:secret@a.example"] } },
    "embedding.origins[0] contains a user name or password: remove it",
  ],
  [
    "an origin twice",
    { embedding: { origins: ["https://a.example", "https://a.example"] } },
    'embedding.origins has "https://a.example" twice: list it once',
  ],
  [
    "too many origins",
    { embedding: { origins: Array.from({ length: 21 }, (_, index) => `https://a${index}.example`) } },
    "embedding.origins has 21 origins: use at most 20",
  ],
  [
    "origins that exceed a function's environment",
    {
      embedding: {
        origins: Array.from(
          { length: 20 },
          (_, index) => `https://${"a".repeat(60)}.${"b".repeat(60)}.${"c".repeat(60)}.${index}.example`,
        ),
      },
    },
    "members and embedding would take",
  ],
  ["webhooks as text", { webhooks: "https://a.example/" }, 'webhooks is "https://a.example/": use a list'],
  ["a webhook that is a URL", { webhooks: ["https://a.example/"] }, 'webhooks[0] is "https://a.example/"'],
  ["a webhook without a URL", { webhooks: [{}] }, "webhooks[0].url is missing: use an https address"],
  [
    "too many webhooks",
    { webhooks: Array.from({ length: 6 }, (_, index) => ({ url: `https://a.example/${index}` })) },
    "webhooks has 6 addresses: use at most 5",
  ],
  [
    "a webhook twice",
    { webhooks: [{ url: "https://a.example/" }, { url: "https://a.example/" }] },
    'webhooks has "https://a.example/" twice',
  ],
  [
    "a webhook without TLS",
    { webhooks: [{ url: "http://a.example/" }] },
    'webhooks[0].url is "http://a.example/"',
  ],
  [
    "a webhook with a password",
    { webhooks: [{ url: "https://u:p@a.example/" }] },
    "contains a user name or password: remove it",
  ],
  ["a webhook with a fragment", { webhooks: [{ url: "https://a.example/#b" }] }, "leave out the #"],
  [
    "a webhook with a long URL",
    { webhooks: [{ url: `https://a.example/${"x".repeat(400)}` }] },
    "use at most 400 characters",
  ],
  ...[
    "127.0.0.1",
    "10.0.0.1",
    "169.254.169.254",
    "[::1]",
    "[fd00::1]",
    "localhost",
    "a.localhost",
    "intranet",
    "0x7f.1",
  ].map((host): [string, object, string] => [
    `a webhook at ${host}`,
    { webhooks: [{ url: `https://${host}/` }] },
    "which is not on the public internet",
  ]),
  [
    "a webhook URL that is not normalized",
    { webhooks: [{ url: "https://A.example" }] },
    'webhooks[0].url is "https://A.example": write it as "https://a.example/"',
  ],
  [
    "an unknown event",
    { webhooks: [{ url: "https://a.example/", events: ["drop.eaten"] }] },
    'webhooks[0].events[0] is "drop.eaten": choose one of "drop.published", "drop.updated"',
  ],
  [
    "an empty list of events",
    { webhooks: [{ url: "https://a.example/", events: [] }] },
    "webhooks[0].events is []: leave it out for all events",
  ],
  [
    "an unknown name in a webhook",
    { webhooks: [{ url: "https://a.example/", secret: "s" }] },
    'there is no setting "webhooks[0].secret"',
  ],
  ["a firewall as text", { waf: "yes" }, 'waf is "yes": use true, false or a value such as'],
  ["requests for access as text", { accessRequests: "on" }, 'accessRequests is "on": use true or false'],
  ["answers as text", { answers: "off" }, 'answers is "off": use true or false'],
  ["answers for 0 days", { answerDays: 0 }, "answerDays is 0: use a whole number of days from 1 to 3650"],
  ["an audit trail of 0 days", { auditDays: 0 }, "auditDays is 0: use a whole number of days from 1 to 3650"],
  ["an audit trail of half a day", { auditDays: 400.5 }, "auditDays is 400.5: use a whole number"],
  ["an audit trail above the maximum", { auditDays: 3_651 }, "auditDays is 3651: use a whole number"],
  [
    "a default expiry of 0 days",
    { defaultExpiryDays: 0 },
    "defaultExpiryDays is 0: use a whole number of days",
  ],
  ["a maximum expiry of eleven years", { maxExpiryDays: 4_000 }, "maxExpiryDays is 4000: use a whole"],
  [
    "a default expiry above the maximum",
    { defaultExpiryDays: 31, maxExpiryDays: 30 },
    "defaultExpiryDays is 31, which is more than maxExpiryDays, 30: use 30 or less",
  ],
  ["a scan that only logs", { secretScan: "log" }, 'secretScan is "log": use "off" or "warn" or "refuse"'],
  ["0 kept versions", { keepVersions: 0 }, "keepVersions is 0: use a whole number of versions from 1 to 200"],
  [
    "audit events of chosen actions",
    { auditEvents: ["takedown"] },
    'auditEvents is ["takedown"]: use true or false',
  ],
  [
    "teams by anyone",
    { teams: "anyone" },
    'teams is "anyone": use "operator", "members", or a value such as { creation:',
  ],
  [
    "teams created by anyone",
    { teams: { creation: "anyone" } },
    'teams.creation is "anyone": use "operator" or "members"',
  ],
  [
    "leavers moved by everyone",
    { teams: { leavers: ["everyone"] } },
    'teams.leavers is ["everyone"]: use a list of readers, such as ["group:people-team"]',
  ],
  ["a read trail as a number of days", { readTrail: 30 }, "readTrail is 30: use true or false"],
  [
    "a reader's session of 0 hours",
    { readerSessionHours: 0 },
    "readerSessionHours is 0: use a whole number of hours from 1 to 720",
  ],
  ["SCIM as text", { scim: "userName" }, 'scim is "userName": use a value such as { match:'],
  ["SCIM by another attribute", { scim: { match: "email" } }, 'scim.match is "email": use "userName" or'],
  ["SCIM by externalId without a claim", { scim: { match: "externalId" } }, "scim.claim is missing"],
  [
    "SCIM with an empty claim",
    { scim: { match: "userName", claim: " " } },
    'scim.claim is " ": use the name',
  ],
  ["a reader's session above the maximum", { readerSessionHours: 721 }, "readerSessionHours is 721: use"],
  [
    "a reader's session of half an hour",
    { readerSessionHours: 0.5 },
    "readerSessionHours is 0.5: use a whole number",
  ],
  ["0 tokens", { tokensPerAccountMax: 0 }, "tokensPerAccountMax is 0: use a whole number from 1 to 100"],
  ["too many tokens", { tokensPerAccountMax: 101 }, "tokensPerAccountMax is 101: use"],
  [
    "a page limit below one page's maximum",
    { pageBytesMax: 2_097_151 },
    "pageBytesMax is 2097151: use a whole number of bytes from 2097152, such as 10737418240",
  ],
  [
    "a page limit as text",
    { pageBytesMax: "10 GiB" },
    'pageBytesMax is "10 GiB": use a whole number of bytes',
  ],
  [
    "an unknown visibility",
    { mostOpenVisibility: "private" },
    'mostOpenVisibility is "private": use "public" or "unlisted" or "members" or "people"',
  ],
  [
    "a default visibility above the allowed one",
    { defaultVisibility: "unlisted", mostOpenVisibility: "members" },
    'defaultVisibility is "unlisted", which is more open than mostOpenVisibility, "members": leave it out',
  ],
  [
    "a visitor concurrency of 0",
    { visitorConcurrencyMax: 0 },
    "visitorConcurrencyMax is 0: use a whole number",
  ],
  [
    "a render concurrency of 0",
    { renderConcurrency: 0 },
    "renderConcurrency is 0: use a whole number from 1 to 10",
  ],
  [
    "a render concurrency above the maximum",
    { renderConcurrency: 11 },
    "renderConcurrency is 11: use a whole number",
  ],
  [
    "a base URL with a port",
    { baseUrl: "https://a.example:8443", hostedZone: { id: "Z1", name: "a.example" } },
    'baseUrl is "https://a.example:8443": leave out the port',
  ],
  [
    "neither zone nor certificate",
    { baseUrl: "https://a.example" },
    'baseUrl is "https://a.example", which has no certificate: set hostedZone, such as { id:',
  ],
  [
    "a zone's name as text",
    { baseUrl: "https://a.example", hostedZone: "a.example" },
    'hostedZone is "a.example": use the id and name of a zone, such as { id:',
  ],
  [
    "a zone without an id",
    { baseUrl: "https://a.example", hostedZone: { name: "a.example" } },
    "hostedZone.id is missing: use the id of a zone",
  ],
  [
    "a zone without a base URL",
    { hostedZone: { id: "Z1", name: "a.example" } },
    "hostedZone is set without an https baseUrl: set baseUrl too",
  ],
  [
    "a zone that does not contain the host",
    { baseUrl: "https://drops.example.com", hostedZone: { id: "Z1", name: "ample.com" } },
    'hostedZone is "ample.com", which does not contain drops.example.com: use the zone that contains it',
  ],
  [
    "a base domain outside the zone",
    {
      baseUrl: "https://drops.example.com",
      baseDomain: "example.page",
      hostedZone: { id: "Z1", name: "example.com" },
    },
    'baseDomain is "example.page", which is not in "example.com": set baseDomainHostedZone to the zone that contains it',
  ],
  [
    "a host that is too long for a certificate",
    { baseUrl: `https://${"a".repeat(53)}.example.com`, hostedZone: { id: "Z1", name: "example.com" } },
    "whose host has 65 characters: use a host with at most 64 characters",
  ],
  [
    "a base domain that is too long for owners' hosts",
    {
      baseUrl: "https://drops.example.com",
      baseDomain: `${`${"a".repeat(59)}.`.repeat(3)}example.com`,
      hostedZone: { id: "Z1", name: "example.com" },
    },
    "which has 191 characters: use a domain with at most 189",
  ],
  [
    "a contact that is too long",
    { securityContact: `https://example.com/${"a".repeat(181)}` },
    "with at most 200 characters",
  ],
  [
    "members and workflows that together exceed a function's environment",
    {
      identityProvider: { kind: "oidc", issuer: longAddress },
      enterpriseAuthorization: { issuer: longAddress },
      members: { emailDomains: Array.from({ length: 60 }, (_, index) => `team-${index}.example.com`) },
      githubActions: {
        repositories: Array.from({ length: 20 }, (_, index) => ({
          repository: `octo-org/${"r".repeat(15)}-${10 + index}`,
          repositoryId: 900_000_000 + index,
        })),
      },
    },
    "members, githubActions and enterpriseAuthorization would take",
  ],
  [
    "a provider that exceeds a function's environment",
    { identityProvider: { kind: "oidc", issuer: `https://id.example.com/${"a".repeat(3_500)}` } },
    "members and identityProvider would take",
  ],
];

describe("settings", () => {
  test.each(good)("%j are accepted", (given) => {
    expect(() => validateSettings(given)).not.toThrow();
  });

  test.each(wrong)("with %s are refused with the right usage", (_, given, message) => {
    expect(() => validateSettings(given as Settings)).toThrow(message);
  });

  test("report all mistakes together", () => {
    const given = { baseUrl: "x", stage: "y" } as unknown as Settings;

    expect(() => validateSettings(given)).toThrow(/settings\.ts: baseUrl[^\n]*\nsettings\.ts: stage/);
  });

  test("of a fresh checkout are empty", () => {
    expect(settings).toEqual({});
  });
});
