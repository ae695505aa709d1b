import { mkdirSync } from "node:fs";
import { link, mkdir, readdir, rename, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { keyOfPath, objectPath, syncDirectory } from "./object-file-name.ts";
import { compareNewestFirst } from "./version-id.ts";

const FOLDER_SUFFIX = ".versions";

/** The old versions and the delete markers of a bucket: a folder for each key. */
export interface OldVersions {
  /** Path of a version's file, which may be missing. */
  path(key: string, versionId: string): string;
  /** Links a file under the version's id. Does nothing for a version that is linked already. */
  keep(key: string, versionId: string, file: string): Promise<void>;
  /** Moves a file into the folder. */
  add(key: string, versionId: string, file: string): Promise<void>;
  /** Replaces the key's current object with a version. */
  moveTo(key: string, versionId: string, target: string): Promise<void>;
  /** Removes a version, if it exists. */
  remove(key: string, versionId: string): Promise<void>;
  /** The ids of a key, newest first. */
  idsOf(key: string): Promise<string[]>;
  /** Every key with old versions. */
  keys(): Promise<string[]>;
}

/** Opens the folder of a bucket's versions, and creates it when missing. */
export function openOldVersions(directory: string): OldVersions {
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
    path,
    keep: (key, versionId, file) =>
      placing(key, () => link(file, path(key, versionId)).catch(unless("EEXIST"))),
    add: (key, versionId, file) => placing(key, () => rename(file, path(key, versionId))),
    async moveTo(key, versionId, target) {
      await mkdir(dirname(target), { recursive: true });
      await rename(path(key, versionId), target);
      await syncDirectory(dirname(target));
      await removing(key);
    },
    async remove(key, versionId) {
      await rm(path(key, versionId), { force: true });
      await removing(key);
    },
    async idsOf(key) {
      const names = (await readdir(folderOf(key)).catch(unless("ENOENT", "ENOTDIR"))) ?? [];
      // Other programs leave files of their own, such as .DS_Store; ids have no dots.
      return names.filter((name) => !name.includes(".")).sort(compareNewestFirst);
    },
    keys: () => keysBelow(directory, []),
  };
}

async function keysBelow(directory: string, parts: readonly string[]): Promise<string[]> {
  const entries = await readdir(join(directory, ...parts), { withFileTypes: true });
  const keys = await Promise.all(
    entries
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => {
        if (!name.endsWith(FOLDER_SUFFIX)) return keysBelow(directory, [...parts, name]);
        return [keyOfPath([...parts, name.slice(0, -FOLDER_SUFFIX.length)])];
      }),
  );
  return keys.flat();
}

/** Ignores the expected errors. */
function unless(...codes: readonly string[]): (error: NodeJS.ErrnoException) => undefined {
  return (error) => {
    if (codes.includes(error.code ?? "")) return undefined;
    throw error;
  };
}
