import { open, readdir } from "node:fs/promises";
import { join } from "node:path";

/** Maximum length of a file name. File systems allow 255 bytes, but an encoded key has up to 3,072 characters. */
const NAME_LENGTH_MAX = 200;
const LONG_KEY_DIRECTORY_SUFFIX = "+";

/**
 * Returns the path of a key's file in a bucket's folder. Encodes characters that could leave the folder or that some file systems do not
 * distinguish. Splits long names into nested folders.
 */
export function objectPath(directory: string, key: string): string {
  const name = encodeKey(key);
  const parts = name.match(new RegExp(`.{1,${NAME_LENGTH_MAX}}`, "g")) ?? [];
  return join(
    directory,
    ...parts.map((part, index) => (index < parts.length - 1 ? part + LONG_KEY_DIRECTORY_SUFFIX : part)),
  );
}

/**
 * Lists the keys in a bucket's folder, decoded from the names that `objectPath` gave to files, or to folders with the suffix
 * `folderEnding`.
 */
export async function keysBelow(
  directory: string,
  folderEnding?: string,
  parent: readonly string[] = [],
): Promise<string[]> {
  const entries = await readdir(join(directory, ...parent), { withFileTypes: true });
  const keys = entries.map(async (entry) => {
    if (entry.isDirectory() && entry.name.endsWith(LONG_KEY_DIRECTORY_SUFFIX))
      return keysBelow(directory, folderEnding, [...parent, entry.name]);
    const isOfKey = folderEnding === undefined ? entry.isFile() : entry.name.endsWith(folderEnding);
    if (!isOfKey) return [];
    const name = entry.name.slice(0, entry.name.length - (folderEnding?.length ?? 0));
    // Skips files of other programs, such as .DS_Store, because names of objects have no dots.
    if (name.includes(".")) return [];
    const parts = parent.map((part) => part.slice(0, -LONG_KEY_DIRECTORY_SUFFIX.length));
    return [decodeURIComponent([...parts, name].join(""))];
  });
  return (await Promise.all(keys)).flat();
}

/** Encodes a key, including its dots, so that a name is never `.`, `..` or hidden, and has no final dot, which some file systems drop. */
function encodeKey(key: string): string {
  return Buffer.from(key, "utf8")
    .toString("latin1")
    .replace(/[^a-z0-9_-]/gs, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, "0")}`);
}

/** Makes a rename or removal durable. Does nothing on Windows, which cannot open a folder to synchronize it. */
export async function syncDirectory(path: string): Promise<void> {
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
