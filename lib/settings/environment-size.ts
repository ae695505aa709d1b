import type { Settings } from "../settings.ts";
import { completeIdentityProvider } from "./identity-provider-preset.ts";
import { quote } from "./setting-kinds.ts";

/**
 * Maximum number of bytes that the settings for sign-in and embedding use in a function's environment. Lambda limits an environment to 4
 * KB, and the rest is reserved for variable names and resource names. Webhooks have their own limit, because other functions receive them.
 * See "Lambda quotas", AWS Lambda developer guide.
 */
const bytesMax = 3_500;

/** Finds settings that together do not fit into a function's environment. Returns a line for each combination. */
export function environmentProblems(settings: Settings): string[] {
  const { baseDomain, baseUrl, embedding, enterpriseAuthorization, githubActions, members, securityContact } =
    settings;
  const identityProvider = completeIdentityProvider(settings.identityProvider, members, settings.scim);
  const max = bytesMax - bytesOf([baseUrl, baseDomain, securityContact]);
  const atTokens = bytesOf([members, githubActions, enterpriseAuthorization && identityProvider].map(asJson));
  const atSignIn = bytesOf([members, identityProvider].map(asJson));
  const atViewer = bytesOf([members, embedding].map(asJson));
  return [
    ...problemsOver(atTokens, max, "members, githubActions and enterpriseAuthorization"),
    ...(atTokens > max ? [] : problemsOver(atSignIn, max, "members and identityProvider")),
    ...(atTokens > max || embedding === undefined
      ? []
      : problemsOver(atViewer, max, "members and embedding")),
  ];
}

function problemsOver(bytes: number, max: number, names: string): string[] {
  if (bytes <= max) return [];
  return [
    `${names} would take ${bytes} bytes of a function's environment: shorten them to ${max} bytes with fewer entries or shorter addresses`,
  ];
}

function asJson(value: unknown): string | undefined {
  return value === undefined ? undefined : quote(value);
}

/** Returns the number of bytes that the strings take in the JSON of a function's environment. */
function bytesOf(texts: readonly (string | undefined)[]): number {
  return texts.reduce((sum, text) => sum + (text === undefined ? 0 : Buffer.byteLength(quote(text))), 0);
}
