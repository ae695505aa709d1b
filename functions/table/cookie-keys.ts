import { randomInt } from "node:crypto";
import { randomBase62 } from "./identifiers.ts";
import { keys } from "./keys.ts";
import { getItem, type Item } from "./table.ts";
import { updateItem } from "./table-writes.ts";

/** Length of a key: 64 base62 characters, 381 bits. HMAC-SHA256 uses 256 of these bits. */
const keyLength = 64;

/** How long keys are cached. */
const keptMs = 5 * 60 * 1000;

/** If cached keys do not verify a cookie and are older than this, they are read again, because an operator may have rotated them. */
const keptInDoubtMs = 10 * 1000;

/** The key that signs cookies, and the previous key, which was replaced by the last rotation. */
interface CookieKeys {
  readonly signing: string;
  readonly before: string | undefined;
}

interface Kept {
  /** Undefined until the first key is created. */
  readonly found: Promise<CookieKeys | undefined>;
  readonly readAtMs: number;
}

let kept: Kept | undefined;

/**
 * The keys that sign cookies. They are in an item of the table, which is created before the first signature, and cached in memory for five
 * minutes. docs/adr/0022-fixed-monthly-cost.md explains why they are not in AWS Secrets Manager.
 */
export const cookieKeys = {
  /**
   * Creates the key if it is missing. With this grant, a caller could also replace the key with a known one. Therefore only sign-in, the
   * passcode page and the registration of OAuth clients have the grant. All other operations that sign run after one of these.
   *
   * The operation needs the grant `secrets: ["cookieKey", "newCookieKey"]`.
   */
  async ensure(): Promise<void> {
    const found = (await read(keptMs)) ?? (await keep(make()));
    if (found === undefined)
      throw new Error("The key that signs cookies is missing and could not be created.");
  },

  /** Returns the key that signs cookies. @throws Error if the key is missing. The next sign-in creates it */
  async signing(): Promise<string> {
    const found = await read(keptMs);
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
    for (const ageMsMax of [keptMs, keptInDoubtMs]) {
      const known = await read(ageMsMax);
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
      // This condition is always true. `updateItem` requires a condition, and the item may not exist yet.
      condition: "attribute_exists(pk) OR attribute_not_exists(pk)",
      values: { ":new": newKey() },
    });
    kept = undefined;
  },
};

function read(ageMsMax: number): Promise<CookieKeys | undefined> {
  if (kept && Date.now() - kept.readAtMs <= ageMsMax) return kept.found;
  return keep(getItem(keys.cookieKeys()).then(toCookieKeys));
}

function keep(found: Promise<CookieKeys | undefined>): Promise<CookieKeys | undefined> {
  const mine = { found, readAtMs: Date.now() };
  kept = mine;
  const forget = () => {
    if (kept === mine) kept = undefined;
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
