import { ApiError } from "../core/errors.ts";
import type { RawQuery } from "../http/query.ts";
import { describe, isObject, mustBe } from "../http/schemas.ts";
import { readArchive } from "./archive.ts";
import { checkContents, checkFolderBytes, decodeEntry } from "./contents.ts";
import { entryWarnings, requireEntry } from "./entry.ts";
import { entryPath, type FolderContent, type FolderFile } from "./folder.ts";
import { sha256Of, toPackedFile } from "./pack-folder.ts";
import { pageCharset } from "./page-charset.ts";
import { checkPaths, refuseFile } from "./paths.ts";

/** Reads a folder from a zip archive. @throws ApiError as `readArchive` and `requireEntry` do */
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

/** Makes a folder from a single page in another charset than UTF-8. @throws ApiError `invalid_arg` for a page that declares no charset */
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

/** Makes a folder from an object of texts by path, such as `{"index.html": "<!doctype html>…"}`. @throws ApiError `invalid_arg` */
export function toTextFolder(sent: unknown): SentFolder & { readonly warnings: readonly string[] } {
  const texts = Object.entries(isObject(sent) ? sent : {});
  if (texts.length === 0)
    throw new ApiError("invalid_arg", {
      message: `files ${mustBe('an object of texts by path, such as {"index.html": "<!doctype html>…", "style.css": "…"}', isObject(sent) ? "an empty object" : describe(sent))}`,
      details: { field: "files" },
    });
  const paths = checkPaths(texts.map(([path]) => path));
  const files = texts.map(([, text], index) => toTextFile(paths[index] as string, text));
  checkFolderBytes(files.reduce((sum, { bytes }) => sum + bytes.byteLength, 0));
  const entry = requireEntry(paths);
  const digest = sha256Of(Buffer.from(JSON.stringify(texts)));
  return { ...folderOf(files, { entry, query: {}, digest }), warnings: entryWarnings(entry) };
}

function toTextFile(path: string, text: unknown): FolderFile {
  if (typeof text !== "string" || !text.isWellFormed())
    throw refuseFile(
      path,
      "must be text. Upload a picture with upload_blob and link to it, or send a zip archive with start_publish.",
    );
  const file = { path, bytes: Buffer.from(text) };
  checkContents(file);
  return file;
}

interface SentFolder {
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
    // Other values of `spa` are refused when the query parameters are checked.
    folder: { files: files.map(toPackedFile), entry, spa: query.spa?.[0] === "true", digest },
  };
}
