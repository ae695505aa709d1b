import { hostname } from "node:os";
import pRetry from "p-retry";
import * as z from "zod/mini";
import { exitCodes, Problem } from "../problem.ts";
import { Client, notDropleaf, Refusal, Unreachable } from "../service/client.ts";
import { key, seconds, secret, webAddress, withinSeconds } from "../service/fields.ts";
import { NoJson } from "../service/response-body.ts";
import { revokeToken } from "../service/revoke-token.ts";
import { parseServiceAddress } from "../service/select-service.ts";
import { servicesFilePath } from "../service/services-file.ts";
import { storeToken } from "../service/token-store.ts";
import { withProgress } from "../terminal/dialog.ts";
import { openBrowser } from "../terminal/open-browser.ts";
import { type Output, writeNote, writeResult } from "../terminal/output.ts";

const startSchema = z.object({
  code: z.string().check(z.maxLength(40)),
  verification_url: webAddress,
  poll_token: secret,
  expires_in: seconds,
  poll_interval: seconds,
});
type Start = z.output<typeof startSchema>;

const pollSchema = z.object({ status: z.string(), api_token: z.optional(secret) });

const meSchema = z.object({ token: z.object({ scope: z.optional(z.string()) }) });

/** Maximum time to wait for the sign-in, and maximum pause between two requests, in seconds. */
const waitSecondsMax = 3_600;
const pauseSecondsMax = 30;

/** Maximum pause after requests that failed in transit, in seconds. The pause is short, because the user may sign in at any moment. */
const backOffSecondsMax = 10;

/** Seconds that `slow_down` adds to all later pauses (RFC 8628, section 3.5). */
const slowDownSeconds = 5;

/** Gets a token with the device code flow: prints the link, opens it in the browser, and waits until the user has signed in. */
export async function login(
  address: string,
  { browser, scope }: { readonly browser: boolean; readonly scope?: string },
  output: Output,
): Promise<void> {
  const client = new Client(parseServiceAddress(address)).impatient();
  const json = { label: `dropleaf on ${hostname()}`.slice(0, 60), ...(scope !== undefined && { scope }) };
  const { result: start } = await pRetry(
    () => client.call("/api/auth/start", startSchema, { method: "POST", json }),
    { retries: 3, minTimeout: 400, shouldRetry: ({ error }) => isTemporary(error) },
  );
  const link = new URL(start.verification_url);
  if (link.origin !== client.address)
    throw new Problem(
      `${client.address} sends you to ${link.origin} to sign in. Use that address instead, and run: dropleaf login ${link.origin}`,
    );
  writeNote(`Sign in at ${link.href}`);
  writeNote(`The page shows this code: ${start.code}`);
  if (browser && output.isInteractive)
    await openBrowser(link.href).catch(() =>
      writeNote("The browser could not be opened. Open the link yourself."),
    );
  const token = await withProgress(output, "Waiting for you to sign in", (update) =>
    waitForToken(client, start, output.isInteractive ? update : writeNote),
  );
  if (scope !== undefined) await requireScope(client.address, token, scope);
  const account = await findAccount(client.address, token);
  const place = await storeToken(client.address, account, token);
  const note =
    place === "keychain"
      ? "The token is in this machine's keychain."
      : `The token is in ${servicesFilePath()}, which only you can read.`;
  const result = { service: client.address, account, token_in: place };
  const name = account === undefined ? "" : ` as ${account}`;
  writeResult(output, result, [`Signed in to ${client.address}${name}. ${note}`]);
}

/** Refuses a token with more permissions than requested, because a service without scopes ignores the option. */
async function requireScope(address: string, token: string, scope: string): Promise<void> {
  const client = new Client(address, token);
  const { result } = await client.call("/api/me", meSchema);
  if (result.token.scope === scope) return;
  await revokeToken(client);
  throw new Problem(
    `${address} does not support --scope, so the token had all permissions. The token was revoked and not stored.`,
  );
}

const accountSchema = z.object({ account: z.optional(z.object({ namespace: key })) });

/** Returns the namespace of a token's account, or undefined if the service does not name the account or does not respond. */
async function findAccount(address: string, token: string): Promise<string | undefined> {
  const client = new Client(address, token).impatient();
  const me = await client.call("/api/me", accountSchema).catch(() => undefined);
  return me?.result.account?.namespace;
}

/**
 * Polls until the user has signed in or the code has expired. Requests that fail in transit or on the server are repeated after
 * increasing pauses (RFC 8628, section 3.5).
 *
 * @param report called when requests begin to fail
 */
async function waitForToken(
  client: Client,
  start: Start,
  report: (message: string) => void,
): Promise<string> {
  const query = new URLSearchParams({ token: start.poll_token });
  const endsAtMs = Date.now() + withinSeconds(start.expires_in, 0, waitSecondsMax) * 1000;
  let pollSeconds = withinSeconds(start.poll_interval, 1, pauseSecondsMax);
  let failures = 0;
  let lastFailure = "";
  while (Date.now() < endsAtMs) {
    let pauseSeconds = pollSeconds;
    try {
      const { result } = await client.call("/api/auth/poll", pollSchema, { query });
      if (result.api_token !== undefined) return result.api_token;
      if (result.status === "claimed")
        throw startAgain(client, "The token for this sign-in was already sent.");
      if (result.status === "slow_down") pollSeconds += slowDownSeconds;
      else if (result.status !== "pending") break;
      failures = 0;
      lastFailure = "";
      pauseSeconds = withinSeconds(pollSeconds, 1, pauseSecondsMax);
    } catch (error) {
      if (!isTemporary(error)) throw error;
      if (error instanceof Refusal && error.code === "slow_down") pollSeconds += slowDownSeconds;
      lastFailure = error.message;
      if (failures++ === 0) report(`${lastFailure} Trying again until the code expires.`);
      pauseSeconds = pauseAfter(error, failures, pollSeconds);
    }
    const pauseMs = Math.min(pauseSeconds * 1000, Math.max(endsAtMs - Date.now(), 0));
    await new Promise((done) => setTimeout(done, pauseMs));
  }
  throw startAgain(client, `The sign-in has expired.${lastFailure === "" ? "" : ` ${lastFailure}`}`);
}

function startAgain(client: Client, reason: string): Problem {
  return new Problem(
    `${reason} To start again, run: dropleaf login ${client.address}`,
    exitCodes.signInNeeded,
  );
}

function pauseAfter(error: Problem, failures: number, pollSeconds: number): number {
  const requested = error instanceof Refusal ? error.retryAfterSeconds : undefined;
  if (requested !== undefined) return withinSeconds(requested, pollSeconds, pauseSecondsMax);
  return withinSeconds(pollSeconds * 2 ** (failures - 1), 1, Math.max(backOffSecondsMax, pollSeconds));
}

/** Returns true for errors that a retry may resolve: no response, another server's response, or a fault of the service. */
function isTemporary(error: unknown): error is Problem {
  if (error instanceof NoJson || error instanceof Unreachable) return true;
  if (!(error instanceof Refusal)) return false;
  const { status, code } = error;
  return status >= 500 || status === 408 || status === 429 || code === notDropleaf || code === "slow_down";
}
