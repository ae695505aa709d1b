/** A file that a client declares: its path, and the digest and length of its contents. */
export interface DeclaredFile {
  readonly path: string;
  readonly sha256: string;
  readonly sizeBytes: number;
}

/** A file to publish. `bytes` may be undefined if an earlier version of the drop has the same contents. */
export interface PackedFile extends DeclaredFile {
  readonly bytes?: Uint8Array | undefined;
}

/** A file of a folder, as it was sent. */
export interface FolderFile {
  /** Path within the folder in NFC, such as `assets/app.js`. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** A folder as it was sent. */
export interface FolderContent {
  readonly files: readonly PackedFile[];
  readonly entry: string;
  /** True to serve the entry page for paths without a file. */
  readonly spa: boolean;
  /** SHA-256 of the sent bytes, which identifies a repeated request. */
  readonly digest: string;
}

/** Default path of a folder's entry page. Some folders have another entry page, which `entryOf` finds. */
export const entryPath = "index.html";

/** A folder, as stored in the row of its version; see docs/adr/0103-folders.md. */
export interface VersionFolder {
  readonly files: number;
  /** Bytes of all files, including the entry page. */
  readonly sizeBytes: number;
  /** SHA-256 of all paths and contents. Folders with equal paths and contents have the same digest. */
  readonly sha256: string;
  /** Keys of the objects with the contents. Versions of one drop may share these objects. */
  readonly packKeys: readonly string[];
  readonly spa: boolean;
  /** True if the folder is served on its own host. Folders published by older releases are not. @default false */
  readonly hasHost?: boolean;
}

/** A file of a stored folder, and its position in a pack (an object that contains several files). */
export interface ManifestFile {
  readonly sha256: string;
  readonly sizeBytes: number;
  /** Key of the object that contains the file. A file larger than `sentBytesMax` has its own object. */
  readonly packKey: string;
  readonly offset: number;
}

/** The files of a version by path. The manifest is stored as JSON under `manifestKey`. */
export interface Manifest {
  readonly files: Readonly<Record<string, ManifestFile>>;
}

/** A folder prepared for storage. */
export interface StoredFolder {
  readonly version: VersionFolder;
  readonly manifest: Manifest;
  /** New objects with the contents that no earlier version of the drop has. */
  readonly packs: readonly { readonly key: string; readonly bytes: Uint8Array }[];
  /** Number of the version whose packs the folder shares. @default - none */
  readonly sharesWith: number | undefined;
}

/** Maximum size of a file in a function's response, in bytes. Browsers load larger files from Amazon S3 by a signed URL. */
export const sentBytesMax = 4 * 1024 * 1024;

/** Prefix of all packs and manifests in the pages bucket. The edge forwards only signed requests for objects with this prefix. */
export const folderPrefix = "_files/";

/** Object key of a version's pack. Packs are numbered from 0. `objectId` is the id of the page's object, which is used only once. */
export function packObjectKey(slug: string, objectId: string, index: number): string {
  return `${folderPrefix}${slug}/${objectId}.${index}.pack`;
}

/** Derives the object key of a version's manifest from the key of its page. */
export function manifestKey(pageKey: string): string {
  return `${folderPrefix}${pageKey.replace(/\.html$/, ".json")}`;
}

/** Derives the object key of a version's archive for downloads from the key of its page. */
export function archiveKey(pageKey: string): string {
  return `${folderPrefix}${pageKey.replace(/\.html$/, ".zip")}`;
}
