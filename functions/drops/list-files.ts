import { contentTypeOf } from "../folders/content-type.ts";
import { ApiError } from "../http/errors.ts";
import { ok } from "../http/response.ts";
import { tokenOperation } from "../http/token-operation.ts";
import { listFilesRoute } from "./folder-rows.ts";
import { noSuchVersion } from "./items.ts";
import { pages } from "./page-objects.ts";
import { publicDrops } from "./public-drops.ts";
import type { FileListResponse } from "./schemas.ts";

/** GET /api/drops/{slug}/files: the files of a folder, for its owner. */
export const listFiles = tokenOperation(listFilesRoute, async ({ caller, path, query, nowMs }) => {
  const { slug } = path;
  const drop = await publicDrops.findDrop(caller.userId, slug, nowMs);
  if (drop === undefined) throw new ApiError("not_found");
  const number = query.v ?? drop.latest.version;
  const version = await publicDrops.findVersion(slug, number);
  if (version === undefined) throw noSuchVersion(drop, number);
  const manifest = version.folder && (await pages.getManifest(version.pageKey));
  if (manifest === undefined) {
    throw new ApiError("not_found", {
      message: `Version ${number} is one page and no folder. Read it with GET /api/drops/${slug}/html?v=${number}.`,
    });
  }
  return ok({
    slug,
    version: number,
    files: Object.entries(manifest.files).map(([name, { sizeBytes, sha256 }]) => ({
      path: name,
      size_bytes: sizeBytes,
      sha256,
      content_type: contentTypeOf(name),
    })),
  } satisfies FileListResponse);
});
