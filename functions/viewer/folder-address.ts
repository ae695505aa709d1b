import { fileKeyPattern } from "../blobs/embedded-files.ts";
import { decodedPath } from "../folders/find-file.ts";
import type { FolderHost } from "../http/folder-host.ts";

/**
 * Parsed URL path of a file below `/p/<slug>/raw/` or on the folder's host; see docs/adr/0103-folders.md and
 * docs/adr/0119-folder-addresses.md.
 */
export interface FolderAddress {
  /** Version pinned by the URL. @default - the latest */
  readonly version: number | undefined;
  /** True if the URL is for the viewer's frame. */
  readonly isFramed: boolean;
  /** Key for the files of a guarded drop. @default - none */
  readonly key: string | undefined;
  /** Part of the URL path after the version or key, unchanged. */
  readonly rest: string;
  /** Path of the file in its folder. Undefined if the URL cannot be decoded. */
  readonly path: string | undefined;
}

const addressPattern = /^\/p\/[A-Za-z0-9]{7}\/raw\/(?:@([^/]*)(\/|$))?(.*)$/;
const pinPattern = /^([1-9][0-9]{0,8})(-framed)?$/;

/**
 * Parses a path below `/p/<slug>/raw/`. Returns undefined if the first segment begins with `@` and is neither a key nor
 * a version.
 */
export function parseFolderAddress(requestPath: string): FolderAddress | undefined {
  const [, mark, slash, rest] = addressPattern.exec(requestPath) ?? [];
  if (rest === undefined) return undefined;
  const plain = { version: undefined, isFramed: false, key: undefined, rest, path: decodedPath(rest) };
  if (mark === undefined) return plain;
  const file = { ...plain, path: slash === "" ? undefined : plain.path };
  if (fileKeyPattern.test(mark)) return { ...file, key: mark };
  const [, version, framed] = pinPattern.exec(mark) ?? [];
  return version === undefined
    ? undefined
    : { ...file, version: Number(version), isFramed: framed !== undefined };
}

/**
 * Parses a path on a folder's host. Every path on this host belongs to the folder. The edge adds the prefix of the
 * folder-file route, so that API Gateway can match it.
 */
export function parseHostAddress(
  requestPath: string,
  { version, isFramed = false }: FolderHost,
): FolderAddress | undefined {
  const [, rest] = /^\/p\/[A-Za-z0-9]{7}\/raw\/(.*)$/.exec(requestPath) ?? [];
  if (rest === undefined) return undefined;
  return { version, isFramed, key: undefined, rest, path: decodedPath(rest) };
}

/** Builds the path of a file in a folder. */
export function folderPath(
  slug: string,
  {
    version,
    isFramed = false,
    key,
    rest = "",
  }: Partial<Pick<FolderAddress, "version" | "isFramed" | "key" | "rest">> = {},
): string {
  const mark = key ?? (version === undefined ? undefined : `${version}${isFramed ? "-framed" : ""}`);
  return `/p/${slug}/raw/${mark === undefined ? "" : `@${mark}/`}${rest}`;
}
