import { randomUUID } from "node:crypto";
import { createReadStream, mkdirSync, rmSync } from "node:fs";
import { copyFile, type FileHandle, link, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import type { ByteRange } from "../../byte-range.ts";
import { finishObjectFile, type ObjectMetadata, readObjectMetadata } from "./object-file.ts";
import { keysBelow, objectPath, syncDirectory } from "./object-file-name.ts";
import { openOldVersions } from "./old-versions.ts";
import { NULL_VERSION, newVersionId } from "./version-id.ts";

/** An open object. Later writes and deletions do not change it. */
export interface OpenObject {
  readonly metadata: ObjectMetadata;
  /** Returns the bytes of the range, both ends included. The object closes after the last byte. */
  read(range: ByteRange): Readable;
  close(): Promise<void>;
}

/** Key and version id of the object in a request. */
export interface NamedObject {
  readonly key: string;
  readonly versionId: string | undefined;
}

/** A version of a key, or a delete marker. */
export interface ObjectVersion {
  readonly versionId: string;
  /** True for the current version of the key. */
  readonly isLatest: boolean;
  readonly metadata: ObjectMetadata;
}

/** Result of a deletion. */
export interface Deletion {
  /** Id of the deleted version, or of the added delete marker. @default - the bucket has no versions */
  readonly versionId?: string;
  /** True if a delete marker was added or deleted. */
  readonly isDeleteMarker: boolean;
}

/** Condition that a key's current object must meet before a write. */
export interface WriteCondition {
  /** @default false */
  readonly onlyIfAbsent?: boolean;
  /** ETag that the current object must have. @default - any ETag, or no object */
  readonly onlyIfEtag?: string | undefined;
}

/** The objects of one bucket, stored as files below the bucket's folder. */
export type ObjectStore = ReturnType<typeof openObjectStore>;

/** Opens a bucket's folder, creates it if missing, and removes unfinished files of an earlier process. */
export function openObjectStore(
  bucket: string,
  directory: string,
  { isVersioned }: { readonly isVersioned: boolean },
) {
  const objectsDirectory = join(directory, "objects");
  const incomingDirectory = join(directory, "incoming");
  const uploadsDirectory = join(directory, "uploads");
  rmSync(incomingDirectory, { recursive: true, force: true });
  for (const path of [objectsDirectory, incomingDirectory, uploadsDirectory]) {
    mkdirSync(path, { recursive: true });
  }
  const oldVersions = openOldVersions(join(directory, "versions"));
  const inTurn = createKeyedLock();
  const pathOf = (key: string) => objectPath(objectsDirectory, key);

  const currentOf = (key: string) => metadataOf(pathOf(key));

  /** Keeps the current version as an old version before it is replaced. */
  async function keepCurrent(key: string): Promise<void> {
    const current = await currentOf(key);
    if (current) await oldVersions.keep(key, idOf(current), pathOf(key));
  }

  async function replaceCurrent(
    key: string,
    incoming: string,
    { onlyIfAbsent = false, onlyIfEtag }: WriteCondition,
  ): Promise<boolean> {
    const target = pathOf(key);
    if (onlyIfEtag !== undefined && (await currentOf(key))?.etag !== onlyIfEtag) return false;
    await mkdir(dirname(target), { recursive: true });
    if (isVersioned && !onlyIfAbsent) await keepCurrent(key);
    if (!onlyIfAbsent) await rename(incoming, target);
    else if (!(await tryLink(incoming, target))) return false;
    await syncDirectory(dirname(target));
    return true;
  }

  async function removeCurrent(key: string): Promise<void> {
    await rm(pathOf(key), { force: true });
    await syncDirectory(dirname(pathOf(key)));
  }

  /** Calls `work` with a path for a new file. Removes the file afterwards if it still exists. */
  async function withIncoming<T>(work: (incoming: string) => Promise<T>): Promise<T> {
    const incoming = join(incomingDirectory, randomUUID());
    try {
      return await work(incoming);
    } finally {
      await rm(incoming, { force: true });
    }
  }

  /** Adds a delete marker. Removes the object last, so that an interrupted deletion has no effect. */
  async function addDeleteMarker(key: string): Promise<Deletion> {
    const versionId = newVersionId();
    const marker = { sizeBytes: 0, etag: "", lastModifiedMs: Date.now(), headers: {}, versionId };
    await withIncoming(async (incoming) => {
      await withFile(incoming, "wx", (file) => finishObjectFile(file, { ...marker, isDeleteMarker: true }));
      await keepCurrent(key);
      await oldVersions.add(key, versionId, incoming);
    });
    await removeCurrent(key);
    return { versionId, isDeleteMarker: true };
  }

  /** Deletes a version. If the version was current, the previous version becomes current. */
  async function deleteVersion(key: string, versionId: string): Promise<Deletion> {
    const current = await currentOf(key);
    const isCurrent = current !== undefined && idOf(current) === versionId;
    const found = isCurrent ? current : await metadataOf(oldVersions.path(key, versionId));
    const ids = await oldVersions.idsOf(key);
    if (isCurrent || (current === undefined && ids[0] === versionId)) {
      const next = ids.find((id) => id !== versionId);
      const comesBack =
        next !== undefined && !(await metadataOf(oldVersions.path(key, next)))?.isDeleteMarker;
      if (comesBack) await oldVersions.moveTo(key, next, pathOf(key));
      else if (isCurrent) await removeCurrent(key);
    }
    await oldVersions.remove(key, versionId);
    return { versionId, isDeleteMarker: found?.isDeleteMarker ?? false };
  }

  /** Copies the file, appends the metadata as a second footer, and replaces the file with the copy. Readers use the last footer. */
  function replaceFooter(key: string, metadata: ObjectMetadata): Promise<void> {
    return withIncoming(async (incoming) => {
      await copyFile(pathOf(key), incoming);
      await withFile(incoming, "a", (file) => finishObjectFile(file, metadata));
      await rename(incoming, pathOf(key));
      await syncDirectory(dirname(pathOf(key)));
    });
  }

  return {
    bucket,
    /** True if the bucket keeps replaced and deleted objects as old versions. */
    isVersioned,
    /** A folder of the bucket for the parts of multipart uploads. */
    uploadsDirectory,
    /** Opens the current version or the given version. Returns undefined if the version is missing. */
    async open(key: string, versionId?: string): Promise<OpenObject | undefined> {
      const current = await openObject(pathOf(key));
      if (versionId === undefined || (current && idOf(current.metadata) === versionId)) return current;
      await current?.close();
      return openObject(oldVersions.path(key, versionId));
    },
    /** Returns the id of the delete marker that hides the key's object, or undefined if there is no delete marker. */
    async deleteMarkerOf(key: string): Promise<string | undefined> {
      const [newest] = await oldVersions.idsOf(key);
      if (newest === undefined) return undefined;
      return (await metadataOf(oldVersions.path(key, newest)))?.isDeleteMarker ? newest : undefined;
    },
    /**
     * Writes an object atomically. `fill` writes the bytes and returns the metadata. Nothing is written if `fill` throws.
     *
     * @returns the metadata with the version's id, or undefined if the condition does not hold
     */
    write: (
      key: string,
      condition: WriteCondition,
      fill: (file: FileHandle) => Promise<ObjectMetadata>,
    ): Promise<ObjectMetadata | undefined> =>
      withIncoming(async (incoming) => {
        const filled = await withFile(incoming, "wx", fill);
        // The version id is created under the key's lock, so that ids have the order in which versions replaced each other.
        return inTurn(key, async () => {
          const metadata = { ...filled, ...(isVersioned ? { versionId: newVersionId() } : {}) };
          await withFile(incoming, "a", (file) => finishObjectFile(file, metadata));
          return (await replaceCurrent(key, incoming, condition)) ? metadata : undefined;
        });
      }),
    /** Deletes one version permanently, or the object. In a versioned bucket, the object gets a delete marker. Ignores missing objects. */
    delete: (key: string, versionId?: string): Promise<Deletion> =>
      inTurn(key, async () => {
        if (versionId !== undefined) return deleteVersion(key, versionId);
        if (isVersioned) return addDeleteMarker(key);
        await removeCurrent(key);
        return { isDeleteMarker: false };
      }),
    /** Replaces the tags of the current version. Returns false if there is no object. */
    setTags: (key: string, tags: Readonly<Record<string, string>>): Promise<boolean> =>
      inTurn(key, async () => {
        const current = await currentOf(key);
        if (current !== undefined) await replaceFooter(key, { ...current, tags });
        return current !== undefined;
      }),
    /** Returns every key that begins with the prefix, in UTF-8 byte order. */
    keys: async (prefix: string) => inOrder(await keysBelow(objectsDirectory), prefix),
    /** Returns every key that begins with the prefix, including keys that have only old versions or delete markers. */
    keysOfVersions: async (prefix: string) =>
      inOrder([...(await keysBelow(objectsDirectory)), ...(await oldVersions.keys())], prefix),
    /** Returns the versions of a key, newest first. */
    async versionsOf(key: string): Promise<ObjectVersion[]> {
      const current = await currentOf(key);
      const versions = current ? [{ versionId: idOf(current), metadata: current }] : [];
      for (const versionId of await oldVersions.idsOf(key)) {
        // The current version is also stored as an old version if a process ended before it replaced the current version.
        if (versionId === versions[0]?.versionId) continue;
        const metadata = await metadataOf(oldVersions.path(key, versionId));
        if (metadata) versions.push({ versionId, metadata });
      }
      return versions.map((version, index) => ({ ...version, isLatest: index === 0 }));
    },
  };
}

function idOf({ versionId = NULL_VERSION }: ObjectMetadata): string {
  return versionId;
}

async function metadataOf(path: string): Promise<ObjectMetadata | undefined> {
  const object = await openObject(path);
  await object?.close();
  return object?.metadata;
}

function inOrder(keys: readonly string[], prefix: string): string[] {
  return [...new Set(keys)].filter((key) => key.startsWith(prefix)).sort(compareUtf8);
}

async function openObject(path: string): Promise<OpenObject | undefined> {
  const file = await openIfThere(path);
  if (!file) return undefined;
  try {
    const metadata = await readObjectMetadata(file, path);
    return {
      metadata,
      read({ start, end }) {
        if (end >= start) return createReadStream("", { fd: file, start, end });
        void file.close();
        return Readable.from([]);
      },
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, "r");
  } catch (error) {
    // EISDIR: the path is the folder of a long key. ENOTDIR: the key is below another key. Neither path has an object.
    if (["ENOENT", "ENOTDIR", "EISDIR"].includes((error as NodeJS.ErrnoException).code ?? ""))
      return undefined;
    throw error;
  }
}

async function withFile<T>(
  path: string,
  flags: "a" | "wx",
  write: (file: FileHandle) => Promise<T>,
): Promise<T> {
  const file = await open(path, flags);
  try {
    return await write(file);
  } finally {
    await file.close();
  }
}

/** Links a file. Unlike renaming, linking fails when the target exists, even if another writer creates it at the same moment. */
async function tryLink(incoming: string, target: string): Promise<boolean> {
  try {
    await link(incoming, target);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Compares keys by their UTF-8 bytes, the order of S3 listings. */
export function compareUtf8(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** Runs the work of each key sequentially, in the order of the calls. */
function createKeyedLock() {
  const last = new Map<string, Promise<unknown>>();
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const result = (last.get(key) ?? Promise.resolve()).then(work, work);
    last.set(key, result);
    try {
      return await result;
    } finally {
      if (last.get(key) === result) last.delete(key);
    }
  };
}
