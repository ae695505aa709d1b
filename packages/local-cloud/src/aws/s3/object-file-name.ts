import { open } from "node:fs/promises";
import { join } from "node:path";

/** Limit of a name. File systems allow 255 bytes; a key may have 1,024, each of which may take three characters here. */
const NAME_LENGTH_MAX = 200;
const LONG_KEY_DIRECTORY_SUFFIX = "+";

/**
 * File of a key, below a bucket's folder. Characters are encoded if they could leave the folder or are not distinct on some file
 * systems; long names are split into nested folders.
 */
export function objectPath(directory: string, key: string): string {
  const name = encodeKey(key);
  const parts = name.match(new RegExp(`.{1,${NAME_LENGTH_MAX}}`, "g")) ?? [];
  return join(
    directory,
    ...parts.map((part, index) => (index < parts.length - 1 ? part + LONG_KEY_DIRECTORY_SUFFIX : part)),
  );
}

/** The key of a file that `objectPath` named, given its path relative to the bucket's folder, in parts. */
export function keyOfPath(parts: readonly string[]): string {
  return decodeURIComponent(
    parts
      .map((part, index) =>
        index < parts.length - 1 ? part.slice(0, -LONG_KEY_DIRECTORY_SUFFIX.length) : part,
      )
      .join(""),
  );
}

function encodeKey(key: string): string {
  return [...Buffer.from(key, "utf8")].map((byte) => encodeByte(byte)).join("");
}

/**
 * Encodes a byte. Dots are encoded too, so that a name is never `.`, `..` or hidden, and never ends in characters that some file systems
 * drop.
 */
function encodeByte(byte: number): string {
  const character = String.fromCharCode(byte);
  return /[a-z0-9_-]/.test(character) ? character : `%${byte.toString(16).padStart(2, "0")}`;
}

/** Makes a rename or removal durable, except on Windows, which cannot open a folder for that. */
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
