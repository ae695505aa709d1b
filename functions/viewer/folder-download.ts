import { fileAddressSeconds } from "../blobs/public-files.ts";
import { storeArchive } from "../drops/folder-archive.ts";
import type { ReadableVersion } from "../gate/readable-version.ts";
import { environmentNames } from "../http/environment.ts";
import { signEdgePath } from "../http/signed-address.ts";
import type { Site } from "../http/site.ts";
import { secondsUntilExpiry } from "../identity/visibility.ts";
import { attachment, downloadName } from "./page-download.ts";

/**
 * The signed address of a folder's archive, for a minute.
 *
 * @throws ApiError `not_found` where a deletion was faster
 */
export async function archiveAddress(
  found: Extract<ReadableVersion, { readonly kind: "version" }>,
  site: Site,
  nowMs: number,
): Promise<string> {
  const objectKey = await storeArchive(found.pageKey);
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
