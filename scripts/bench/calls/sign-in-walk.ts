import type { SignInPollAnswer, SignInStartAnswer } from "../../../functions/contract/answers.ts";
import { environmentNames } from "../../../functions/contract/environment.ts";
import { routes } from "../../../functions/contract/routes.ts";
import { readEnvironment } from "../../../functions/store/environment.ts";
import { signInAtProvider } from "../provider-visit.ts";
import { silently, type Walk } from "./operation-caller.ts";

/**
 * The device-code flow of an agent and its human, operation by operation; what the identity provider does meanwhile is
 * not counted.
 *
 * @returns an API token of the person's account
 */
export async function signIn(walk: Walk, username: string): Promise<string> {
  const started = await walk("start-sign-in", "", { body: {} });
  const { code, poll_token: pollToken } = JSON.parse(started.text) as SignInStartAnswer;
  const poll = { query: { token: pollToken } };
  await walk("poll-sign-in", "pending", poll);
  const { cookies } = await walk("show-verify-page", "", { query: { code } });
  const headers = { cookie: cookies.join("; ") };
  const redirection = await walk("authorize-sign-in", "", { query: { code }, headers });
  const query = await visitProvider(redirection.headers.location, username);
  await walk("complete-sign-in", "new account", { query, headers });
  const polled = await walk("poll-sign-in", "verified: gives the token", poll);
  const { status, api_token: token } = JSON.parse(polled.text) as SignInPollAnswer;
  if (token === undefined) throw new Error(`The poll answered ${status} without a token.`);
  return token;
}

/** The flow of a person who has an account and no agent; the steps that `signIn` has shown are not measured again. */
export async function signInWithoutAgent(walk: Walk, username: string): Promise<void> {
  await walk("show-token-page", "");
  const started = await walk("start-own-sign-in", "", { body: "" });
  const code = new URL(started.headers.location ?? "").searchParams.get("code") ?? "";
  const verifyPage = await silently("show-verify-page", "", { query: { code } });
  const headers = { cookie: [...started.cookies, ...verifyPage.cookies].join("; ") };
  const redirection = await silently("authorize-sign-in", "", { query: { code }, headers });
  const query = await visitProvider(redirection.headers.location, username);
  await walk("complete-sign-in", "known account", { query, headers });
  await walk("reveal-token", "", { headers, body: new URLSearchParams({ code }).toString() });
}

/** @returns the query with which the provider sends the person back */
async function visitProvider(
  location: string | undefined,
  username: string,
): Promise<Record<string, string>> {
  const callbackUrl = `${readEnvironment(environmentNames.baseUrl)}${routes["complete-sign-in"].path}`;
  const callback = await signInAtProvider(location ?? "", callbackUrl, username);
  return Object.fromEntries(callback.searchParams);
}
