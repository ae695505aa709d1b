import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { cookieKeys } from "../platform/cookie-keys.ts";

/** As long as somebody may take to come to the end of a page whose images load as it is scrolled. */
export const fileKeySeconds = 900;

/** What lets a page's reader have a file that the page embeds: whose page it is, and who reads it. */
export interface FileKey {
  /** The page's. */
  readonly slug: string;
  /** `sessionReference` of the reader's session. */
  readonly session: string;
  readonly expiresAtMs: number;
}

/** Of which file a key is: it opens no other. */
interface KeyedFile {
  readonly namespace: string;
  readonly id: string;
}

const algorithm = "aes-256-gcm";
const ivBytes = 12;
const tagBytes = 16;

/** What a key is in an address: a letter that no file's id can go on with, and base64url. */
export const fileKeyPattern: RegExp = /^k[A-Za-z0-9_-]{40,200}$/;

/**
 * Seals keys of files. They are in pages, whose scripts read them: so nothing can be read in a key, or else a page's author could
 * tell its readers apart, and know them again.
 */
export async function sealFileKeys(
  { slug, session, expiresAtMs }: FileKey,
  files: readonly KeyedFile[],
): Promise<string[]> {
  const secret = secretOf(await cookieKeys.signing());
  const text = JSON.stringify([slug, session, Math.floor(expiresAtMs / 1000)]);
  return files.map((file) => {
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv(algorithm, secret, iv, { authTagLength: tagBytes });
    cipher.setAAD(purposeOf(file));
    const sealed = Buffer.concat([iv, cipher.update(text), cipher.final(), cipher.getAuthTag()]);
    return `k${sealed.toString("base64url")}`;
  });
}

/** Opens a key; undefined where it was not sealed here for this file, or has expired. */
export async function openFileKey(file: KeyedFile, key: string, nowMs: number): Promise<FileKey | undefined> {
  if (!fileKeyPattern.test(key)) return undefined;
  const sealed = Buffer.from(key.slice(1), "base64url");
  let found: FileKey | undefined;
  await cookieKeys.holds((signing) => {
    found ??= open(secretOf(signing), file, sealed);
    return found !== undefined;
  });
  return found && found.expiresAtMs > nowMs ? found : undefined;
}

function open(secret: Uint8Array, file: KeyedFile, sealed: Buffer): FileKey | undefined {
  if (sealed.byteLength <= ivBytes + tagBytes) return undefined;
  const decipher = createDecipheriv(algorithm, secret, sealed.subarray(0, ivBytes), {
    authTagLength: tagBytes,
  });
  decipher.setAAD(purposeOf(file));
  decipher.setAuthTag(sealed.subarray(-tagBytes));
  try {
    const text = Buffer.concat([decipher.update(sealed.subarray(ivBytes, -tagBytes)), decipher.final()]);
    const [slug, session, expiry] = JSON.parse(text.toString()) as [string, string, number];
    return { slug, session, expiresAtMs: expiry * 1000 };
  } catch {
    return undefined;
  }
}

/** Another secret than what signs cookies, made of the same. */
function secretOf(signingKey: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", signingKey, "", "file-key", 32));
}

function purposeOf({ namespace, id }: KeyedFile): Buffer {
  return Buffer.from(JSON.stringify(["file", namespace, id]));
}
