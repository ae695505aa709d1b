import { limits } from "../core/limits.ts";
import { checkFolderBytes } from "../folders/contents.ts";
import { requireEntry } from "../folders/entry.ts";
import type { DeclaredFile } from "../folders/folder.ts";
import { contentsOf } from "../folders/pack-folder.ts";
import { checkPaths, isIgnoredPath, withSlashes } from "../folders/paths.ts";
import { created } from "../http/response.ts";
import { tokenOperation } from "../http/token-operation.ts";
import { createObjectId } from "../table/identifiers.ts";
import { startFolderRoute } from "./folder-rows.ts";
import { knownContents } from "./page-objects.ts";
import type { FolderStartResponse } from "./schemas.ts";
import { stagedFolders } from "./staged-folder.ts";
import { drops } from "./store.ts";

/** POST /api/drops/{slug}/files: stores the list of a folder's files, and returns upload URLs for files that the latest version lacks. */
export const startFolder = tokenOperation(startFolderRoute, async (input) => {
  const { caller, path, body, nowMs, randomInt } = input;
  const { files, spa = false } = body;
  const declared = declare(files);
  const drop = await drops.require({ ownerId: caller.userId, slug: path.slug }, nowMs);
  const { manifest = { files: {} } } = (await knownContents(drop)) ?? {};
  const known = contentsOf(manifest);
  const publication = { ownerId: caller.userId, id: createObjectId(randomInt) };
  await stagedFolders.put(publication, { slug: path.slug, files: declared, spa, startedAtMs: nowMs });
  const missing = [...new Map(declared.map((file) => [file.sha256, file])).values()]
    .filter(({ sha256 }) => !known.has(sha256))
    .map(async (file) => {
      const { url, headers } = await stagedFolders.presign(publication, file);
      return { path: file.path, sha256: file.sha256, bytes: file.sizeBytes, upload_url: url, headers };
    });
  return created({
    publication_id: publication.id,
    missing: await Promise.all(missing),
    expires_in: limits.uploadUrlSeconds,
  } satisfies FolderStartResponse);
});

/** Checks the declared files before their contents are uploaded. @throws ApiError `invalid_arg` as for an archive */
function declare(
  files: Readonly<Record<string, { readonly sha256: string; readonly bytes: number }>>,
): DeclaredFile[] {
  const sent = Object.entries(files)
    .map(([path, file]) => [withSlashes(path), file] as const)
    .filter(([path]) => !isIgnoredPath(path));
  const paths = checkPaths(sent.map(([path]) => path));
  requireEntry(paths);
  checkFolderBytes(sent.reduce((sum, [, { bytes }]) => sum + bytes, 0));
  return sent.map(([, { sha256, bytes }], index) => ({
    path: paths[index] as string,
    sha256,
    sizeBytes: bytes,
  }));
}
