import { createHmac, timingSafeEqual } from "node:crypto";
import { stringifySetCookie } from "cookie";

/**
 * Returns the `Set-Cookie` value of a cookie that scripts cannot read. The prefix `__Host-` keeps other hosts from setting or receiving the
 * cookie (RFC 6265bis, section 4.1.3.2). Browsers send the cookie when a person follows a link from another site, but not with requests
 * that the other site's pages make themselves.
 *
 * @param maxAge in seconds; 0 deletes the cookie
 */
export function hostCookie(name: `__Host-${string}`, value: string, maxAge: number): string {
  return stringifySetCookie({
    name,
    value,
    httpOnly: true,
    secure: true,
    sameSite: "lax",
    path: "/",
    maxAge,
  });
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
