import { readServices, writeServices } from "./services-file.ts";

const keychainName = "dropleaf";

/** Place of a token: the system's keychain, or a file that only its owner can read. */
export type TokenPlace = "keychain" | "file";

/** Token of a service; undefined if this machine has none. */
export async function findToken(address: string): Promise<string | undefined> {
  const { services } = await readServices();
  const known = services[address];
  if (known === undefined) return undefined;
  return known.token ?? (await (await openKeychain(address))?.getPassword()) ?? undefined;
}

/** Stores a token and makes its service the current one. */
export async function storeToken(address: string, token: string): Promise<TokenPlace> {
  const isInKeychain = await putIntoKeychain(address, token);
  const { services } = await readServices();
  await writeServices({
    current: address,
    services: { ...services, [address]: isInKeychain ? {} : { token } },
  });
  return isInKeychain ? "keychain" : "file";
}

/** Removes a token from this machine without revoking it. */
export async function forgetToken(address: string): Promise<void> {
  const { current, services } = await readServices();
  const { [address]: _, ...others } = services;
  await (await openKeychain(address))?.deletePassword().catch(() => {});
  const next = current === address ? Object.keys(others)[0] : current;
  await writeServices({ current: next, services: others });
}

async function putIntoKeychain(address: string, token: string): Promise<boolean> {
  const keychain = await openKeychain(address);
  if (keychain === undefined) return false;
  try {
    await keychain.setPassword(token);
    return (await keychain.getPassword()) === token;
  } catch {
    // Servers and containers have no unlocked keychain.
    return false;
  }
}

/** The keychain's entry of a service. `DROPLEAF_KEYCHAIN=off` keeps tokens in the file. */
async function openKeychain(address: string) {
  if (process.env.DROPLEAF_KEYCHAIN === "off") return undefined;
  const { AsyncEntry } = await import("@napi-rs/keyring").catch(() => ({ AsyncEntry: undefined }));
  if (AsyncEntry === undefined) return undefined;
  const entry = new AsyncEntry(keychainName, address);
  return {
    getPassword: () => entry.getPassword().catch(() => undefined),
    setPassword: (token: string) => entry.setPassword(token),
    deletePassword: () => entry.deletePassword(),
  };
}
