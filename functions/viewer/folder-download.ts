import { fileAddressSeconds } from "../blobs/public-files.ts";
import { pages } from "../drops/page-objects.ts";
import { archiveKey, type FolderFile, type Manifest } from "../folders/folder.ts";
import { writeArchive } from "../folders/write-archive.ts";
import type { ReadableVersion } from "../gate/readable-version.ts";
import { environmentNames } from "../http/environment.ts";
import { ApiError } from "../http/errors.ts";
import { signEdgePath } from "../http/signed-address.ts";
import type { Site } from "../http/site.ts";
import { secondsUntilExpiry } from "../identity/visibility.ts";
import { attachment, downloadName } from "./page-download.ts";

/**
 * The signed address of a folder's archive, for a minute. The archive is written at the first download and kept as long as the version.
 *
 * @throws ApiError `not_found` where a deletion was faster
 */
export async function archiveAddress(
  found: Extract<ReadableVersion, { readonly kind: "version" }>,
  site: Site,
  nowMs: number,
): Promise<string> {
  const objectKey = archiveKey(found.pageKey);
  if ((await pages.getRange(objectKey, "bytes=0-0")) === undefined) {
    const manifest = await pages.getManifest(found.pageKey);
    if (manifest === undefined) throw new ApiError("not_found");
    await pages.putBytes(objectKey, writeArchive(await readFiles(manifest)), "application/zip");
  }
  const query = {
    "response-cache-control": "private, no-store",
    "response-content-disposition": attachment(downloadName(found, "zip")),
    "response-content-type": "application/zip",
  };
  const seconds = secondsUntilExpiry(found.drop, nowMs, fileAddressSeconds);
  return (
    site.baseUrl + (await signEdgePath({ bucket: environmentNames.pagesBucket, objectKey, query }, seconds))
  );
}

/** Reads each pack once, for all files of a version. */
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
