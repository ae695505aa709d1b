import { ApiError } from "../core/errors.ts";
import type { RawQuery } from "../http/query.ts";
import { readArchive } from "./archive.ts";
import { decodeEntry } from "./contents.ts";
import { entryWarnings, requireEntry } from "./entry.ts";
import { entryPath, type FolderContent, type FolderFile } from "./folder.ts";
import { sha256Of, toPackedFile } from "./pack-folder.ts";
import { pageCharset } from "./page-charset.ts";

/**
 * Reads a folder from a zip archive, with the text of its entry page.
 *
 * @throws ApiError as `readArchive`
 */
export async function toFolder(
  archive: Uint8Array,
  query: RawQuery,
): Promise<SentFolder & { readonly warnings: readonly string[] }> {
  const { files, warnings } = await readArchive(archive);
  const entry = requireEntry(files.map(({ path }) => path));
  return {
    ...folderOf(files, { entry, query, digest: sha256Of(archive) }),
    warnings: [...warnings, ...entryWarnings(entry)],
  };
}

/**
 * Makes a folder from a single page that declares a charset other than UTF-8.
 *
 * @throws ApiError `invalid_arg` for a page that declares no charset
 */
export function toPageFolder(page: Uint8Array, query: RawQuery): SentFolder {
  const charset = pageCharset(page);
  if (charset !== undefined && charset !== "utf-8")
    return folderOf([{ path: entryPath, bytes: page }], { entry: entryPath, query, digest: sha256Of(page) });
  throw new ApiError("invalid_arg", {
    message:
      'The page is not in UTF-8, and declares no other charset. Convert it (iconv -f iso-8859-1 -t utf-8 page.html, or with the charset that it has), or declare the charset: <meta charset="iso-8859-1">.',
    details: { field: "html" },
  });
}

interface SentFolder {
  /** Text of the entry page. */
  readonly html: string;
  readonly folder: FolderContent;
}

function folderOf(
  files: readonly FolderFile[],
  { entry, query, digest }: { readonly entry: string; readonly query: RawQuery; readonly digest: string },
): SentFolder {
  const page = files.find(({ path }) => path === entry);
  return {
    html: decodeEntry(entry, page?.bytes),
    // Values other than true and false are refused with the other parameters.
    folder: { files: files.map(toPackedFile), entry, spa: query.spa?.[0] === "true", digest },
  };
}
