import { createHash } from "node:crypto";
import {
  type FolderContent,
  type FolderFile,
  type Manifest,
  type ManifestFile,
  type PackedFile,
  packObjectKey,
  type StoredFolder,
  sentBytesMax,
} from "./folder.ts";

/** An earlier version of the drop, whose stored contents a new version can share. */
export interface KnownContents {
  readonly version: number;
  readonly manifest: Manifest;
}

/** Maximum number of packs (objects that contain several files) of a version. A version that needs more gets new packs. */
export const packsMax = 20;

/** Adds the digest and length to a sent file. */
export function toPackedFile({ path, bytes }: FolderFile): PackedFile {
  return { path, sha256: sha256Of(bytes), sizeBytes: bytes.byteLength, bytes };
}

/**
 * Arranges the files of a folder in packs. Shares the known contents, unless the version would then use too many packs.
 *
 * @param objectId id of the page's object, which is used only once
 */
export function packFolder(
  slug: string,
  { files, spa }: Pick<FolderContent, "files" | "spa">,
  known: KnownContents | undefined,
  objectId: string,
): StoredFolder {
  const keyOf = (index: number) => packObjectKey(slug, objectId, index);
  const shared = arrange(files, known ? contentsOf(known.manifest) : new Map(), keyOf);
  const isSpread =
    known !== undefined && shared.packKeys.length > packsMax && files.every(({ bytes }) => bytes);
  const { placed, packs, packKeys } = isSpread ? arrange(files, new Map(), keyOf) : shared;
  const isShared = packKeys.length > packs.length;
  return {
    version: {
      files: files.length,
      sizeBytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
      sha256: digestOf(placed),
      packKeys,
      spa,
      hasHost: true,
    },
    manifest: { files: Object.fromEntries(placed) },
    packs,
    sharesWith: isShared ? known?.version : undefined,
  };
}

/** Indexes the files of a manifest by the SHA-256 of their contents. */
export function contentsOf({ files }: Manifest): Map<string, ManifestFile> {
  return new Map(Object.values(files).map((file) => [file.sha256, file]));
}

type Placed = readonly (readonly [path: string, file: ManifestFile])[];

interface Arrangement extends Pick<StoredFolder, "packs"> {
  readonly placed: Placed;
  readonly packKeys: readonly string[];
}

function arrange(
  files: readonly PackedFile[],
  known: ReadonlyMap<string, ManifestFile>,
  keyOf: (index: number) => string,
): Arrangement {
  const contents = new Map(known);
  const large: { key: string; bytes: Uint8Array }[] = [];
  const pieces: Uint8Array[] = [];
  let packedBytes = 0;
  const place = ({ path, sha256, sizeBytes, bytes }: PackedFile): ManifestFile => {
    const found = contents.get(sha256);
    if (found !== undefined) return found;
    if (bytes === undefined) throw new Error(`The contents of ${path} are missing.`);
    const isLarge = sizeBytes > sentBytesMax;
    const packKey = keyOf(isLarge ? large.length + 1 : 0);
    const file = { sha256, sizeBytes, packKey, offset: isLarge ? 0 : packedBytes };
    if (isLarge) large.push({ key: packKey, bytes });
    else {
      pieces.push(bytes);
      packedBytes += sizeBytes;
    }
    contents.set(sha256, file);
    return file;
  };
  const placed = files
    .toSorted((one, other) => (one.path < other.path ? -1 : 1))
    .map((file) => [file.path, place(file)] as const);
  const together = pieces.length === 0 ? [] : [{ key: keyOf(0), bytes: Buffer.concat(pieces) }];
  const packKeys = [...new Set(placed.map(([, { packKey }]) => packKey))];
  return { placed, packs: [...together, ...large], packKeys };
}

/** Returns the SHA-256 of all paths and contents. It does not depend on the packs. */
function digestOf(placed: Placed): string {
  return sha256Of(Buffer.from(placed.map(([path, { sha256 }]) => `${sha256}  ${path}\n`).join("")));
}

/** Returns the SHA-256 of bytes, in hex. */
export function sha256Of(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
