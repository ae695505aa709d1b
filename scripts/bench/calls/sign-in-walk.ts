import { environmentNames, readEnvironment } from "../../../functions/core/environment.ts";
import type { SignInPollResponse, SignInStartResponse } from "../../../functions/identity/schemas.ts";
import { routes } from "../../../functions/routes.ts";
import { CookieJar } from "../../../test/support/cookie-jar.ts";
import { findAuthorizeLink, signInAtProvider } from "../provider-visit.ts";
import { callUnmeasured, type OperationResponse, type Walk } from "./operation-caller.ts";

/**
 * The device-code flow of an agent and its human, operation by operation; what the identity provider does meanwhile is
 * not counted.
 *
 * @returns an API token of the person's account
 */
export async function signIn(walk: Walk, username: string): Promise<string> {
  const started = await walk("start-sign-in", "", { body: {} });
  const { code, poll_token: pollToken } = JSON.parse(started.text) as SignInStartResponse;
  const poll = { query: { token: pollToken } };
  await walk("poll-sign-in", "pending", poll);
  const browser = new CookieJar();
  const verifyPage = await walk("show-verify-page", "", { query: { code }, browser });
  const redirection = await walk("authorize-sign-in", "", { query: authorizeQuery(verifyPage), browser });
  const query = await visitProvider(redirection.headers.location, username);
  await walk("complete-sign-in", "new account", { query, browser });
  const polled = await walk("poll-sign-in", "verified: gives the token", poll);
  const { status, api_token: token } = JSON.parse(polled.text) as SignInPollResponse;
  if (token === undefined) throw new Error(`The poll answered ${status} without a token.`);
  return token;
}

/** Signs in as so many people. Returns their tokens. */
export async function signInMany(count: string): Promise<string[]> {
  const tokens: string[] = [];
  for (let number = 0; number < Number(count); number += 1)
    tokens.push(await signIn(callUnmeasured, `person-${number}`));
  return tokens;
}

/** The flow of a person who has an account and no agent; the steps that `signIn` has shown are not measured again. */
export async function signInWithoutAgent(walk: Walk, username: string): Promise<void> {
  const browser = new CookieJar();
  const started = await walk("start-browser-sign-in", "", { body: "", browser });
  const code = new URL(started.headers.location ?? "").searchParams.get("code") ?? "";
  const verifyPage = await callUnmeasured("show-verify-page", "", { query: { code }, browser });
  const redirection = await callUnmeasured("authorize-sign-in", "", {
    query: authorizeQuery(verifyPage),
    browser,
  });
  const query = await visitProvider(redirection.headers.location, username);
  await walk("complete-sign-in", "known account", { query, browser });
  const form = { browser, body: new URLSearchParams({ code }).toString() };
  await walk("reveal-token", "", form);
  await walk("undo-sign-in", "the token is there", form);
}

/** The query of the verify page's link. */
export function authorizeQuery({ text }: OperationResponse): Record<string, string> {
  const link = findAuthorizeLink(text, readEnvironment(environmentNames.baseUrl));
  return Object.fromEntries(link.searchParams);
}

/** Signs in at the provider as a person. Returns the query of the callback. */
export async function visitProvider(
  location: string | undefined,
  username: string,
): Promise<Record<string, string>> {
  const callbackUrl = `${readEnvironment(environmentNames.baseUrl)}${routes["complete-sign-in"].path}`;
  const callback = await signInAtProvider(location ?? "", callbackUrl, username);
  return Object.fromEntries(callback.searchParams);
}
