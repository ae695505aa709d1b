import { limits } from "../core/limits.ts";
import type { Drop } from "../drops/drop.ts";
import { publicDrops } from "../drops/public-drops.ts";
import { createSeal, openSealed } from "../http/sealed-value.ts";
import { blobUrl, type fetchDestination, type Site } from "../http/site.ts";
import { readerSessions } from "../identity/readers.ts";
import { findReader } from "../people/find-reader.ts";
import { canEmbed, canRead, isExpired } from "../policies/access.ts";
import { keys } from "../table/keys.ts";
import { getItems } from "../table/table.ts";
import { type Blob, isRestricted } from "./blob.ts";
import { findReadableFile } from "./public-files.ts";
import { toBlob } from "./store.ts";

/** The lifetime of a key: enough to scroll to the end of a page whose images load as it is scrolled. */
export const fileKeySeconds = 900;

/** A reader's right to a file that a page embeds: the page, and the reader's session. */
export interface FileKey {
  /** The page's slug. */
  readonly slug: string;
  /** `sessionReference` of the reader's session. */
  readonly session: string;
  readonly expiresAtMs: number;
}

/** The file that the key opens. A key opens no other file. */
interface KeyedFile {
  readonly namespace: string;
  readonly id: string;
}

const purpose = "file-key";

/** The form of a key in an address: a letter that cannot follow a file's id, and base64url. */
export const fileKeyPattern: RegExp = /^k[A-Za-z0-9_-]{40,200}$/;

/**
 * Seals keys of files. Scripts can read the keys in their page, so a key must reveal nothing. Otherwise a page's author could distinguish
 * and recognize its readers.
 */
export async function sealFileKeys(
  { slug, session, expiresAtMs }: FileKey,
  files: readonly KeyedFile[],
): Promise<string[]> {
  const seal = await createSeal(purpose);
  const text = JSON.stringify([slug, session, Math.floor(expiresAtMs / 1000)]);
  return files.map((file) => `k${seal(text, bindingOf(file))}`);
}

/** Opens a key; undefined if it was not sealed here for this file, or has expired. */
export async function openFileKey(file: KeyedFile, key: string, nowMs: number): Promise<FileKey | undefined> {
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

/** A guarded page's reader, and the time of the view. */
interface Reading {
  readonly site: Site;
  /** `sessionReference` of the reader's session. @default - the page is locked and not restricted, so its reader is unknown */
  readonly session: string | undefined;
  readonly nowMs: number;
}

/**
 * Rewrites the addresses of the owner's files in a guarded page for the base host: paths become whole addresses, and restricted files get a
 * key, since the page has no origin and its requests have no cookies. Addresses in other spellings, and all other bytes, stay unchanged.
 * docs/adr/0051-restricted-files.md
 */
export async function withFileAddresses(
  page: Uint8Array,
  drop: Drop,
  { site, session, nowMs }: Reading,
): Promise<Uint8Array> {
  // Decodes each byte as one character and encodes it again: addresses are ASCII, regardless of the text around them.
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
 * Matches the complete address of a file in a page's text: absolute, without its scheme, or from the root of the host, after the delimiters
 * of attributes, styles, scripts and lists of addresses. It includes a key of an earlier reader, which is replaced: the page was read,
 * edited and published again.
 */
export function addressPattern(site: Site, namespace: string): RegExp {
  const { protocol, host, pathname } = new URL(blobUrl(site, namespace, ""));
  const before = `(?:(?:${protocol})?//${host})?${pathname}`.replaceAll(".", "\\.");
  const start = "(?<=^|[\"'`=(,;\\s])";
  const end = "(?:/k[A-Za-z0-9_-]+)?(?![A-Za-z0-9_/-])";
  return new RegExp(`${start}(?<before>${before})(?<id>[A-Za-z0-9]{7})${end}`, "g");
}

async function findRestrictedFiles({ ownerId, namespace }: Drop, ids: readonly string[]): Promise<Blob[]> {
  const items = await getItems(ids.map((id) => keys.blob(ownerId, id)));
  return items.map(toBlob).filter((file) => file.namespace === namespace && isRestricted(file));
}

/** The keys of the restricted files among these, for one reader. */
async function keysOf(
  ids: readonly string[],
  drop: Drop,
  session: string,
  nowMs: number,
): Promise<Map<string, string>> {
  const files = await findRestrictedFiles(drop, ids.slice(0, limits.embeddedFilesMax));
  const key = { slug: drop.slug, session, expiresAtMs: nowMs + fileKeySeconds * 1000 };
  const sealed = await sealFileKeys(key, files);
  return new Map(files.map(({ id }, index) => [id, sealed[index] ?? ""]));
}

/** A request for a file by a key from a page. */
interface EmbeddedRequest {
  readonly key: string;
  readonly to: ReturnType<typeof fetchDestination>;
  readonly nowMs: number;
}

/**
 * Finds a file for the reader of a page of the same owner; undefined when access is denied. Only embedded requests are allowed: a person who
 * was sent an address with a key would open it in a window, or with a program.
 */
export async function findEmbeddedFile(
  { namespace, id }: { readonly namespace: string; readonly id: string },
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
