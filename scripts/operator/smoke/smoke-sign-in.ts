import { setTimeout as sleep } from "node:timers/promises";
import type { MeResponse } from "../../../functions/account/schemas.ts";
import type { SignInPollResponse, SignInStartResponse } from "../../../functions/identity/schemas.ts";
import type { Terminal } from "../terminal.ts";
import type { SmokeClient } from "./smoke-client.ts";

/**
 * Gets a token as an agent does, while the operator signs in.
 *
 * @throws Error when nobody signs in within ten minutes
 */
export async function signInAsHuman(
  client: SmokeClient,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<void> {
  const start = await client.call<SignInStartResponse>("POST", "/api/auth/start", {
    status: 200,
    body: JSON.stringify({ label: "smoke test" }),
  });
  terminal.print(`Sign in at ${start.verification_url} and compare the code: ${start.code}`);
  client.token = await waitForToken(client, start, signal);
}

/** Revokes the token that the client calls with. */
export async function revokeToken(client: SmokeClient): Promise<void> {
  const { token } = await client.call<MeResponse>("GET", "/api/me", { status: 200 });
  await client.call("DELETE", `/api/tokens/${token.id}`, { status: 204 });
}

async function waitForToken(
  client: SmokeClient,
  start: SignInStartResponse,
  signal: AbortSignal,
): Promise<string> {
  const query = new URLSearchParams({ token: start.poll_token });
  for (;;) {
    const poll = await client.call<SignInPollResponse>("GET", `/api/auth/poll?${query}`, { status: 200 });
    if (poll.api_token !== undefined) return poll.api_token;
    if (poll.status !== "pending") throw new Error(`The sign-in is ${poll.status}: start again.`);
    await sleep(start.poll_interval * 1000, undefined, { signal });
  }
}
