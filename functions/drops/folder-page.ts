import { entryOf } from "../folders/entry.ts";
import { entryPath, type ManifestFile } from "../folders/folder.ts";
import { pages } from "./page-objects.ts";

/**
 * Finds the page of a folder that a reader comments on, by the path that the framed page sends. An unknown path is treated as the entry
 * page.
 */
export async function findFolderPage(pageKey: string, sent: string): Promise<string> {
  const path = sent.normalize("NFC");
  const manifest = (await pages.getManifest(pageKey)) ?? { files: {} };
  const names = [path, `${path}${entryPath}`, `${path}/${entryPath}`, `${path}.html`];
  return (
    names.find((name) => /\.html?$/i.test(name) && Object.hasOwn(manifest.files, name)) ?? entryOf(manifest)
  );
}

/** Finds a file of a folder's version. Returns undefined if the version has no such path. */
export async function findFolderFile(pageKey: string, path: string): Promise<ManifestFile | undefined> {
  const { files = {} } = (await pages.getManifest(pageKey)) ?? {};
  return Object.hasOwn(files, path) ? files[path] : undefined;
}
