import { createHash } from "node:crypto";
import {
  type FolderContent,
  type FolderFile,
  type Manifest,
  type ManifestFile,
  packObjectKey,
  type StoredFolder,
  sentBytesMax,
} from "./folder.ts";

/** Contents of an earlier version of the same drop. */
export interface KnownContents {
  readonly version: number;
  readonly manifest: Manifest;
}

/** Packs that a version reads from. With more, all contents are packed anew. */
const packsMax = 20;

/**
 * Arranges the files of a folder in packs. Contents that the known version has are not stored again.
 *
 * @param objectId of the page's object, which is used once
 */
export function packFolder(
  slug: string,
  { files, spa }: Pick<FolderContent, "files" | "spa">,
  known: KnownContents | undefined,
  objectId: string,
): StoredFolder {
  const keyOf = (index: number) => packObjectKey(slug, objectId, index);
  const shared = known && arrange(files, contentsOf(known.manifest), keyOf);
  const isShared = shared !== undefined && shared.packKeys.length <= packsMax;
  const { placed, packs, packKeys } = isShared ? shared : arrange(files, new Map(), keyOf);
  const isReused = isShared && packKeys.length > packs.length;
  return {
    version: {
      files: files.length,
      sizeBytes: files.reduce((sum, { bytes }) => sum + bytes.byteLength, 0),
      sha256: digestOf(placed),
      packKeys,
      spa,
    },
    manifest: { files: Object.fromEntries(placed) },
    packs,
    sharesWith: isReused ? known?.version : undefined,
  };
}

/** Contents of a manifest by their SHA-256. */
export function contentsOf({ files }: Manifest): Map<string, ManifestFile> {
  return new Map(Object.values(files).map((file) => [file.sha256, file]));
}

type Placed = readonly (readonly [path: string, file: ManifestFile])[];

interface Arrangement extends Pick<StoredFolder, "packs"> {
  readonly placed: Placed;
  readonly packKeys: readonly string[];
}

function arrange(
  files: readonly FolderFile[],
  known: ReadonlyMap<string, ManifestFile>,
  keyOf: (index: number) => string,
): Arrangement {
  const contents = new Map(known);
  const packs: { key: string; bytes: Uint8Array }[] = [];
  const together = { key: keyOf(0), pieces: [] as Uint8Array[], sizeBytes: 0 };
  const place = ({ bytes }: FolderFile): ManifestFile => {
    const sha256 = sha256Of(bytes);
    const found = contents.get(sha256);
    if (found !== undefined) return found;
    const sizeBytes = bytes.byteLength;
    const isLarge = sizeBytes > sentBytesMax;
    const packKey = isLarge ? keyOf(packs.length + 1) : together.key;
    const file = { sha256, sizeBytes, packKey, offset: isLarge ? 0 : together.sizeBytes };
    if (isLarge) packs.push({ key: packKey, bytes });
    else {
      together.pieces.push(bytes);
      together.sizeBytes += sizeBytes;
    }
    contents.set(sha256, file);
    return file;
  };
  const placed = files
    .toSorted((one, other) => (one.path < other.path ? -1 : 1))
    .map((file) => [file.path, place(file)] as const);
  if (together.pieces.length > 0) packs.push({ key: together.key, bytes: Buffer.concat(together.pieces) });
  const packKeys = [...new Set(placed.map(([, { packKey }]) => packKey))];
  return { placed, packs, packKeys };
}

/** SHA-256 of the paths and contents, wherever those are stored. */
function digestOf(placed: Placed): string {
  return sha256Of(Buffer.from(placed.map(([path, { sha256 }]) => `${sha256}  ${path}\n`).join("")));
}

function sha256Of(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
