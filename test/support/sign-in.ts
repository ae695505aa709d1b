import { randomBytes } from "node:crypto";
import type { SignInPollResponse, SignInStartResponse } from "../../functions/identity/schemas.ts";
import { routes } from "../../functions/routes.ts";
import type { TokenScope } from "../../functions/table/identifiers.ts";
import { ApiClient } from "./client.ts";
import { linkTo, textFieldOf, type Visit, Visitor, type WayOptions } from "./visitor.ts";

const agent = new ApiClient();

/** Makes a user name that has never signed in. */
export function unusedUsername(name: string): string {
  return `${name}-${randomBytes(5).toString("hex")}`;
}

/** Requests a device code, as an agent does first. */
export function startSignIn(label?: string, scope?: TokenScope): Promise<SignInStartResponse> {
  const isBare = label === undefined && scope === undefined;
  return agent.succeed("start-sign-in", isBare ? {} : { body: { label, scope } });
}

/** Asks whether the person has signed in, as an agent does next. */
export function pollSignIn(pollToken: string): Promise<SignInPollResponse> {
  return agent.succeed("poll-sign-in", { query: { token: pollToken } });
}

/** Opens the verify page and follows its link to the provider's form. */
export async function continueToProvider(
  visitor: Visitor,
  start: Pick<SignInStartResponse, "verification_url">,
): Promise<Visit> {
  const verifyPage = await visitor.open(start.verification_url);
  return visitor.open(linkTo(verifyPage, routes["authorize-sign-in"].path));
}

/** Enters a user name at the provider and returns to the service's confirmation page. */
export function enterUsername(
  visitor: Visitor,
  providerPage: Visit,
  username: string,
  way: WayOptions = {},
): Promise<Visit> {
  return visitor.submit(providerPage, { [textFieldOf(providerPage)]: username }, way);
}

/** Does the person's part of the flow, from the verify page to the confirmation, in a new browser. */
export async function confirmSignIn(
  start: Pick<SignInStartResponse, "verification_url">,
  username: string,
  visitor = new Visitor(),
): Promise<Visit> {
  const confirmation = await enterUsername(visitor, await continueToProvider(visitor, start), username);
  if (confirmation.response.status !== 200 || confirmation.url.pathname !== routes["complete-sign-in"].path) {
    const { url, response } = confirmation;
    throw new Error(
      `Signing in as ${username} ended at ${url.origin}${url.pathname} with ${response.status}: ${response.text}`,
    );
  }
  return confirmation;
}

/** Runs the whole device-code flow and returns a new token of the person's account. */
export async function signIn(
  username: string,
  label?: string,
  scope?: TokenScope,
): Promise<{ token: string; userId: string }> {
  const start = await startSignIn(label, scope);
  await confirmSignIn(start, username);
  const { status, api_token: token, user_id: userId } = await pollSignIn(start.poll_token);
  if (token === undefined || userId === undefined)
    throw new Error(`The first poll answered ${status} without a token.`);
  return { token, userId };
}

/** Runs the whole flow with these values in the local provider's form, and returns a token of the account. */
export async function confirmedWith(facts: Readonly<Record<string, string>>): Promise<string> {
  const start = await startSignIn();
  const visitor = new Visitor();
  const { response } = await visitor.submit(await continueToProvider(visitor, start), { ...facts });
  const { api_token: token } = await pollSignIn(start.poll_token);
  if (token === undefined) throw new Error(`Signing in ended with ${response.status}: ${response.text}`);
  return token;
}
