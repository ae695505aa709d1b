import type { IdentityFields } from "../../functions/core/environment.ts";
import type { IdentityProvider, OpenIdConnectProvider, Settings } from "../settings.ts";
import { problemsOf, quote, unknownNameProblems } from "./setting-problems.ts";
import { domainProblems, isHttpsOrThisMachine, parseUrl } from "./validate-domain-settings.ts";
import { environmentProblems } from "./validate-environment.ts";
import { githubActionsProblems } from "./validate-github-actions.ts";
import { ingestProblems } from "./validate-ingest.ts";
import { memberProblems } from "./validate-member-settings.ts";
import { operatingProblems } from "./validate-operating-settings.ts";
import { regionProblems } from "./validate-region.ts";
import { scimProblems } from "./validate-scim-settings.ts";
import { webhookProblems } from "./validate-webhook-settings.ts";

/** Every setting there is; the type makes it complete. */
export const knownSettings: Readonly<Record<keyof Settings, true>> = {
  baseUrl: true,
  backupVaultArn: true,
  baseDomain: true,
  baseDomainHostedZone: true,
  certificateArn: true,
  hostedZone: true,
  alarmEmail: true,
  auditDays: true,
  secretScan: true,
  concurrentExecutions: true,
  costAnomalyDollars: true,
  dashboard: true,
  defaultExpiryDays: true,
  defaultVisibility: true,
  enterpriseAuthorization: true,
  githubActions: true,
  identityProvider: true,
  ingest: true,
  keepVersions: true,
  keepWarm: true,
  maxExpiryDays: true,
  members: true,
  monthlyBudgetDollars: true,
  mostOpenVisibility: true,
  originSecrets: true,
  pageBytesMax: true,
  readTrail: true,
  readerSessionHours: true,
  region: true,
  renderConcurrency: true,
  renders: true,
  requestsPerDayMax: true,
  scim: true,
  securityContact: true,
  stage: true,
  stackName: true,
  tokenDaysMax: true,
  tokensPerAccountMax: true,
  tracing: true,
  trashDays: true,
  visitorConcurrencyMax: true,
  waf: true,
  webhooks: true,
};

const oauthAddresses = ["authorizationEndpoint", "tokenEndpoint", "userinfoEndpoint"] as const;
const oauthAddressesOfChoice = ["emailsEndpoint", "membershipsEndpoint"] as const;

/**
 * Checks settings as an operator wrote them, before anything is built of them.
 *
 * @param file where they are from
 * @throws Error with a line for each setting that is wrong: what came, and what to write instead
 */
export function validateSettings(settings: Settings, file = "settings.ts"): void {
  const problems = [
    ...unknownNameProblems(settings, Object.keys(knownSettings)),
    ...domainProblems(settings),
    ...identityProviderProblems(settings.identityProvider),
    ...enterpriseAuthorizationProblems(settings),
    ...githubActionsProblems(settings),
    ...ingestProblems(settings),
    ...memberProblems(settings),
    ...regionProblems(settings),
    ...scimProblems(settings),
    ...stageProblems(settings),
    ...stackNameProblems(settings),
    ...operatingProblems(settings),
    ...webhookProblems(settings),
  ];
  // Only settings that are right each by themselves can be put together.
  const left = problems.length > 0 ? problems : environmentProblems(settings);
  if (left.length > 0) throw new Error(left.map((problem) => `${file}: ${problem}`).join("\n"));
}

function identityProviderProblems(provider: IdentityProvider | undefined): string[] {
  if (provider === undefined || provider === "github") return [];
  const kind = provider?.kind;
  if (kind === "oidc") {
    return [
      ...unknownNameProblems(provider, ["kind", "issuer", "scope", "fields"], "identityProvider"),
      ...addressProblems(provider, ["issuer"]),
      ...fieldProblems(provider.fields),
      ...tenantProblems(provider),
    ];
  }
  if (kind === "oauth2") {
    return problemsOf(
      ...unknownNameProblems(
        provider,
        ["kind", ...oauthAddresses, ...oauthAddressesOfChoice, "scope", "fields"],
        "identityProvider",
      ),
      ...addressProblems(provider, oauthAddresses),
      ...addressProblems(
        provider,
        oauthAddressesOfChoice.filter((name) => provider[name] !== undefined),
      ),
      typeof provider.scope !== "string" &&
        'identityProvider.scope is missing: write a text such as "profile"',
      !(provider.fields?.id && provider.fields.username) &&
        'identityProvider.fields is incomplete: write such as { id: "id", username: "login" }',
      ...fieldProblems(provider.fields),
    );
  }
  return [
    `identityProvider is ${quote(provider)}: write "github", { kind: "oidc", issuer: "https://…" }, ` +
      'or { kind: "oauth2", … } with its endpoints, scope and fields',
  ];
}

