import { isSignature, sign } from "./signature.ts";

/** A cookie's value: `1.<expiry>.<signature>`, where the signature covers what the cookie is good for. */
export function signCookie(key: string, purpose: readonly string[], expiresAtMs: number): string {
  const expiry = Math.floor(expiresAtMs / 1000);
  return `1.${expiry}.${sign(key, [...purpose, expiry])}`;
}

/** Whether the value was signed by the key for the same purpose and has not expired. */
export function isSignedCookie(
  key: string,
  purpose: readonly string[],
  value: string | undefined,
  nowMs: number,
): boolean {
  const [, expiry = "", signature = ""] = /^1\.([0-9]{1,12})\.([A-Za-z0-9_-]{43})$/.exec(value ?? "") ?? [];
  if (signature === "" || Number(expiry) * 1000 <= nowMs) return false;
  return isSignature(key, [...purpose, Number(expiry)], signature);
}
