import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod/mini";
import { exitCodes, Problem } from "../problem.ts";
import { Client } from "../service/client.ts";
import { seconds, secret, webAddress, withinSeconds } from "../service/fields.ts";
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

/** Longest time in which the program waits for a person, and longest pause between two calls. */
const waitSecondsMax = 3_600;
const pauseSecondsMax = 30;

/** Gets a token by the device-code flow: prints the link, opens it in the browser, and waits until the person has signed in. */
export async function login(
  address: string,
  { browser }: { readonly browser: boolean },
  output: Output,
): Promise<void> {
  const client = new Client(parseServiceAddress(address));
  const { result: start } = await client.call("/api/auth/start", startSchema, {
    method: "POST",
    json: { label: `dropleaf on ${hostname()}`.slice(0, 60) },
  });
  const link = new URL(start.verification_url);
  if (link.origin !== client.address)
    throw new Problem(
      `${client.address} sends you to ${link.origin} to sign in. Use that address: dropleaf login ${link.origin}`,
    );
  writeNote(`Sign in at ${link.href}`);
  writeNote(`The page shows this code: ${start.code}`);
  if (browser && output.isInteractive) {
    await openBrowser(link.href).catch(() =>
      writeNote("The browser could not be opened. Open the link yourself."),
    );
  }
  const token = await withProgress(output, "Waiting for you to sign in", () => waitForToken(client, start));
  const place = await storeToken(client.address, token);
  const note =
    place === "keychain"
      ? "The token is in this machine's keychain."
      : `The token is in ${servicesFilePath()}, which only you can read.`;
  writeResult(output, { service: client.address, token_in: place }, [
    `Signed in to ${client.address}. ${note}`,
  ]);
}

async function waitForToken(client: Client, start: Start): Promise<string> {
  const query = new URLSearchParams({ token: start.poll_token });
  const endsAtMs = Date.now() + withinSeconds(start.expires_in, 0, waitSecondsMax) * 1000;
  while (Date.now() < endsAtMs) {
    const { result } = await client.call("/api/auth/poll", pollSchema, { query });
    if (result.api_token !== undefined) return result.api_token;
    if (result.status !== "pending") break;
    await sleep(withinSeconds(start.poll_interval, 1, pauseSecondsMax) * 1000);
  }
  throw new Problem(
    `The sign-in has expired. Start again: dropleaf login ${client.address}`,
    exitCodes.signInNeeded,
  );
}
