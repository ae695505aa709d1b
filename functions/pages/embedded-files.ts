import { type Blob, isKeptApart } from "../blobs/blob.ts";
import { toBlob } from "../blobs/store.ts";
import type { Drop } from "../drops/drop.ts";
import { keys } from "../platform/keys.ts";
import { limits } from "../platform/limits.ts";
import { blobUrl, type Site } from "../platform/site.ts";
import { getItems } from "../platform/table.ts";
import { fileKeySeconds, sealFileKeys } from "../readers/file-key.ts";

/** Who reads a page, and when. */
interface Reading {
  readonly site: Site;
  /** `sessionReference` of the reader's session. */
  readonly session: string;
  readonly nowMs: number;
}

/**
 * A page for some readers, with a key in each address of a file of its owner's that is for some readers too: the page has no origin,
 * so that no cookie comes along with what it embeds. Every other byte is as it was, and so are addresses that are written in another
 * way than the service hands them out. docs/adr/0051-files-for-some-readers.md
 */
export async function withFileKeys(page: Uint8Array, drop: Drop, reading: Reading): Promise<Uint8Array> {
  // Each byte a character, and back: addresses are ASCII, whatever stands around them.
  const text = Buffer.from(page.buffer, page.byteOffset, page.byteLength).toString("latin1");
  const address = addressPattern(reading.site, drop.namespace);
  const ids = new Set(Array.from(text.matchAll(address), ({ groups = {} }) => groups.id as string));
  if (ids.size === 0) return page;
  const files = await findKeptApart(drop, [...ids].slice(0, limits.embeddedFilesMax));
  const keyOf = await sealEach(files, drop, reading);
  if (keyOf.size === 0) return page;
  const changed = text.replace(address, (...found) => {
    const { before, id } = found.at(-1) as { before: string; id: string };
    const key = keyOf.get(id);
    return key === undefined ? (found[0] as string) : `${before}${id}/${key}`;
  });
  return Buffer.from(changed, "latin1");
}

/**
 * The address of a file, all of it, in a page's text: whole, without its scheme, or from the root of the host, after what an attribute, a style, a script or a
 * list of addresses has before one. A key that an earlier reader got goes: the page was read, edited and published again.
 */
export function addressPattern(site: Site, namespace: string): RegExp {
  const { protocol, host, pathname } = new URL(blobUrl(site, namespace, ""));
  const before = `(?:(?:${protocol})?//${host})?${pathname}`.replaceAll(".", "\\.");
  const start = "(?<=^|[\"'`=(,;\\s])";
  const end = "(?:/k[A-Za-z0-9_-]+)?(?![A-Za-z0-9_/-])";
  return new RegExp(`${start}(?<before>${before})(?<id>[A-Za-z0-9]{7})${end}`, "g");
}

async function findKeptApart({ ownerId, namespace }: Drop, ids: readonly string[]): Promise<Blob[]> {
  const items = await getItems(ids.map((id) => keys.blob(ownerId, id)));
  return items.map(toBlob).filter((file) => file.namespace === namespace && isKeptApart(file));
}

async function sealEach(
  files: readonly Blob[],
  { slug }: Drop,
  { session, nowMs }: Reading,
): Promise<Map<string, string>> {
  const sealed = await sealFileKeys({ slug, session, expiresAtMs: nowMs + fileKeySeconds * 1000 }, files);
  return new Map(files.map(({ id }, index) => [id, sealed[index] ?? ""]));
}
