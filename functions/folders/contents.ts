import { ApiError } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import type { FolderFile } from "./folder.ts";
import { decodePage } from "./page-charset.ts";
import { refuseFile } from "./paths.ts";

/** Refuses a folder if the total size of its files exceeds the limit. */
export function checkFolderBytes(bytes: number): void {
  const { folderBytesMax } = limits;
  if (bytes <= folderBytesMax) return;
  throw new ApiError("invalid_arg", {
    message: `The files of the folder are ${bytes} bytes; at most ${folderBytesMax} are allowed. Nothing was published.`,
    details: { bytes, bytes_max: folderBytesMax },
  });
}

/** Maximum ratio of an archive's expanded size to its own size. Expanded sizes up to `expandedBytesMin` are always allowed. */
export const expansionMax = 200;
const expandedBytesMin = 1_048_576;

/** Maximum number of bytes to which a folder's archive may expand. */
export function expandedBytesMax(archiveBytes: number): number {
  return Math.max(expandedBytesMin, expansionMax * archiveBytes);
}

/**
 * Refuses an archive at the top of a folder, which is often an older copy of the folder. Archives in subfolders are usually data.
 *
 * @throws ApiError `invalid_arg` with `details.path`
 */
export function checkContents({ path, bytes }: FolderFile): void {
  const kind = path.includes("/") ? undefined : archiveKindOf(path, bytes);
  if (kind === undefined) return;
  throw refuseFile(
    path,
    `is ${kind} inside the folder, at its top: leave it out, move it into a folder below, or upload it by POST /api/blobs and link to it.`,
  );
}

/** Decodes the text of a folder's entry page. @throws ApiError `invalid_arg` for an empty page */
export function decodeEntry(path: string, bytes: Uint8Array = new Uint8Array()): string {
  if (bytes.byteLength === 0) throw refuseFile(path, "is empty: it is the page that readers open first.");
  return decodePage(bytes);
}

/** Matches documents in the zip format, such as spreadsheets, which readers open as documents. */
const documentNames = /\.(?:docx|dotx|xlsx|xltx|xlsm|pptx|potx|odt|ods|odp|odg|epub|pages|numbers|key|3mf)$/i;

const archiveStarts: readonly (readonly [kind: string, start: string])[] = [
  ["a zip archive", "PK\u0003\u0004"],
  ["a zip archive", "PK\u0005\u0006"],
  ["a 7z archive", "7z\u00bc\u00af\u0027\u001c"],
  ["a rar archive", "Rar!\u001a\u0007"],
];

function archiveKindOf(path: string, bytes: Uint8Array): string | undefined {
  if (documentNames.test(path)) return undefined;
  const start = Buffer.from(bytes.subarray(0, 512)).toString("latin1");
  if (start.startsWith("ustar", 257)) return "a tar archive";
  // Other gzip files are allowed, because they may be data, such as a search index.
  if (/\.(?:tgz|tar\.\w+)$/i.test(path)) return "a tar archive";
  return archiveStarts.find(([, magic]) => start.startsWith(magic))?.[0];
}
