import { toLowerAscii } from "../platform/email-address.ts";
import type { IdentityProviderSettings } from "../platform/environment.ts";
import type { GitHubFacts } from "./claims.ts";

type OAuthSettings = Extract<IdentityProviderSettings, { kind: "oauth2" }>;

/** Asks one of the provider's endpoints for what whoever signs in may see. */
export type AskProvider = (endpoint: string) => Promise<Response>;

/** GitHub documentation, "List email addresses for the authenticated user": the most on a page. */
const emailsOnPageMax = 100;

/**
 * What GitHub says of somebody beside their profile: their verified addresses, the main one first, and in which of the
 * settings' organizations they are. Nothing is asked that the settings have no endpoint for.
 *
 * @throws Error when GitHub fails; what it does not tell, such as to an app that an organization has not approved, is not so
 */
export async function fetchGitHubFacts(settings: OAuthSettings, ask: AskProvider): Promise<GitHubFacts> {
  const { emailsEndpoint, organizations } = settings;
  const [emails, memberships] = await Promise.all([
    emailsEndpoint === undefined ? [] : fetchEmails(emailsEndpoint, ask),
    Promise.all((organizations?.names ?? []).map((name) => isIn(name, organizations?.endpoint ?? "", ask))),
  ]);
  return { emails, organizations: (organizations?.names ?? []).filter((_, index) => memberships[index]) };
}

async function fetchEmails(endpoint: string, ask: AskProvider): Promise<string[]> {
  const url = new URL(endpoint);
  url.searchParams.set("per_page", String(emailsOnPageMax));
  const said = await fetchTold(url.href, ask);
  if (said === undefined) return [];
  if (!Array.isArray(said)) throw new Error("The list of addresses is none.");
  const verified = said.filter(
    (one): one is { email: string; primary?: unknown } =>
      typeof one?.email === "string" && one.verified === true,
  );
  return verified
    .toSorted((one, other) => Number(other.primary === true) - Number(one.primary === true))
    .map(({ email }) => email);
}

/** Whether somebody is in an organization, and not only invited. */
async function isIn(name: string, endpoint: string, ask: AskProvider): Promise<boolean> {
  const said = await fetchTold(`${endpoint}/${encodeURIComponent(name)}`, ask);
  const { state, organization } = (said ?? {}) as { state?: unknown; organization?: { login?: unknown } };
  // An organization that was renamed leaves its name to whoever takes it.
  return state === "active" && toLowerAscii(String(organization?.login)) === name;
}

/** Statuses by which GitHub says that there is nothing for who asks, or for the app. */
const nothingToTell = new Set([301, 302, 307, 401, 403, 404]);

async function fetchTold(endpoint: string, ask: AskProvider): Promise<unknown> {
  const response = await ask(endpoint);
  if (response.ok) return response.json();
  await response.body?.cancel();
  // GitHub counts requests by this status too; "Rate limits for the REST API".
  const isLimited =
    response.headers.get("x-ratelimit-remaining") === "0" || response.headers.has("retry-after");
  if (nothingToTell.has(response.status) && !isLimited) return undefined;
  throw new Error(`${new URL(endpoint).pathname} answered ${response.status}.`);
}
