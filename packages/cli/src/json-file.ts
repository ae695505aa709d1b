import { readFile } from "node:fs/promises";
import { Problem } from "./problem.ts";

/** Bytes of a file; undefined if there is none. */
export function readIfPresent(path: string): Promise<Buffer | undefined> {
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
}

/** Text of a file; undefined if there is none. */
export async function readTextIfPresent(path: string): Promise<string | undefined> {
  return (await readIfPresent(path))?.toString();
}

/**
 * JSON of a file with an object of the given name; undefined if there is no file.
 *
 * @param otherwise what the person can do instead of mending the file
 * @throws Problem for anything else
 */
export async function readJsonFile<File>(
  path: string,
  name: keyof File & string,
  otherwise: string,
): Promise<File | undefined> {
  const text = await readTextIfPresent(path);
  if (text === undefined) return undefined;
  try {
    const file = JSON.parse(text);
    if (typeof file?.[name] === "object" && file[name] !== null) return file;
  } catch {}
  throw new Problem(`${path} cannot be read as JSON with "${name}". Mend it, or ${otherwise}.`);
}
