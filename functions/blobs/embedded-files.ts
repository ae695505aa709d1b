import { limits } from "../core/limits.ts";
import type { Drop } from "../drops/drop.ts";
import { publicDrops } from "../drops/public-drops.ts";
import { blobUrl, type fetchDestination, type Site } from "../http/site.ts";
import { readerSessions } from "../identity/readers.ts";
import { findReader } from "../people/find-reader.ts";
import { canEmbed, canRead, isExpired } from "../policies/access.ts";
import { keys } from "../table/keys.ts";
import { createSeal, openSealed } from "../table/sealed-value.ts";
import { getItems } from "../table/table.ts";
import { type Blob, isRestricted } from "./blob.ts";
import { findReadableFile } from "./public-files.ts";
import { toBlob } from "./store.ts";

/** Lifetime of a key, in seconds. Images that a page loads during scrolling must be requested within this time. */
export const fileKeySeconds = 900;

/** Contents of a key with which a reader loads a file embedded in a page. */
interface FileKey {
  /** The page's slug. */
  readonly slug: string;
  /** Reference of the reader's session, from `sessionReference`. */
  readonly session: string;
  readonly expiresAtMs: number;
}

/** The only file that a key gives access to. */
interface KeyedFile {
  readonly namespace: string;
  readonly id: string;
}

const purpose = "file-key";

/** Matches the key in a file's address: the letter k, then base64url. A file's address without a key never has a k after the id. */
export const fileKeyPattern: RegExp = /^k[A-Za-z0-9_-]{40,200}$/;

/** Creates keys for files. They are encrypted, because the page's author could otherwise recognize its readers by the keys. */
export async function sealFileKeys(
  { slug, session, expiresAtMs }: FileKey,
  files: readonly KeyedFile[],
): Promise<string[]> {
  const seal = await createSeal(purpose);
  const text = JSON.stringify([slug, session, Math.floor(expiresAtMs / 1000)]);
  return files.map((file) => `k${seal(text, bindingOf(file))}`);
}

/** Decrypts a key. Returns undefined if the key was not created by this service for this file, or has expired. */
async function openFileKey(file: KeyedFile, key: string, nowMs: number): Promise<FileKey | undefined> {
  if (!fileKeyPattern.test(key)) return undefined;
  const text = await openSealed(purpose, key.slice(1), bindingOf(file));
  if (text === undefined) return undefined;
  const [slug, session, expiry] = JSON.parse(text) as [string, string, number];
  const opened = { slug, session, expiresAtMs: expiry * 1000 };
  return isExpired(opened, nowMs) ? undefined : opened;
}

function bindingOf({ namespace, id }: KeyedFile): readonly string[] {
  return ["file", namespace, id];
}

/** A reader's request for a guarded page. */
interface Reading {
  readonly site: Site;
  /** Reference of the reader's session. @default - the page has a passcode only, so the reader has not signed in */
  readonly session: string | undefined;
  readonly nowMs: number;
}

/**
 * Rewrites the addresses of the owner's files in a guarded page for the base host; see docs/adr/0051-restricted-files.md. Paths become
 * absolute URLs. Restricted files get a key, because the page has an opaque origin and its requests have no cookies.
 */
export async function withFileAddresses(
  page: Uint8Array,
  drop: Drop,
  { site, session, nowMs }: Reading,
): Promise<Uint8Array> {
  // Decodes each byte as one character, so that encoding restores the bytes. Addresses are ASCII in any charset of the page.
  const text = Buffer.from(page.buffer, page.byteOffset, page.byteLength).toString("latin1");
  const address = addressPattern(site, drop.namespace);
  const ids = new Set(Array.from(text.matchAll(address), ({ groups = {} }) => groups.id as string));
  if (ids.size === 0) return page;
  const keyOf = session === undefined ? new Map() : await keysOf([...ids], drop, session, nowMs);
  const changed = text.replace(address, (...found) => {
    const { before, id } = found.at(-1) as { before: string; id: string };
    const key = keyOf.get(id);
    const start = before.startsWith("/b/") ? blobUrl(site, drop.namespace, "") : before;
    if (key !== undefined) return `${start}${id}/${key}`;
    return start === before ? (found[0] as string) : start + id;
  });
  return Buffer.from(changed, "latin1");
}

/**
 * Matches the complete address of a file in a page's text: absolute, without the scheme, or root-absolute, after a delimiter. The match
 * includes an earlier reader's key, which may be in a page that was read, edited and published again.
 */
export function addressPattern(site: Site, namespace: string): RegExp {
  const { protocol, host, pathname } = new URL(blobUrl(site, namespace, ""));
  const before = `(?:(?:${protocol})?//${host})?${pathname}`.replaceAll(".", "\\.");
  const start = "(?<=^|[\"'`=(,;\\s])";
  const end = "(?:/k[A-Za-z0-9_-]+)?(?![A-Za-z0-9_/-])";
  return new RegExp(`${start}(?<before>${before})(?<id>[A-Za-z0-9]{7})${end}`, "g");
}

/** Creates a reader's key for each restricted file among the given files. */
async function keysOf(
  ids: readonly string[],
  { slug, ownerId, namespace }: Drop,
  session: string,
  nowMs: number,
): Promise<Map<string, string>> {
  const items = await getItems(ids.slice(0, limits.embeddedFilesMax).map((id) => keys.blob(ownerId, id)));
  const files = items.map(toBlob).filter((file) => file.namespace === namespace && isRestricted(file));
  const key = { slug, session, expiresAtMs: nowMs + fileKeySeconds * 1000 };
  const sealed = await sealFileKeys(key, files);
  return new Map(files.map(({ id }, index) => [id, sealed[index] ?? ""]));
}

/** A request for a file with a key from a page. */
interface EmbeddedRequest {
  readonly key: string;
  readonly to: ReturnType<typeof fetchDestination>;
  readonly nowMs: number;
}

/**
 * Finds a file for the reader of a page of the same owner. Returns undefined without access, and for requests from outside the page, so
 * that a reader cannot share an address with a key.
 */
export async function findEmbeddedFile(
  { namespace, id }: KeyedFile,
  { key: sealed, to, nowMs }: EmbeddedRequest,
): Promise<Blob | undefined> {
  const isEmbedded = to === "part" || to === "frame";
  const key = isEmbedded ? await openFileKey({ namespace, id }, sealed, nowMs) : undefined;
  if (key === undefined) return undefined;
  const { slug, session: reference } = key;
  const [pointer, file, session] = await Promise.all([
    publicDrops.findPointer(slug),
    findReadableFile(namespace, id, nowMs),
    readerSessions.find(reference, nowMs),
  ]);
  if (file === undefined || session === undefined) return undefined;
  const [drop, reader] = await Promise.all([
    publicDrops.findShownDrop(pointer, slug, nowMs),
    findReader(session, { ownerId: pointer?.ownerId }),
  ]);
  return drop && canEmbed(file, drop, nowMs) && canRead(drop, reader, nowMs) ? file : undefined;
}