const fieldNames = [
  "id",
  "username",
  "groups",
  "verifiedEmail",
] as const satisfies readonly (keyof IdentityFields)[];

function fieldProblems(fields: Partial<IdentityFields> | undefined): string[] {
  if (fields === undefined) return [];
  if (typeof fields !== "object" || fields === null)
    return [`identityProvider.fields is ${quote(fields)}: write such as { groups: "groups" }`];
  return [
    ...unknownNameProblems(fields, fieldNames, "identityProvider.fields"),
    ...fieldNames.flatMap((name) => {
      const claim = fields[name];
      if (claim === undefined || (typeof claim === "string" && claim.trim() !== "")) return [];
      return [`identityProvider.fields.${name} is ${quote(claim)}: write the name of a claim`];
    }),
  ];
}

/** Issuers of Microsoft Entra ID that stand for every tenant, in which anybody can choose their own user name. */
const everyTenant = /^https:\/\/login\.microsoftonline\.com\/(common|organizations|consumers)\b/;

function tenantProblems({ issuer }: OpenIdConnectProvider): string[] {
  if (typeof issuer !== "string" || !everyTenant.test(issuer)) return [];
  return [
    `identityProvider.issuer is ${quote(issuer)}, which stands for every tenant: write your own, "https://login.microsoftonline.com/<tenant id>/v2.0"`,
  ];
}

function addressProblems<Name extends string>(
  addresses: { readonly [name in Name]?: string },
  names: readonly Name[],
): string[] {
  return names.flatMap((name) => {
    if (isHttpsOrThisMachine(parseUrl(addresses[name] ?? ""))) return [];
    return [
      `identityProvider.${name} is ${quote(addresses[name])}: write an https address such as "https://id.example.com"`,
    ];
  });
}

/** The same person has one account, whether they sign in or a client acts for them: ids are unique within an issuer. */
function enterpriseAuthorizationProblems({ enterpriseAuthorization, identityProvider }: Settings): string[] {
  if (enterpriseAuthorization === undefined) return [];
  const instead = 'write such as { issuer: "https://id.example.com" }';
  if (typeof enterpriseAuthorization !== "object" || enterpriseAuthorization === null)
    return [`enterpriseAuthorization is ${quote(enterpriseAuthorization)}: ${instead}`];
  const unknown = unknownNameProblems(enterpriseAuthorization, ["issuer"], "enterpriseAuthorization");
  const { issuer } = enterpriseAuthorization;
  if (typeof issuer !== "string")
    return [...unknown, `enterpriseAuthorization.issuer is missing: ${instead}`];
  if (typeof identityProvider !== "object" || identityProvider.kind !== "oidc")
    return [
      ...unknown,
      'enterpriseAuthorization needs an OpenID Connect provider: write identityProvider { kind: "oidc", issuer: … } with the same issuer',
    ];
  if (issuer === identityProvider.issuer) return unknown;
  return [
    ...unknown,
    `enterpriseAuthorization.issuer is ${quote(issuer)}, and people sign in at ${quote(identityProvider.issuer)}: write the same issuer, so that each person has one account`,
  ];
}

function stageProblems({ stage }: Settings): string[] {
  if (stage === undefined || stage === "production" || stage === "throwaway") return [];
  return [`stage is ${quote(stage)}: write "production" or "throwaway"`];
}

/** Shorter than CloudFormation's 128: names of functions begin with it, and have 64 characters at most. */
export const stackNameLengthMax = 40;

const stackNamePattern = new RegExp(`^[A-Za-z][A-Za-z0-9-]{0,${stackNameLengthMax - 1}}$`);

function stackNameProblems({ stackName }: Settings): string[] {
  if (stackName === undefined || stackNamePattern.test(stackName)) return [];
  return [
    `stackName is ${quote(stackName)}: write a letter, then up to ${stackNameLengthMax - 1} letters, digits and dashes, such as "Dropleaf"`,
  ];
}
