import type { IdentityProviderSettings } from "../core/environment.ts";
import { writeLog } from "../core/log.ts";
import { emailsMax, groupCharactersMax, groupsMax, type Identity } from "../people/accounts.ts";
import { parseEmailAddress } from "../people/email-addresses.ts";
import { provisionedNameOf } from "../people/members.ts";
import { toLowerAscii } from "../policies/access.ts";

type OAuthSettings = Extract<IdentityProviderSettings, { kind: "oauth2" }>;

/** Sends a GET request to an endpoint of the provider, with the person's access token. */
export type FetchFromProvider = (endpoint: string) => Promise<Response>;

/** Maximum page size of GitHub's e-mail list; see "List email addresses for the authenticated user", GitHub documentation. */
const emailsOnPageMax = 100;

/**
 * Fetches data that a GitHub profile lacks: verified e-mail addresses (the primary one first), and memberships in the configured
 * organizations. Does not find the membership if the organization has not approved the app, because GitHub then hides it.
 *
 * @throws Error if GitHub fails
 */
export async function fetchGitHubFacts(settings: OAuthSettings, ask: FetchFromProvider) {
  const { emailsEndpoint, organizations } = settings;
  const [emails, memberships] = await Promise.all([
    emailsEndpoint === undefined ? [] : fetchEmails(emailsEndpoint, ask),
    Promise.all((organizations?.names ?? []).map((name) => isIn(name, organizations?.endpoint ?? "", ask))),
  ]);
  return { emails, organizations: (organizations?.names ?? []).filter((_, index) => memberships[index]) };
}

async function fetchEmails(endpoint: string, ask: FetchFromProvider): Promise<string[]> {
  const url = new URL(endpoint);
  url.searchParams.set("per_page", String(emailsOnPageMax));
  const listed = await fetchJson(url.href, ask);
  if (listed === undefined) return [];
  if (!Array.isArray(listed)) throw new Error("The provider's response is not a list of e-mail addresses.");
  const verified = listed.filter(
    (one): one is { email: string; primary?: unknown } =>
      typeof one?.email === "string" && one.verified === true,
  );
  return verified
    .toSorted((one, other) => Number(other.primary === true) - Number(one.primary === true))
    .map(({ email }) => email);
}

/** Checks that the person is an active member of an organization, and not only invited. */
async function isIn(name: string, endpoint: string, ask: FetchFromProvider): Promise<boolean> {
  const membership = await fetchJson(`${endpoint}/${encodeURIComponent(name)}`, ask);
  const { state, organization } = (membership ?? {}) as {
    state?: unknown;
    organization?: { login?: unknown };
  };
  // Compares the name in the response, so that a renamed organization does not match its old name, which another organization may take.
  return state === "active" && toLowerAscii(String(organization?.login)) === name;
}

/** Statuses for a missing resource, or for a person or app that may not read it. These responses are not failures of GitHub. */
const absentStatuses = new Set([301, 302, 307, 401, 403, 404]);

/** Fetches JSON. Returns undefined for a response with one of `absentStatuses`. */
async function fetchJson(endpoint: string, ask: FetchFromProvider): Promise<unknown> {
  const response = await ask(endpoint);
  if (response.ok) return response.json();
  await response.body?.cancel();
  // GitHub also responds with 403 to requests over its rate limit; see "Rate limits for the REST API", GitHub documentation.
  const isLimited =
    response.headers.get("x-ratelimit-remaining") === "0" || response.headers.has("retry-after");
  if (absentStatuses.has(response.status) && !isLimited) return undefined;
  throw new Error(`${new URL(endpoint).pathname} responded ${response.status}.`);
}

/** Maximum length of a `sub` claim (OpenID Connect Core 1.0, section 2). */
const idCharactersMax = 255;

/** Maximum length of a user name. Longer names are truncated. */
const usernameCharactersMax = 255;

/** Claims in the userinfo response or the ID token. */
export type Claims = Readonly<Record<string, unknown>>;

/** Builds an identity from the first source that contains each claim. @throws Error if the id is missing or too long */
export function toIdentity(
  settings: IdentityProviderSettings,
  sources: readonly Claims[],
  { emails, organizations }: Pick<Identity, "emails" | "organizations"> = { emails: [], organizations: [] },
): Identity {
  const { groups: groupsClaim, verifiedEmail: addressClaim } = settings.fields;
  const organizationsClaim = settings.kind === "oidc" ? settings.organizationsClaim : undefined;
  return {
    provider: settings.kind === "oidc" ? settings.issuer : new URL(settings.authorizationEndpoint).origin,
    id: readId(findClaim(sources, settings.fields.id), settings.fields.id),
    username: readUsername(findClaim(sources, settings.fields.username)),
    emails: readEmails([
      ...sources.flatMap(verifiedEmail),
      ...(addressClaim === undefined ? [] : sources.flatMap((source) => vouchedEmail(source, addressClaim))),
      ...emails,
    ]),
    groups: groupsClaim === undefined ? [] : readGroups(findClaim(sources, groupsClaim)),
    organizations:
      organizationsClaim === undefined
        ? organizations
        : readGroups(findClaim(sources, organizationsClaim)).map((one) => one.toLowerCase()),
    provisionedNames: readProvisionedNames(settings, sources),
    vouchedAs: [],
  };
}

/** Reads the claim that is compared with SCIM user names. Returns undefined if the operator has not configured such a claim. */
function readProvisionedNames(
  { provisioning }: IdentityProviderSettings,
  sources: readonly Claims[],
): readonly string[] | undefined {
  if (provisioning?.claim === undefined) return undefined;
  const value = findClaim(sources, provisioning.claim);
  if ((typeof value === "string" && value !== "") || typeof value === "number")
    return [provisionedNameOf(provisioning.match, String(value))];
  writeLog({ level: "warn", identityLacksClaimOfScim: true });
  return [];
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

/** Truncates a user name. Truncation may split a surrogate pair, so `toWellFormed` replaces the remaining half. */
function readUsername(username: unknown): string {
  return typeof username === "string" ? username.slice(0, usernameCharactersMax).toWellFormed() : "";
}

/** Returns a source's e-mail address if the source declares it verified (OpenID Connect Core 1.0, section 5.1). */
function verifiedEmail({ email, email_verified: isVerified }: Claims): string[] {
  return isVerified === true && typeof email === "string" ? [email] : [];
}

/** Values that mean `true`. Microsoft Entra ID sends several of these values in the claim `xms_edov`. */
const yes: readonly unknown[] = [true, "true", 1, "1"];

/** Returns the e-mail address that the configured claim contains or verifies, unless `email_verified` is false for this address. */
function vouchedEmail(source: Claims, claim: string): string[] {
  const value = Object.hasOwn(source, claim) ? source[claim] : undefined;
  const email = yes.includes(value) ? source.email : value;
  const isDenied = email === source.email && source.email_verified === false;
  return typeof email === "string" && !isDenied ? [email] : [];
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

/** Truncates a list to the maximum length. Logs this without naming the person, because a missing entry may cause a refusal. */
function bounded(what: "emails" | "groups", all: string[], most: number): string[] {
  if (all.length > most)
    writeLog({ level: "warn", identityHasMore: what, of: all.length, thanAreLookedAt: most });
  return all.slice(0, most);
}
