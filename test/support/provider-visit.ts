import { DomUtils, parseDocument } from "htmlparser2";
import { environmentNames, readEnvironment } from "../../functions/core/environment.ts";
import { routes } from "../../functions/routes.ts";
import { CookieJar } from "./cookie-jar.ts";

const redirectsMax = 10;

/**
 * Finds the verify page's link to the identity provider.
 *
 * @throws Error when the page has no such link
 */
export function findAuthorizeLink(verifyPage: string, pageUrl: string): URL {
  const links = DomUtils.getElementsByTagName("a", parseDocument(verifyPage), true);
  const urls = links.map(({ attribs }) => new URL(attribs.href ?? "", pageUrl));
  const found = urls.find(({ pathname }) => pathname === routes["authorize-sign-in"].path);
  if (found === undefined) throw new Error(`The verify page has no link to the provider: ${urls.join(", ")}`);
  return found;
}

/**
 * Signs in at the local identity provider as a person: opens its form and enters a user name.
 *
 * @param authorizationUrl URL to which the service sends the person
 * @param callbackUrl URL to which the provider sends the person back
 * @returns the provider's callback URL, not opened yet
 */
export async function signInAtProvider(
  authorizationUrl: string,
  callbackUrl: string,
  username: string,
): Promise<URL> {
  const cookies = new CookieJar();
  let url = new URL(authorizationUrl);
  let response = await open(url, cookies);
  for (let steps = 0; steps < redirectsMax; steps += 1) {
    if (response.status === 200) {
      response = await open(url, cookies, new URLSearchParams({ username }));
      continue;
    }
    const location = response.headers.get("location");
    if (location === null) break;
    url = new URL(location, url);
    if (url.href.startsWith(`${callbackUrl}?`)) return url;
    response = await open(url, cookies);
  }
  throw new Error(`Signing in as ${username} ended at ${url.origin}${url.pathname} with ${response.status}.`);
}

async function open(url: URL, cookies: CookieJar, form?: URLSearchParams): Promise<Response> {
  const cookie = cookies.headerFor(url);
  const response = await fetch(url, {
    redirect: "manual",
    headers: cookie === undefined ? {} : { cookie },
    ...(form ? { method: "POST", body: form } : {}),
  });
  await response.arrayBuffer();
  cookies.store(url, response.headers.getSetCookie());
  return response;
}

/** Returns the query of the verify page's link; for the process that runs the functions. */
export function authorizeQuery({ text }: { readonly text: string }): Record<string, string> {
  const link = findAuthorizeLink(text, readEnvironment(environmentNames.baseUrl));
  return Object.fromEntries(link.searchParams);
}

/**
 * Signs in at the provider as a person; for the process that runs the functions. Returns the query of the callback.
 */
export async function visitProvider(
  location: string | undefined,
  username: string,
): Promise<Record<string, string>> {
  const callbackUrl = `${readEnvironment(environmentNames.baseUrl)}${routes["complete-sign-in"].path}`;
  const callback = await signInAtProvider(location ?? "", callbackUrl, username);
  return Object.fromEntries(callback.searchParams);
}
