import { ApiError } from "../core/errors.ts";
import { archiveKey, type FolderFile, type Manifest } from "../folders/folder.ts";
import { writeArchive } from "../folders/write-archive.ts";
import { pages } from "./page-objects.ts";

/** Stores a version's zip archive for its first download and returns the object key. @throws ApiError `not_found` for a deleted version */
export async function storeArchive(pageKey: string): Promise<string> {
  const objectKey = archiveKey(pageKey);
  if ((await pages.getRange(objectKey, "bytes=0-0")) !== undefined) return objectKey;
  const manifest = await pages.getManifest(pageKey);
  if (manifest === undefined) throw new ApiError("not_found");
  await pages.putBytes(objectKey, writeArchive(await readFiles(manifest)), "application/zip");
  return objectKey;
}

/** Reads all files of a version, with one S3 request for each pack of files. */
async function readFiles({ files }: Manifest): Promise<FolderFile[]> {
  const packKeys = [...new Set(Object.values(files).map(({ packKey }) => packKey))];
  const packs = new Map(
    await Promise.all(packKeys.map(async (key) => [key, await pages.getBytes(key)] as const)),
  );
  return Object.entries(files).map(([path, { packKey, offset, sizeBytes }]) => {
    const pack = packs.get(packKey);
    if (pack === undefined) throw new ApiError("not_found");
    return { path, bytes: pack.subarray(offset, offset + sizeBytes) };
  });
}
