import pLimit from "p-limit";
import { ApiError } from "../core/errors.ts";
import { checkContents, decodeEntry } from "../folders/contents.ts";
import { entryWarnings, requireEntry } from "../folders/entry.ts";
import type { DeclaredFile, Manifest, ManifestFile, PackedFile } from "../folders/folder.ts";
import { contentsOf, packsMax, sha256Of } from "../folders/pack-folder.ts";
import { refuseFile } from "../folders/paths.ts";
import { requestDigest, respondOnce } from "../http/idempotency.ts";
import { tokenOperation } from "../http/token-operation.ts";
import { withWarnings } from "../http/warnings.ts";
import { reviewPublication, withSecrets } from "../secrets/secret-review.ts";
import { publishFolderRoute } from "./folder-rows.ts";
import { knownContents, pages } from "./page-objects.ts";
import { addVersionTo } from "./publish.ts";
import { type FolderPublication, stagedFolders } from "./staged-folder.ts";
import { drops } from "./store.ts";

const readsAtOnce = 20;

/** POST /api/drops/{slug}/files/{publication}: publishes a folder whose files have been sent. The default Idempotency-Key is the publication's id. */
export const publishFolder = tokenOperation(publishFolderRoute, (input) => {
  const { caller, path, body, nowMs } = input;
  const publication = { ownerId: caller.userId, id: path.publication };
  const request = {
    ...input,
    operation: publishFolderRoute.id,
    idempotencyKey: input.idempotencyKey ?? `folder-${publication.id}`,
    digest: () => requestDigest({ ...publication, slug: path.slug, body }),
  };
  return respondOnce(request, async (keep) => {
    const staged = /^[A-Za-z0-9]{16}$/.test(publication.id)
      ? await stagedFolders.find(publication, nowMs)
      : undefined;
    if (staged === undefined || staged.slug !== path.slug)
      throw new ApiError("not_found", {
        message: `This publication of a folder does not exist, or has expired. Start one with POST /api/drops/{slug}/files.`,
      });
    const found = await drops.require({ ownerId: caller.userId, slug: path.slug }, nowMs, body);
    const known = await knownContents(found);
    const entry = requireEntry(staged.files.map((file) => file.path));
    const files = await readFiles(publication, { declared: staged.files, entry }, known?.manifest);
    const content = {
      ...body,
      html: decodeEntry(entry, files.find((file) => file.path === entry)?.bytes),
      folder: { files, entry, spa: staged.spa, digest: "" },
    };
    const review = reviewPublication(content, input.act);
    const reviewed = { ...input, body: content, act: review.act };
    const response = await addVersionTo({ found, known }, reviewed, keep);
    if (response === undefined) throw new ApiError("not_found");
    return withSecrets(withWarnings(response, entryWarnings(entry)), review);
  });
});

/**
 * Reads the entry page and every file that is new at its path. Reads all files if the version would otherwise use too many packs.
 *
 * @throws ApiError `invalid_arg` for files that are missing or differ from their declaration
 */
async function readFiles(
  publication: FolderPublication,
  { declared, entry }: { readonly declared: readonly DeclaredFile[]; readonly entry: string },
  manifest: Manifest | undefined,
): Promise<PackedFile[]> {
  const known = manifest === undefined ? new Map<string, ManifestFile>() : contentsOf(manifest);
  const packs = new Set(declared.map(({ sha256 }) => known.get(sha256)?.packKey));
  const readsAll = packs.size > packsMax;
  const limit = pLimit(readsAtOnce);
  const files = await Promise.all(
    declared.map((file) =>
      limit(async () => {
        const stored = known.get(file.sha256);
        if (stored === undefined) return { ...file, bytes: await readSent(publication, file) };
        requireSize(file, stored.sizeBytes);
        const isNewName = manifest?.files[file.path]?.sha256 !== file.sha256;
        if (!readsAll && !isNewName && file.path !== entry) return file;
        const bytes = await pages.getPart(stored);
        // Contents that were stored under another name may not match the type of the new name, such as HTML.
        if (bytes !== undefined) checkContents({ path: file.path, bytes });
        return { ...file, bytes };
      }),
    ),
  );
  const absent = files.filter((file) => "bytes" in file && file.bytes === undefined).map(({ path }) => path);
  if (absent.length === 0) return files;
  throw new ApiError("invalid_arg", {
    message: `${absent.length === 1 ? "A file has" : `${absent.length} files have`} not been received: ${absent.slice(0, 5).join(", ")}. Send each by PUT to its upload_url, or start again. Nothing was published.`,
    details: { missing: absent.slice(0, 20) },
  });
}

/** Refuses a file whose length differs from the declared length. Quota and folder limits were checked against the declared length. */
function requireSize({ path, sizeBytes }: DeclaredFile, presentBytes: number): void {
  if (presentBytes === sizeBytes) return;
  throw refuseFile(
    path,
    `has ${presentBytes} bytes, but its declared length is ${sizeBytes}. Send the right file.`,
  );
}

async function readSent(publication: FolderPublication, file: DeclaredFile): Promise<Uint8Array | undefined> {
  const { path, sha256 } = file;
  const bytes = await stagedFolders.getContent(publication, sha256);
  if (bytes === undefined) return undefined;
  requireSize(file, bytes.byteLength);
  if (sha256Of(bytes) !== sha256)
    throw refuseFile(path, "does not have the declared SHA-256. Send the right file.");
  checkContents({ path, bytes });
  return bytes;
}
