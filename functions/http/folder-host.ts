import { createHash } from "node:crypto";

/** Host name of a folder, one label below the base domain; see docs/adr/0119-folder-addresses.md. */
export interface FolderHost {
  /** Id of the folder's host, a hash of the slug. The slug cannot be derived from the id, except by trying all slugs. */
  readonly id: string;
  /** Version that the host always serves. @default - the latest */
  readonly version?: number | undefined;
  /** The host serves the folder inside the viewer's frame. @default false */
  readonly isFramed?: boolean;
}

/**
 * Prefix of the labels of folders' hosts. Namespaces never have two hyphens in a row, and IDNA reserves only `xn--` (RFC 5891, section
 * 5.4).
 */
export const folderHostPrefix = "f--";

const labelPattern = /^f--([0-9a-v]{26})(?:-v([1-9][0-9]{0,8}))?(-framed)?$/;

const idBytes = 16;
const idCharacters = 26;

/** Derives the id of a folder's host from the slug: 128 bits of a hash. The slug itself is case-sensitive, which host names are not. */
export function folderHostId(slug: string): string {
  const hash = createHash("sha256").update(`dropleaf folder host\n${slug}`).digest("hex");
  return BigInt(`0x${hash.slice(0, 2 * idBytes)}`)
    .toString(32)
    .padStart(idCharacters, "0");
}

/** Parses the lower-case label of a folder's host. Returns undefined for other labels. */
export function parseFolderLabel(label: string): FolderHost | undefined {
  const [, id, version, framed] = labelPattern.exec(label) ?? [];
  if (id === undefined) return undefined;
  return {
    id,
    version: version === undefined ? undefined : Number(version),
    isFramed: framed !== undefined,
  };
}

/** Makes the label of a folder's host; the inverse of `parseFolderLabel`. */
export function folderLabel({ id, version, isFramed = false }: FolderHost): string {
  return `${folderHostPrefix}${id}${version === undefined ? "" : `-v${version}`}${isFramed ? "-framed" : ""}`;
}
