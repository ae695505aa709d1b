import { readServices, type ServicesFile, writeServices } from "./services-file.ts";

const keychainName = "dropleaf";

type StoredService = ServicesFile["services"][string];

/**
 * Returns the namespaces of the accounts on a service with a token on this machine, and of the default account. The default account is
 * undefined if an earlier version stored the token, without the account's name.
 */
export async function findAccounts(address: string) {
  const { services } = await readServices();
  const { accounts = {}, as: current } = services[address] ?? {};
  return { names: Object.keys(accounts).toSorted(), current };
}

/**
 * Returns the token for a service, or undefined if this machine has none.
 *
 * @param account namespace of an account. @default - the default account
 */
export async function findToken(address: string, account?: string | undefined): Promise<string | undefined> {
  const { services } = await readServices();
  const known = services[address];
  const name = account ?? known?.as;
  const stored = name === undefined ? known : known?.accounts?.[name];
  if (stored === undefined) return undefined;
  return stored.token ?? (await (await openKeychain(address, name))?.getPassword()) ?? undefined;
}

/**
 * Stores a token in the system's keychain, or in a file that only its owner can read. Makes its service and account the defaults.
 *
 * @param account namespace of the account, or undefined if the service does not name its accounts
 */
export async function storeToken(
  address: string,
  account: string | undefined,
  token: string,
): Promise<"keychain" | "file"> {
  const isInKeychain = await putIntoKeychain(address, account, token);
  const { services } = await readServices();
  const stored = isInKeychain ? {} : { token };
  const accounts = services[address]?.accounts ?? {};
  const service: StoredService =
    account === undefined ? stored : { accounts: { ...accounts, [account]: stored }, as: account };
  await writeServices({ current: address, services: { ...services, [address]: service } });
  return isInKeychain ? "keychain" : "file";
}

/** Makes an account, and its service, the defaults. */
export async function switchAccount(address: string, account: string): Promise<void> {
  const { services } = await readServices();
  const service = { ...services[address], as: account };
  await writeServices({ current: address, services: { ...services, [address]: service } });
}

/** Removes a token from this machine without revoking it. The service's next account, if any, becomes the default. */
export async function forgetToken(address: string, account?: string | undefined): Promise<void> {
  const { current, services } = await readServices();
  const { [address]: service, ...others } = services;
  const name = account ?? service?.as;
  await (await openKeychain(address, name))?.deletePassword().catch(() => {});
  const accounts = Object.entries(service?.accounts ?? {}).filter(([one]) => one !== name);
  const [next] = accounts;
  if (service !== undefined && next !== undefined) {
    const as = service.as === name ? next[0] : service.as;
    const left = { accounts: Object.fromEntries(accounts), as };
    return writeServices({ current, services: { ...others, [address]: left } });
  }
  const [other] = Object.keys(others);
  await writeServices({ current: current === address ? other : current, services: others });
}

/** Returns false without a usable keychain, for example on a server or in a container. */
async function putIntoKeychain(address: string, account: string | undefined, token: string) {
  const keychain = await openKeychain(address, account);
  if (keychain === undefined) return false;
  try {
    await keychain.setPassword(token);
    return (await keychain.getPassword()) === token;
  } catch {
    return false;
  }
}

/** Opens the keychain entry for an account on a service. `DROPLEAF_KEYCHAIN=off` stores tokens in the file. */
async function openKeychain(address: string, account: string | undefined) {
  if (process.env.DROPLEAF_KEYCHAIN === "off") return undefined;
  const { AsyncEntry } = await import("@napi-rs/keyring").catch(() => ({ AsyncEntry: undefined }));
  if (AsyncEntry === undefined) return undefined;
  const entry = new AsyncEntry(keychainName, account === undefined ? address : `${address} ${account}`);
  return {
    getPassword: () => entry.getPassword().catch(() => undefined),
    setPassword: (token: string) => entry.setPassword(token),
    deletePassword: () => entry.deletePassword(),
  };
}
