import { environmentNames } from "../core/environment.ts";
import { ApiError } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import { contentTypeOf } from "../folders/content-type.ts";
import { ok } from "../http/response.ts";
import { signAddress } from "../http/signed-address.ts";
import { tokenOperation } from "../http/token-operation.ts";
import type { Drop } from "./drop.ts";
import { storeArchive } from "./folder-archive.ts";
import { listFilesRoute } from "./folder-rows.ts";
import { pages } from "./page-objects.ts";
import { publicDrops } from "./public-drops.ts";
import type { FileListResponse } from "./schemas.ts";

/** GET /api/drops/{slug}/files: lists the files of a folder, for its owner. */
export const listFiles = tokenOperation(listFilesRoute, async ({ caller, path, query, nowMs }) => {
  const { slug } = path;
  const asked = { ownerId: caller.userId, slug, version: query.v };
  const { found } = await publicDrops.requireVersion(asked, nowMs);
  const manifest = found.folder && (await pages.getManifest(found.pageKey));
  if (manifest === undefined) {
    throw new ApiError("not_found", {
      message: `Version ${found.version} is a single page, not a folder. Read it with GET /api/drops/${slug}/html?v=${found.version}.`,
    });
  }
  const archive = query.archive ? { archive_url: await addressOfArchive(found) } : {};
  return ok({
    slug,
    version: found.version,
    ...archive,
    spa: found.folder?.spa === true,
    files: Object.entries(manifest.files).map(([name, { sizeBytes, sha256 }]) => ({
      path: name,
      size_bytes: sizeBytes,
      sha256,
      content_type: contentTypeOf(name),
    })),
  } satisfies FileListResponse);
});

/** Signs a URL of a zip archive of all files. Anyone with the URL can download the archive for ten minutes. */
async function addressOfArchive({ pageKey }: Drop["latest"]): Promise<string> {
  const objectKey = await storeArchive(pageKey);
  const request = { method: "GET", bucket: environmentNames.pagesBucket, objectKey } as const;
  return signAddress(request, limits.uploadUrlSeconds);
}
