import { mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Folder for a command's copies, readable by the operator only. */
export interface CopyFolder {
  readonly path: string;
  /** The whole path of a file in it. */
  file(...names: string[]): Promise<string>;
  writeJson(value: object, ...names: string[]): Promise<void>;
  writeBytes(bytes: Uint8Array, ...names: string[]): Promise<void>;
}

/**
 * Makes a folder to copy into.
 *
 * @throws Error when it holds something already: two copies would run into each other
 */
export async function makeCopyFolder(path: string): Promise<CopyFolder> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  if ((await readdir(path)).length > 0) throw new Error(`The folder ${path} is not empty: name another.`);
  const file = async (...names: string[]) => {
    const whole = join(path, ...names);
    await mkdir(dirname(whole), { recursive: true, mode: 0o700 });
    return whole;
  };
  const writeBytes = async (bytes: Uint8Array, ...names: string[]) =>
    writeFile(await file(...names), bytes, { mode: 0o600 });
  return {
    path,
    file,
    writeBytes,
    writeJson: (value, ...names) => writeBytes(Buffer.from(`${JSON.stringify(value, null, 2)}\n`), ...names),
  };
}
