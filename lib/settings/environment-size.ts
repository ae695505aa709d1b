import type { Settings } from "../settings.ts";
import { completeIdentityProvider } from "./identity-provider-preset.ts";
import { quote } from "./setting-kinds.ts";

/**
 * Bytes of a function's environment for settings about sign-in and frames; AWS Lambda developer guide, "Lambda quotas": 4 KB in all. The rest is for
 * names of variables and of the stack's resources. Webhooks are in other functions, and have limits of their own.
 */
const bytesMax = 3_500;

/** Refuses settings that together do not fit into a function's environment: a line for each. */
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
    `${names} would take ${bytes} bytes of a function's environment: shorten them to ${max}, by fewer entries or shorter addresses`,
  ];
}

function asJson(value: unknown): string | undefined {
  return value === undefined ? undefined : quote(value);
}

/** Bytes of texts in the JSON of an environment. */
function bytesOf(texts: readonly (string | undefined)[]): number {
  return texts.reduce((sum, text) => sum + (text === undefined ? 0 : Buffer.byteLength(quote(text))), 0);
}
