import { randomUUID } from "node:crypto";
import { createReadStream, mkdirSync, rmSync } from "node:fs";
import { type FileHandle, link, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import type { ByteRange } from "./byte-range.ts";
import { finishObjectFile, type ObjectMetadata, readObjectMetadata } from "./object-file.ts";
import { keyOfPath, objectPath } from "./object-file-name.ts";

/** An object that is open: it stays readable as it was, whatever is written or deleted meanwhile. */
interface OpenObject {
  readonly metadata: ObjectMetadata;
  /** The bytes of the range, both ends included; closes the object at its end. */
  read(range: ByteRange): Readable;
  close(): Promise<void>;
}

/** The objects of one bucket, in files below its folder. */
export interface ObjectStore {
  readonly bucket: string;
  /** Undefined when there is no such object. */
  open(key: string): Promise<OpenObject | undefined>;
  /**
   * Puts an object in place at once or, when `fill` throws, not at all.
   *
   * @param fill writes the bytes and gives the metadata
   * @returns false when `onlyIfAbsent` and the key exists already
   */
  write(
    key: string,
    options: { onlyIfAbsent: boolean },
    fill: (file: FileHandle) => Promise<ObjectMetadata>,
  ): Promise<boolean>;
  /** Does nothing when there is no such object. */
  delete(key: string): Promise<void>;
  /** Every key that begins with the prefix, in the order of UTF-8 bytes. */
  keys(prefix: string): Promise<string[]>;
  /** A folder of the bucket for the parts of multipart uploads. */
  readonly uploadsDirectory: string;
}

/** Opens a bucket's folder, creates it when missing, and removes what an earlier process left unfinished. */
export function openObjectStore(bucket: string, directory: string): ObjectStore {
  const objectsDirectory = join(directory, "objects");
  const incomingDirectory = join(directory, "incoming");
  const uploadsDirectory = join(directory, "uploads");
  rmSync(incomingDirectory, { recursive: true, force: true });
  for (const path of [objectsDirectory, incomingDirectory, uploadsDirectory]) {
    mkdirSync(path, { recursive: true });
  }
  return {
    bucket,
    uploadsDirectory,
    open: (key) => openObject(objectPath(objectsDirectory, key)),
    async write(key, { onlyIfAbsent }, fill) {
      const incoming = join(incomingDirectory, randomUUID());
      const target = objectPath(objectsDirectory, key);
      try {
        await writeIncoming(incoming, fill);
        await mkdir(dirname(target), { recursive: true });
        const isPlaced = onlyIfAbsent ? await tryLink(incoming, target) : await replace(incoming, target);
        if (isPlaced) await syncDirectory(dirname(target));
        return isPlaced;
      } finally {
        await rm(incoming, { force: true });
      }
    },
    async delete(key) {
      const target = objectPath(objectsDirectory, key);
      await rm(target, { force: true });
      await syncDirectory(dirname(target));
    },
    async keys(prefix) {
      const keys = await keysBelow(objectsDirectory, []);
      return keys.filter((key) => key.startsWith(prefix)).sort(compareUtf8);
    },
  };
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
    // EISDIR and ENOTDIR: a long key's folder, or a key below another one, both without an object here.
    if (["ENOENT", "ENOTDIR", "EISDIR"].includes((error as NodeJS.ErrnoException).code ?? ""))
      return undefined;
    throw error;
  }
}

async function writeIncoming(
  path: string,
  fill: (file: FileHandle) => Promise<ObjectMetadata>,
): Promise<void> {
  const file = await open(path, "wx");
  try {
    await finishObjectFile(file, await fill(file));
  } finally {
    await file.close();
  }
}

async function replace(incoming: string, target: string): Promise<true> {
  await rename(incoming, target);
  return true;
}

/** Unlike renaming, linking fails when the target exists, also against another writer at the same moment. */
async function tryLink(incoming: string, target: string): Promise<boolean> {
  try {
    await link(incoming, target);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Makes a rename or removal durable; Windows cannot open a folder for that. */
async function syncDirectory(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const directory = await open(path, "r").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  try {
    await directory?.sync();
  } finally {
    await directory?.close();
  }
}

async function keysBelow(directory: string, parts: readonly string[]): Promise<string[]> {
  const entries = await readdir(join(directory, ...parts), { withFileTypes: true });
  // Other programs leave files of their own, such as .DS_Store; no object's name has a dot.
  const own = entries.filter((entry) => !entry.name.includes("."));
  const keys = await Promise.all(
    own.map((entry) => {
      const path = [...parts, entry.name];
      return entry.isDirectory() ? keysBelow(directory, path) : [keyOfPath(path)];
    }),
  );
  return keys.flat();
}

function compareUtf8(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
