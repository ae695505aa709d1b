import { createHmac, timingSafeEqual } from "node:crypto";

/** HMAC-SHA256 of the parts, in base64url: 43 characters. */
export function sign(key: string, parts: readonly (string | number)[]): string {
  // JSON keeps the parts apart: ["a","bc"] and ["ab","c"] must not sign alike.
  return createHmac("sha256", key).update(JSON.stringify(parts)).digest("base64url");
}

/** Whether the signature is the key's for these parts; takes the same time either way. */
export function isSignature(key: string, parts: readonly (string | number)[], signature: string): boolean {
  const expected = Buffer.from(sign(key, parts));
  const given = Buffer.from(signature);
  return given.byteLength === expected.byteLength && timingSafeEqual(given, expected);
}
