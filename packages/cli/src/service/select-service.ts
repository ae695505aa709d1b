import { exitCodes, Problem } from "../problem.ts";
import { chosenAccount } from "./chosen-account.ts";
import { Client } from "./client.ts";
import { readServices } from "./services-file.ts";
import { findAccounts, findToken } from "./token-store.ts";

/** The option `--service`, which every command accepts. */
export interface ServiceOption {
  readonly service?: string;
}

/**
 * Returns the address of the service for a command: the option `--service`, otherwise `DROPLEAF_URL`, otherwise the folder's service,
 * otherwise the service of the last sign-in.
 *
 * @throws Problem for an invalid address
 */
export async function findServiceAddress(
  option: string | undefined,
  ofFolder?: string,
): Promise<string | undefined> {
  const given = option ?? process.env.DROPLEAF_URL ?? ofFolder;
  return given === undefined ? (await readServices()).current : parseServiceAddress(given);
}

/** Returns the address from `findServiceAddress`. @throws Problem if no service is known */
export async function requireServiceAddress(option: string | undefined, ofFolder?: string): Promise<string> {
  const address = await findServiceAddress(option, ofFolder);
  if (address !== undefined) return address;
  throw new Problem(
    "No service is known yet. To sign in, run: dropleaf login <address>",
    exitCodes.signInNeeded,
  );
}

/**
 * Returns a client of the service from `findServiceAddress`. For scripts, `DROPLEAF_TOKEN` replaces the stored token.
 *
 * @throws Problem with advice if no service or no token is known
 */
export async function selectService(
  option: string | undefined,
  ofFolder?: string | undefined,
): Promise<Client> {
  const address = await requireServiceAddress(option, ofFolder);
  const token = process.env.DROPLEAF_TOKEN;
  const isOfFolder = address !== (await findServiceAddress(option));
  // Anyone who can change a repository can set the service in its `.dropleaf.json`. The token is sent only to services that the user has
  // used or named.
  if (token !== undefined && isOfFolder && !Object.hasOwn((await readServices()).services, address))
    throw new Problem(
      `This folder was published to ${address}, but DROPLEAF_TOKEN is sent there only if you also set DROPLEAF_URL.`,
      exitCodes.usage,
    );
  return signedInClient(address, token);
}

/** Returns a client of the service that an import reads. `DROPLEAF_FROM_TOKEN` replaces the stored token. */
export function selectSource(address: string): Promise<Client> {
  return signedInClient(parseServiceAddress(address), process.env.DROPLEAF_FROM_TOKEN);
}

async function signedInClient(address: string, given: string | undefined): Promise<Client> {
  const account = chosenAccount();
  if (given !== undefined && account !== undefined)
    throw new Problem(
      "A token from the environment belongs to one account. Unset DROPLEAF_TOKEN or DROPLEAF_FROM_TOKEN to choose another with --as.",
      exitCodes.usage,
    );
  const token = given ?? (await findToken(address, account));
  if (token !== undefined) return new Client(address, token);
  const { names } = await findAccounts(address);
  if (account !== undefined && names.length > 0) throw notSignedInAs(address, account, names);
  throw new Problem(
    `You are not signed in to ${address}. To sign in, run: dropleaf login ${address}`,
    exitCodes.signInNeeded,
  );
}

/** Creates the error for an account without a token on this machine. */
export function notSignedInAs(address: string, account: string, names: readonly string[]): Problem {
  const known = names.length === 0 ? "" : `, only as ${names.join(", ")}`;
  return new Problem(
    `You are not signed in to ${address} as ${account}${known}. To sign in and choose ${account}, run: dropleaf login ${address}`,
    exitCodes.signInNeeded,
  );
}

/**
 * Parses a typed address into the origin of a service. The default scheme is https, and http on this machine.
 *
 * @throws Problem for anything else
 */
export function parseServiceAddress(text: string): string {
  const withScheme = /^[a-z]+:\/\//i.test(text) ? text : `${isLocal(text) ? "http" : "https"}://${text}`;
  const url = URL.canParse(withScheme) ? new URL(withScheme) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== "")
    throw new Problem(
      `${JSON.stringify(text)} is not the address of a service: use an address such as https://drops.example.com`,
      exitCodes.usage,
    );
  if (url.protocol === "http:" && !isLocal(url.host))
    throw new Problem(
      `${url.origin} is not encrypted, so your token could be read in transit: use https://${url.host}`,
      exitCodes.usage,
    );
  return url.origin;
}

function isLocal(host: string): boolean {
  return /^(localhost|[\w-]+\.localhost|127\.0\.0\.1|\[::1\])(:\d+)?(\/|$)/i.test(host);
}
