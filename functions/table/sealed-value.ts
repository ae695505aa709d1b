import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { cookieKeys } from "./cookie-keys.ts";

/** Strings to which a sealed (encrypted and authenticated) value is bound. Opening the value requires the same strings. */
export type SealBinding = readonly string[];

/** Encrypts and authenticates a text. Returns the result in base64url. */
type Seal = (text: string, binding: SealBinding) => string;

// Authenticated encryption, which allows 2^32 random initialization vectors for one key (NIST SP 800-38D, section 8.3).
const algorithm = "aes-256-gcm";
const keyBytes = 32;
const ivBytes = 12;
const tagBytes = 16;

/**
 * Returns a function that seals texts with a key for one purpose, derived from the current cookie key. A sealed text can be opened until
 * the cookie key has been rotated twice.
 */
export async function createSeal(purpose: string): Promise<Seal> {
  const key = keyFor(purpose, await cookieKeys.signing());
  return (text, binding) => {
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv(algorithm, key, iv, { authTagLength: tagBytes });
    cipher.setAAD(dataOf(binding));
    return Buffer.concat([iv, cipher.update(text), cipher.final(), cipher.getAuthTag()]).toString(
      "base64url",
    );
  };
}

/** Opens a sealed text. Returns undefined if this service did not seal the text for this purpose and binding. */
export async function openSealed(
  purpose: string,
  sealed: string,
  binding: SealBinding,
): Promise<string | undefined> {
  const bytes = Buffer.from(sealed, "base64url");
  // Accepts only the canonical base64url spelling of a sealed text.
  if (bytes.byteLength <= ivBytes + tagBytes || bytes.toString("base64url") !== sealed) return undefined;
  return cookieKeys.find((signingKey) => open(keyFor(purpose, signingKey), bytes, binding));
}

function open(key: Uint8Array, bytes: Buffer, binding: SealBinding): string | undefined {
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes });
  decipher.setAAD(dataOf(binding));
  decipher.setAuthTag(bytes.subarray(-tagBytes));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(ivBytes, -tagBytes)), decipher.final()]).toString();
  } catch {
    return undefined;
  }
}

/** Derives a key for one purpose from the key that signs cookies (RFC 5869). */
function keyFor(purpose: string, signingKey: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", signingKey, "", purpose, keyBytes));
}

function dataOf(binding: SealBinding): Buffer {
  return Buffer.from(JSON.stringify(binding));
}
