import { createSeal, openSealed } from "../platform/sealed-value.ts";

/** The lifetime of a key: enough to scroll to the end of a page whose images load as it is scrolled. */
export const fileKeySeconds = 900;

/** A reader's right to a file that a page embeds: the page, and the reader's session. */
export interface FileKey {
  /** The page's. */
  readonly slug: string;
  /** `sessionReference` of the reader's session. */
  readonly session: string;
  readonly expiresAtMs: number;
}

/** The file that a key opens; it opens no other. */
interface KeyedFile {
  readonly namespace: string;
  readonly id: string;
}

const purpose = "file-key";

/** The form of a key in an address: a letter that no file's id can go on with, and base64url. */
export const fileKeyPattern: RegExp = /^k[A-Za-z0-9_-]{40,200}$/;

/**
 * Seals keys of files. They are in pages, whose scripts read them: so nothing can be read in a key, or else a page's author could
 * tell its readers apart, and know them again.
 */
export async function sealFileKeys(
  { slug, session, expiresAtMs }: FileKey,
  files: readonly KeyedFile[],
): Promise<string[]> {
  const seal = await createSeal(purpose);
  const text = JSON.stringify([slug, session, Math.floor(expiresAtMs / 1000)]);
  return files.map((file) => `k${seal(text, bindingOf(file))}`);
}

/** Opens a key; undefined where it was not sealed here for this file, or has expired. */
export async function openFileKey(file: KeyedFile, key: string, nowMs: number): Promise<FileKey | undefined> {
  if (!fileKeyPattern.test(key)) return undefined;
  const text = await openSealed(purpose, key.slice(1), bindingOf(file));
  if (text === undefined) return undefined;
  const [slug, session, expiry] = JSON.parse(text) as [string, string, number];
  const expiresAtMs = expiry * 1000;
  return expiresAtMs > nowMs ? { slug, session, expiresAtMs } : undefined;
}

function bindingOf({ namespace, id }: KeyedFile): readonly string[] {
  return ["file", namespace, id];
}
