/** A file of a folder: the digest and length of its contents. */
export interface DeclaredFile {
  readonly path: string;
  readonly sha256: string;
  readonly sizeBytes: number;
}

/** A file with its bytes, which may be absent if an earlier version of the drop has them. */
export interface PackedFile extends DeclaredFile {
  readonly bytes?: Uint8Array | undefined;
}

/** A file of a folder, as it was sent. */
export interface FolderFile {
  /** Path below the folder, in NFC, such as `assets/app.js`. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** A folder as it was sent. */
export interface FolderContent {
  readonly files: readonly PackedFile[];
  /** Path of the entry page. */
  readonly entry: string;
  /** Serves the entry page at missing paths. */
  readonly spa: boolean;
  /** SHA-256 of the sent bytes, by which a repeated request is recognized. */
  readonly digest: string;
}

/** Path of the entry page, unless a folder has another obvious one: `entryOf`. */
export const entryPath = "index.html";

/** A folder in the row of its version: docs/adr/0103-folders.md. */
export interface VersionFolder {
  readonly files: number;
  /** Bytes of all files, including the entry page. */
  readonly sizeBytes: number;
  /** SHA-256 of the manifest: equal for equal paths and contents. */
  readonly sha256: string;
  /** Keys of the objects with the contents. Versions of one drop share objects. */
  readonly packKeys: readonly string[];
  readonly spa: boolean;
  /** The drop has its own host for folders. Older releases published folders without one. @default false */
  readonly hasHost?: boolean;
}

/** A file of a stored folder: a part of a pack. */
export interface ManifestFile {
  readonly sha256: string;
  readonly sizeBytes: number;
  /** Key of the object that contains the file. A file of over `sentBytesMax` has its own object. */
  readonly packKey: string;
  /** Offset of the file in the pack, in bytes. */
  readonly offset: number;
}

/** The files of a version by path. It is stored beside the page under `manifestKey`, as JSON. */
export interface Manifest {
  readonly files: Readonly<Record<string, ManifestFile>>;
}

/** A folder as it will be stored. */
export interface StoredFolder {
  readonly version: VersionFolder;
  readonly manifest: Manifest;
  /** New objects, with contents that no earlier version has. */
  readonly packs: readonly { readonly key: string; readonly bytes: Uint8Array }[];
  /** Number of the version whose packs it shares. @default - none */
  readonly sharesWith: number | undefined;
}

/** Largest file that a function sends by itself. Larger ones are read from Amazon S3 by a signed address. */
export const sentBytesMax = 4 * 1024 * 1024;

/** Prefix of all packs and manifests in the pages' bucket. The edge forwards only signed requests for it. */
export const folderPrefix = "_files/";

/** The object key of a publication's pack, numbered from 0. The id is that of its page's object, which is used once. */
export function packObjectKey(slug: string, objectId: string, index: number): string {
  return `${folderPrefix}${slug}/${objectId}.${index}.pack`;
}

/** The object key of a version's manifest, from the key of its page. */
export function manifestKey(pageKey: string): string {
  return `${folderPrefix}${pageKey.replace(/\.html$/, ".json")}`;
}

/** The object key of a version's archive for downloads, from the key of its page. */
export function archiveKey(pageKey: string): string {
  return `${folderPrefix}${pageKey.replace(/\.html$/, ".zip")}`;
}
