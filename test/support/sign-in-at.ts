import type { SignInPollResponse, SignInStartResponse } from "../../functions/identity/schemas.ts";
import { routes } from "../../functions/routes.ts";
import { CookieJar } from "./cookie-jar.ts";
import { findAuthorizeLink, signInAtProvider } from "./provider-visit.ts";

/**
 * Signs a person in at the running service, playing both the agent and the browser.
 *
 * @returns a new API token of the person's account
 */
export async function signIn(address: string, username: string): Promise<string> {
  const browser = new CookieJar();
  const started = await open(new URL(routes["start-sign-in"].path, address), { method: "POST" });
  const start = (await started.json()) as SignInStartResponse;
  const verifyPage = await visit(browser, new URL(start.verification_url), 200);
  const redirection = await visit(browser, findAuthorizeLink(await verifyPage.text(), address), 302);
  const callbackUrl = `${address}${routes["complete-sign-in"].path}`;
  const callback = await signInAtProvider(redirection.headers.get("location") ?? "", callbackUrl, username);
  await visit(browser, callback, 200);
  const poll = new URL(`${routes["poll-sign-in"].path}?token=${start.poll_token}`, address);
  const polled = (await (await open(poll)).json()) as SignInPollResponse;
  if (polled.api_token === undefined) throw new Error(`The poll answered ${polled.status} without a token.`);
  return polled.api_token;
}

async function visit(browser: CookieJar, url: URL, expectedStatus: 200 | 302): Promise<Response> {
  const cookie = browser.headerFor(url);
  const response = await open(url, { headers: cookie === undefined ? {} : { cookie } }, expectedStatus);
  browser.store(url, response.headers.getSetCookie());
  return response;
}

async function open(url: URL, init: RequestInit = {}, expectedStatus = 200): Promise<Response> {
  const response = await fetch(url, { redirect: "manual", ...init });
  if (response.status === expectedStatus) return response;
  const text = (await response.text()).slice(0, 500);
  throw new Error(`${url.origin}${url.pathname} answered ${response.status}, not ${expectedStatus}: ${text}`);
}
