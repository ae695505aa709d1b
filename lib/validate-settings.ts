import type { IdentityProvider, Settings } from "./settings.ts";
import { operatingProblems } from "./validate-operating-settings.ts";

const known: Readonly<Record<keyof Settings, true>> = {
  baseUrl: true,
  baseDomain: true,
  certificateArn: true,
  alarmEmail: true,
  costAnomalyDollars: true,
  identityProvider: true,
  ingest: true,
  originSecrets: true,
  orphanDelaySeconds: true,
  stage: true,
  stackName: true,
  tracing: true,
};

/** Well above the 28 seconds that a function has for storing an object and committing the row that points at it. */
const orphanDelaySecondsMin = 60;

/** The longest that a queue delays a message; Amazon SQS developer guide, "Amazon SQS delay queues". */
export const orphanDelaySecondsMax = 900;

/**
 * Checks settings as an operator wrote them, before anything is built of them.
 *
 * @throws Error with a line for each setting that is wrong: what came, and what to write instead
 */
export function validateSettings(settings: Settings): void {
  const problems = [
    ...unknownSettings(settings),
    ...baseUrlProblems(settings),
    ...baseDomainProblems(settings),
    ...certificateProblems(settings),
    ...identityProviderProblems(settings.identityProvider),
    ...ingestProblems(settings),
    ...orphanDelayProblems(settings),
    ...stageProblems(settings),
    ...stackNameProblems(settings),
    ...operatingProblems(settings),
  ];
  if (problems.length > 0) throw new Error(`settings.ts: ${problems.join("\nsettings.ts: ")}`);
}

function unknownSettings(settings: Settings): string[] {
  return Object.keys(settings)
    .filter((name) => !Object.hasOwn(known, name))
    .map((name) => `there is no setting ${quote(name)}; the settings are ${Object.keys(known).join(", ")}`);
}

function baseUrlProblems({ baseUrl }: Settings): string[] {
  if (baseUrl === undefined) return [];
  const instead = `baseUrl is ${quote(baseUrl)}: write scheme and host only, such as "https://drops.example.com"`;
  const url = parseUrl(baseUrl);
  // The origin has no path, no credentials, no default port and a lower-case host.
  if (url === undefined || url.origin !== baseUrl) return [instead];
  if (url.protocol === "https:" || isThisMachine(url.hostname)) return [];
  return [`baseUrl is ${quote(baseUrl)}: write https; http is for localhost only`];
}

function baseDomainProblems({ baseDomain, baseUrl }: Settings): string[] {
  if (baseDomain === undefined) return [];
  const host = parseUrl(`https://${baseDomain}`)?.host;
  return [
    ...(host === baseDomain
      ? []
      : [`baseDomain is ${quote(baseDomain)}: write a lower-case domain only, such as "drops.example.com"`]),
    ...(baseUrl === undefined
      ? ['baseDomain is set and baseUrl is not: write baseUrl too, such as "https://drops.example.com"']
      : []),
  ];
}

function certificateProblems({ certificateArn, baseUrl }: Settings): string[] {
  if (certificateArn === undefined) return [];
  const isUsable = /^arn:aws[a-z-]*:acm:us-east-1:\d{12}:certificate\/[\w-]+$/.test(String(certificateArn));
  return [
    ...(isUsable
      ? []
      : [
          `certificateArn is ${quote(certificateArn)}: CloudFront takes certificates of us-east-1 only, ` +
            'such as "arn:aws:acm:us-east-1:111122223333:certificate/…"',
        ]),
    ...(baseUrl !== undefined && parseUrl(baseUrl)?.protocol === "https:"
      ? []
      : [
          'certificateArn is set without an https baseUrl: write baseUrl too, such as "https://drops.example.com"',
        ]),
  ];
}

function identityProviderProblems(provider: IdentityProvider | undefined): string[] {
  if (provider === undefined || provider === "github") return [];
  const kind = provider?.kind;
  if (kind === "oidc") return addressProblems(provider, ["issuer"]);
  if (kind === "oauth2") {
    return [
      ...addressProblems(provider, ["authorizationEndpoint", "tokenEndpoint", "userinfoEndpoint"]),
      ...(typeof provider.scope === "string"
        ? []
        : ['identityProvider.scope is missing: write a text such as "profile"']),
      ...(provider.fields?.id && provider.fields.username
        ? []
        : ['identityProvider.fields is incomplete: write such as { id: "id", username: "login" }']),
    ];
  }
  return [
    `identityProvider is ${quote(provider)}: write "github", { kind: "oidc", issuer: "https://…" }, ` +
      'or { kind: "oauth2", … } with its endpoints, scope and fields',
  ];
}

function addressProblems<Name extends string>(
  addresses: { readonly [name in Name]: string },
  names: Name[],
): string[] {
  return names.flatMap((name) => {
    const url = parseUrl(addresses[name]);
    if (url?.protocol === "https:" || (url?.protocol === "http:" && isThisMachine(url.hostname))) return [];
    return [
      `identityProvider.${name} is ${quote(addresses[name])}: write an https address such as "https://id.example.com"`,
    ];
  });
}

function orphanDelayProblems({ orphanDelaySeconds: seconds }: Settings): string[] {
  if (seconds === undefined) return [];
  const isUsable =
    Number.isInteger(seconds) && seconds >= orphanDelaySecondsMin && seconds <= orphanDelaySecondsMax;
  if (isUsable) return [];
  return [
    `orphanDelaySeconds is ${quote(seconds)}: write a whole number from ${orphanDelaySecondsMin} to ${orphanDelaySecondsMax}`,
  ];
}

function ingestProblems({ ingest }: Settings): string[] {
  if (ingest === undefined || ["webfunction", "fargate", "none"].includes(ingest)) return [];
  return [`ingest is ${quote(ingest)}: write "webfunction", "fargate" or "none"`];
}

function stageProblems({ stage }: Settings): string[] {
  if (stage === undefined || stage === "production" || stage === "throwaway") return [];
  return [`stage is ${quote(stage)}: write "production" or "throwaway"`];
}

function stackNameProblems({ stackName }: Settings): string[] {
  if (stackName === undefined || /^[A-Za-z][A-Za-z0-9-]{0,127}$/.test(stackName)) return [];
  return [
    `stackName is ${quote(stackName)}: write a letter, then up to 127 letters, digits and dashes, such as "Dropleaf"`,
  ];
}

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

function isThisMachine(hostname: string): boolean {
  return hostname === "localhost" || hostname.endsWith(".localhost") || hostname === "127.0.0.1";
}

function quote(value: unknown): string {
  return JSON.stringify(value) ?? String(value);
}
