import { createHmac, randomInt, timingSafeEqual } from "node:crypto";
import { randomBase62 } from "./identifiers.ts";
import { keys } from "./keys.ts";
import { getItem, type Item } from "./table.ts";
import { always, updateItem } from "./table-writes.ts";

/** Length of a key: 64 base62 characters, 381 bits. HMAC-SHA256 uses 256 of these bits. */
const keyLength = 64;

/** Maximum age of cached keys. */
const ageMsMax = 5 * 60 * 1000;

/** If cached keys do not verify a cookie and are older than this, they are read again, because an operator may have rotated them. */
const failedAgeMsMax = 10 * 1000;

/** The key that signs cookies, and the previous key, which was replaced by the last rotation. */
interface CookieKeys {
  readonly signing: string;
  readonly before: string | undefined;
}

/** The keys of the last read. They are undefined until the first key is created. */
let cached: { readonly found: Promise<CookieKeys | undefined>; readonly readAtMs: number } | undefined;

/**
 * The keys that sign cookies. They are in an item of the table, which is created before the first signature, and cached in memory for five
 * minutes. docs/adr/0022-fixed-monthly-cost.md explains why they are not in AWS Secrets Manager.
 */
export const cookieKeys = {
  /**
   * Creates the key if it is missing. An operation that may create the key could also replace it with a known one. Therefore only sign-in,
   * the passcode page and the registration of OAuth clients have the grant. All other operations that sign run after one of these.
   *
   * The operation needs the grant `secrets: ["cookieKey", "newCookieKey"]`.
   */
  async ensure(): Promise<void> {
    const found = (await read(ageMsMax)) ?? (await cache(make()));
    if (found === undefined)
      throw new Error("The key that signs cookies is missing and could not be created.");
  },

  /** Returns the key that signs cookies. @throws Error if the key is missing. The next sign-in creates it */
  async signing(): Promise<string> {
    const found = await read(ageMsMax);
    if (found === undefined)
      throw new Error("The key that signs cookies is missing. The next sign-in creates it.");
    return found.signing;
  },

  /** Verifies with the current or the previous key, so that a rotation does not end sessions. */
  async holds(holdsWith: (key: string) => boolean): Promise<boolean> {
    return (await cookieKeys.find((key) => holdsWith(key) || undefined)) ?? false;
  },

  /**
   * Returns the first result of `findWith` for the current or the previous key, or undefined. If both keys fail, reads them again, because
   * they may have just been rotated.
   */
  async find<Found>(findWith: (key: string) => Found | undefined): Promise<Found | undefined> {
    for (const maximum of [ageMsMax, failedAgeMsMax]) {
      const known = await read(maximum);
      for (const key of [known?.signing, known?.before]) {
        const found = key === undefined ? undefined : findWith(key);
        if (found !== undefined) return found;
      }
    }
    return undefined;
  },

  /** Creates a new signing key. The current key becomes the previous one. */
  async rotate(): Promise<void> {
    await updateItem({
      key: keys.cookieKeys(),
      update: "SET keyBefore = if_not_exists(signingKey, :new), signingKey = :new",
      condition: always,
      values: { ":new": newKey() },
    });
    cached = undefined;
  },
};

function read(maximum: number): Promise<CookieKeys | undefined> {
  if (cached && Date.now() - cached.readAtMs <= maximum) return cached.found;
  return cache(getItem(keys.cookieKeys()).then(toCookieKeys));
}

function cache(found: Promise<CookieKeys | undefined>): Promise<CookieKeys | undefined> {
  const mine = { found, readAtMs: Date.now() };
  cached = mine;
  const forget = () => {
    if (cached === mine) cached = undefined;
  };
  // A missing key is not cached, because the next sign-in creates it.
  found.then((there) => there ?? forget(), forget);
  return found;
}

/** Creates the first key. Concurrent callers share the key that was created first. */
async function make(): Promise<CookieKeys | undefined> {
  const { item } = await updateItem({
    key: keys.cookieKeys(),
    update: "SET signingKey = :new",
    condition: "attribute_not_exists(pk)",
    values: { ":new": newKey() },
  });
  return toCookieKeys(item);
}

function newKey(): string {
  return randomBase62(randomInt, keyLength);
}

function toCookieKeys(item: Item | undefined): CookieKeys | undefined {
  if (item === undefined) return undefined;
  const { signingKey, keyBefore } = item;
  if (typeof signingKey !== "string" || signingKey === "") {
    throw new Error("The item with the cookie keys has no signingKey.");
  }
  return { signing: signingKey, before: typeof keyBefore === "string" ? keyBefore : undefined };
}

/** Signs the parts with HMAC-SHA256. The signature has 43 characters in base64url. */
export function sign(key: string, parts: readonly (string | number)[]): string {
  // As JSON, the parts ["a","bc"] and ["ab","c"] have different signatures.
  return createHmac("sha256", key).update(JSON.stringify(parts)).digest("base64url");
}

/** Verifies a signature, comparing in constant time. */
export function isSignature(key: string, parts: readonly (string | number)[], signature: string): boolean {
  const expected = Buffer.from(sign(key, parts));
  const given = Buffer.from(signature);
  return given.byteLength === expected.byteLength && timingSafeEqual(given, expected);
}

/**
 * Creates the value of a signed cookie, `1.<expiry>.<nonce>.<signature>`. The signature covers the cookie's purpose. The nonce makes each
 * browser's cookie different.
 */
export function signCookie(
  key: string,
  purpose: readonly string[],
  { nonce, expiresAtMs }: { readonly nonce: string; readonly expiresAtMs: number },
): string {
  const expiry = Math.floor(expiresAtMs / 1000);
  return `1.${expiry}.${nonce}.${sign(key, [...purpose, nonce, expiry])}`;
}

/** Verifies a signed cookie's key, purpose and expiry. */
export function isSignedCookie(
  key: string,
  purpose: readonly string[],
  value: string | undefined,
  nowMs: number,
): boolean {
  const pattern = /^1\.([0-9]{1,12})\.([A-Za-z0-9_-]{1,64})\.([A-Za-z0-9_-]{43})$/;
  const [, expiry = "", nonce = "", signature = ""] = pattern.exec(value ?? "") ?? [];
  if (signature === "" || Number(expiry) * 1000 <= nowMs) return false;
  return isSignature(key, [...purpose, nonce, Number(expiry)], signature);
}
