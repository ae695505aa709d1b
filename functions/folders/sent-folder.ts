import type { RawQuery } from "../http/query.ts";
import { readArchive } from "./archive.ts";
import { decodeEntry } from "./contents.ts";
import { entryWarnings, requireEntry } from "./entry.ts";
import type { FolderContent } from "./folder.ts";
import { sha256Of, toPackedFile } from "./pack-folder.ts";

/**
 * Reads a folder from a zip archive, with the text of its entry page.
 *
 * @throws ApiError as `readArchive`
 */
export async function toFolder(
  archive: Uint8Array,
  query: RawQuery,
): Promise<{
  readonly html: string;
  readonly folder: FolderContent;
  readonly warnings: readonly string[];
}> {
  const { files, warnings } = await readArchive(archive);
  const entry = requireEntry(files.map(({ path }) => path));
  const page = files.find(({ path }) => path === entry);
  return {
    html: decodeEntry(entry, page?.bytes),
    // Another word than true and false is refused with the other parameters.
    folder: {
      files: files.map(toPackedFile),
      entry,
      spa: query.spa?.[0] === "true",
      digest: sha256Of(archive),
    },
    warnings: [...warnings, ...entryWarnings(entry)],
  };
}
