import { createHmac, timingSafeEqual } from "node:crypto";

/** A cookie's value: `1.<expiry>.<HMAC-SHA256>`, where the signature covers what the cookie is good for. */
export function signCookie(key: string, purpose: readonly string[], expiresAtMs: number): string {
  const expiry = Math.floor(expiresAtMs / 1000);
  return `1.${expiry}.${signature(key, purpose, expiry)}`;
}

/** Whether the value was signed by the key for the same purpose and has not expired. */
export function isSignedCookie(
  key: string,
  purpose: readonly string[],
  value: string | undefined,
  nowMs: number,
) {
  const [, expiry = "", given = ""] = /^1\.([0-9]{1,12})\.([A-Za-z0-9_-]{43})$/.exec(value ?? "") ?? [];
  if (given === "" || Number(expiry) * 1000 <= nowMs) return false;
  return timingSafeEqual(Buffer.from(given), Buffer.from(signature(key, purpose, Number(expiry))));
}

function signature(key: string, purpose: readonly string[], expiry: number): string {
  // JSON keeps the parts apart: ["a","bc"] and ["ab","c"] must not sign alike.
  return createHmac("sha256", key)
    .update(JSON.stringify([...purpose, expiry]))
    .digest("base64url");
}
