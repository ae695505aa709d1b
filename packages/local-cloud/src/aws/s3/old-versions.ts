import { mkdirSync } from "node:fs";
import { link, mkdir, readdir, rename, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { keysBelow, objectPath, syncDirectory } from "./object-file-name.ts";
import { compareNewestFirst } from "./version-id.ts";

const FOLDER_SUFFIX = ".versions";

/** Opens the folder of a bucket's old versions and delete markers, and creates it if missing. Each key has its own folder. */
export function openOldVersions(directory: string) {
  mkdirSync(directory, { recursive: true });
  const folderOf = (key: string) => `${objectPath(directory, key)}${FOLDER_SUFFIX}`;
  const path = (key: string, versionId: string) => join(folderOf(key), versionId);
  /** Adds a file to a key's folder with `add`, and makes the addition durable. */
  const addDurably = async (key: string, add: () => Promise<void>) => {
    await mkdir(folderOf(key), { recursive: true });
    await add();
    await syncDirectory(folderOf(key));
    await syncDirectory(dirname(folderOf(key)));
  };
  /** Makes a removal from a key's folder durable. Removes the folder after its last version was removed. */
  const finishRemoval = async (key: string) => {
    await syncDirectory(folderOf(key));
    await rmdir(folderOf(key)).catch(unless("ENOENT", "ENOTEMPTY", "EEXIST"));
  };
  return {
    /** Path of a version's file, which may be missing. */
    path,
    /** Links a file under the version's id. Does nothing if the version is already linked. */
    keep: (key: string, versionId: string, file: string) =>
      addDurably(key, () => link(file, path(key, versionId)).catch(unless("EEXIST"))),
    /** Moves a file into the key's folder. */
    add: (key: string, versionId: string, file: string) =>
      addDurably(key, () => rename(file, path(key, versionId))),
    /** Replaces the key's current object with a version. */
    async moveTo(key: string, versionId: string, target: string): Promise<void> {
      await mkdir(dirname(target), { recursive: true });
      await rename(path(key, versionId), target);
      await syncDirectory(dirname(target));
      await finishRemoval(key);
    },
    /** Removes a version, if it exists. */
    async remove(key: string, versionId: string): Promise<void> {
      await rm(path(key, versionId), { force: true });
      await finishRemoval(key);
    },
    /** Returns the version ids of a key, newest first. */
    async idsOf(key: string): Promise<string[]> {
      const names = (await readdir(folderOf(key)).catch(unless("ENOENT", "ENOTDIR"))) ?? [];
      // Skips files of other programs, such as .DS_Store, because version ids have no dots.
      return names.filter((name) => !name.includes(".")).sort(compareNewestFirst);
    },
    /** Returns every key with old versions. */
    keys: () => keysBelow(directory, FOLDER_SUFFIX),
  };
}

/** Returns an error handler that ignores errors with the given codes. */
function unless(...codes: readonly string[]): (error: NodeJS.ErrnoException) => undefined {
  return (error) => {
    if (codes.includes(error.code ?? "")) return undefined;
    throw error;
  };
}
