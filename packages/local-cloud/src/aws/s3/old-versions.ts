import { mkdirSync } from "node:fs";
import { link, mkdir, readdir, rename, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { keysBelow, objectPath, syncDirectory } from "./object-file-name.ts";
import { compareNewestFirst } from "./version-id.ts";

const FOLDER_SUFFIX = ".versions";

/** Opens the folder of a bucket's old versions and delete markers, with a folder for each key, and creates it when missing. */
export function openOldVersions(directory: string) {
  mkdirSync(directory, { recursive: true });
  const folderOf = (key: string) => `${objectPath(directory, key)}${FOLDER_SUFFIX}`;
  const path = (key: string, versionId: string) => join(folderOf(key), versionId);
  const placing = async (key: string, place: () => Promise<void>) => {
    await mkdir(folderOf(key), { recursive: true });
    await place();
    await syncDirectory(folderOf(key));
    await syncDirectory(dirname(folderOf(key)));
  };
  /** Removes the folder with its last version. */
  const removing = async (key: string) => {
    await syncDirectory(folderOf(key));
    await rmdir(folderOf(key)).catch(unless("ENOENT", "ENOTEMPTY", "EEXIST"));
  };
  return {
    /** Path of a version's file, which may be missing. */
    path,
    /** Links a file under the version's id. Does nothing for a version that is linked already. */
    keep: (key: string, versionId: string, file: string) =>
      placing(key, () => link(file, path(key, versionId)).catch(unless("EEXIST"))),
    /** Moves a file into the folder. */
    add: (key: string, versionId: string, file: string) =>
      placing(key, () => rename(file, path(key, versionId))),
    /** Replaces the key's current object with a version. */
    async moveTo(key: string, versionId: string, target: string): Promise<void> {
      await mkdir(dirname(target), { recursive: true });
      await rename(path(key, versionId), target);
      await syncDirectory(dirname(target));
      await removing(key);
    },
    /** Removes a version, if it exists. */
    async remove(key: string, versionId: string): Promise<void> {
      await rm(path(key, versionId), { force: true });
      await removing(key);
    },
    /** The ids of a key, newest first. */
    async idsOf(key: string): Promise<string[]> {
      const names = (await readdir(folderOf(key)).catch(unless("ENOENT", "ENOTDIR"))) ?? [];
      // Other programs leave files of their own, such as .DS_Store; ids have no dots.
      return names.filter((name) => !name.includes(".")).sort(compareNewestFirst);
    },
    /** Every key with old versions. */
    keys: () => keysBelow(directory, FOLDER_SUFFIX),
  };
}

/** Ignores the expected errors. */
function unless(...codes: readonly string[]): (error: NodeJS.ErrnoException) => undefined {
  return (error) => {
    if (codes.includes(error.code ?? "")) return undefined;
    throw error;
  };
}
