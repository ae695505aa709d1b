import type { RawQuery } from "../http/query.ts";
import { readArchive } from "./archive.ts";
import { entryPath, type FolderContent } from "./folder.ts";
import { sha256Of, toPackedFile } from "./pack-folder.ts";

/**
 * Reads a folder from a zip archive, with the text of its entry page.
 *
 * @throws ApiError as `readArchive`
 */
export async function toFolder(
  archive: Uint8Array,
  query: RawQuery,
): Promise<{ readonly html: string; readonly folder: FolderContent }> {
  const files = await readArchive(archive);
  const entry = files.find(({ path }) => path === entryPath);
  return {
    html: new TextDecoder("utf-8", { ignoreBOM: true }).decode(entry?.bytes),
    // Another word than true and false is refused with the other parameters.
    folder: { files: files.map(toPackedFile), spa: query.spa?.[0] === "true", digest: sha256Of(archive) },
  };
}
