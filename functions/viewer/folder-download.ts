import { objectAddress } from "../blobs/public-files.ts";
import { environmentNames } from "../core/environment.ts";
import { storeArchive } from "../drops/folder-archive.ts";
import type { ReadableVersion } from "../gate/readable-version.ts";
import type { Site } from "../http/site.ts";
import { attachment, downloadName } from "./page-download.ts";

/**
 * Returns a signed URL of the folder's archive, which expires after a few seconds. Creates the archive if it is
 * missing.
 *
 * @throws ApiError `not_found` if the version was deleted in the meantime
 */
export async function archiveAddress(
  found: Extract<ReadableVersion, { readonly kind: "version" }>,
  site: Site,
  nowMs: number,
): Promise<string> {
  const objectKey = await storeArchive(found.pageKey);
  const archive = {
    bucket: environmentNames.pagesBucket,
    objectKey,
    contentDisposition: attachment(downloadName(found, "zip")),
    contentType: "application/zip",
    checkedPath: `/p/${found.drop.slug}/raw`,
  };
  return objectAddress(site, archive, found.drop, nowMs);
}
