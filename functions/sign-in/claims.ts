import { emailsMax, groupCharactersMax, groupsMax, type Identity } from "../accounts/identity.ts";
import { parseEmailAddress } from "../platform/email-address.ts";
import type { IdentityProviderSettings } from "../platform/environment.ts";
import { writeLog } from "../platform/log.ts";

/** OpenID Connect Core 1.0, section 2: no `sub` is longer. */
const idCharactersMax = 255;

/** More of a user name is neither shown nor kept. */
const usernameCharactersMax = 255;

/** What a provider says of somebody in one place: the userinfo response, or the ID token. */
export type Claims = Readonly<Record<string, unknown>>;

/** What GitHub says in places of their own. */
export interface GitHubFacts {
  /** Verified addresses, as they came. */
  readonly emails: readonly string[];
  /** Of the organizations that were asked for. */
  readonly organizations: readonly string[];
}

/**
 * Who has signed in, by all that the provider says of them; where it says something twice, by what comes first.
 *
 * @throws Error when there is no id that could be one
 */
export function toIdentity(
  settings: IdentityProviderSettings,
  sources: readonly Claims[],
  { emails, organizations }: GitHubFacts = { emails: [], organizations: [] },
): Identity {
  const { groupsClaim } = settings;
  const organizationsClaim = settings.kind === "oidc" ? settings.organizationsClaim : undefined;
  return {
    provider: settings.kind === "oidc" ? settings.issuer : new URL(settings.authorizationEndpoint).origin,
    id: readId(findClaim(sources, settings.fields.id), settings.fields.id),
    username: readUsername(findClaim(sources, settings.fields.username)),
    emails: readEmails([...sources.flatMap(verifiedEmail), ...emails]),
    groups: groupsClaim === undefined ? [] : readGroups(findClaim(sources, groupsClaim)),
    organizations:
      organizationsClaim === undefined
        ? organizations
        : readGroups(findClaim(sources, organizationsClaim)).map((one) => one.toLowerCase()),
  };
}

function findClaim(sources: readonly Claims[], name: string): unknown {
  return sources.find((source) => Object.hasOwn(source, name))?.[name];
}

function readId(id: unknown, field: string): string {
  if ((typeof id !== "string" || id === "") && typeof id !== "number") {
    throw new Error(`The userinfo response has no ${field}.`);
  }
  if (String(id).length > idCharactersMax) {
    throw new Error(`The userinfo response's ${field} has more than ${idCharactersMax} characters.`);
  }
  return String(id);
}

/** Whole characters: half of one could be neither stored nor shown. */
function readUsername(username: unknown): string {
  return typeof username === "string" ? username.slice(0, usernameCharactersMax).toWellFormed() : "";
}

/** The address counts only with the word of the same source: OpenID Connect Core 1.0, section 5.1. */
function verifiedEmail({ email, email_verified: isVerified }: Claims): string[] {
  return isVerified === true && typeof email === "string" ? [email] : [];
}

function readEmails(given: readonly string[]): string[] {
  const parsed = given.flatMap((email) => parseEmailAddress(email) ?? []);
  return bounded("emails", [...new Set(parsed)], emailsMax);
}

function readGroups(claim: unknown): string[] {
  const given = Array.isArray(claim) ? claim : [claim];
  const named = given.filter(
    (one): one is string => typeof one === "string" && one !== "" && one.length <= groupCharactersMax,
  );
  return bounded("groups", [...new Set(named.map((one) => one.toWellFormed()))], groupsMax);
}

/** Who has more of them than are looked at may be refused for it: the log tells why, and not whom. */
function bounded(what: "emails" | "groups", all: string[], most: number): string[] {
  if (all.length > most)
    writeLog({ level: "warn", identityHasMore: what, of: all.length, thanAreLookedAt: most });
  return all.slice(0, most);
}
