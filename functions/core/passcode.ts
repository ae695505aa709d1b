import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { limits } from "./limits.ts";

/** Parameters of scrypt (RFC 7914), with which a hash takes slightly more than Node's default `maxmem` of 32 MiB. */
const cost = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
const keyBytes = 32;
const saltBytes = 16;
const derive = promisify<string, Uint8Array, number, typeof cost, Buffer>(scrypt);

/** Hashes a passcode for storage. The result has the form `scrypt$N$r$p$salt$key`, with salt and key in base64url. */
export async function hashPasscode(
  passcode: string,
  salt: Uint8Array = randomBytes(saltBytes),
): Promise<string> {
  const key = await derive(passcode, salt, keyBytes, cost);
  const { N, r, p } = cost;
  return ["scrypt", N, r, p, Buffer.from(salt).toString("base64url"), key.toString("base64url")].join("$");
}

/** Compares a passcode with its hash in constant time. */
export async function matchesPasscode(passcode: string, stored: string): Promise<boolean> {
  const [, N, r, p, salt = "", key = ""] = stored.split("$");
  const expected = Buffer.from(key, "base64url");
  const parameters = { N: Number(N), r: Number(r), p: Number(p), maxmem: cost.maxmem };
  const derived = await derive(passcode, Buffer.from(salt, "base64url"), expected.byteLength, parameters);
  return timingSafeEqual(derived, expected);
}

/** Maximum number of UTF-16 code units that NFKC turns into one byte of UTF-8: `𝟗` has two code units and becomes `9`. */
const unitsPerByteMax = 2;

/**
 * Normalizes a passcode to NFKC, so that different keyboards give the same bytes. Returns undefined if the result is too long, because NFKC
 * can expand one character to eighteen.
 */
export function normalizePasscode(text: string): string | undefined {
  if (text.length > limits.passcodeBytesMax * unitsPerByteMax) return undefined;
  const normalized = text.normalize("NFKC");
  return Buffer.byteLength(normalized) <= limits.passcodeBytesMax ? normalized : undefined;
}
