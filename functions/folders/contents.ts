import { ApiError } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import type { FolderFile } from "./folder.ts";
import { decodePage } from "./page-charset.ts";
import { refuseFile } from "./paths.ts";

/** Refuses a folder whose files are too large together. */
export function checkFolderBytes(bytes: number): void {
  const { folderBytesMax } = limits;
  if (bytes <= folderBytesMax) return;
  throw new ApiError("invalid_arg", {
    message: `The files of the folder are ${bytes} bytes; at most ${folderBytesMax} are allowed. Nothing was published.`,
    details: { bytes, bytes_max: folderBytesMax },
  });
}

/** An archive may expand to this many times its size, and always to this many bytes. */
export const expansionMax = 200;
const expandedBytesMin = 1_048_576;

/** Maximum bytes to which an archive of a folder may expand. */
export function expandedBytesMax(archiveBytes: number): number {
  return Math.max(expandedBytesMin, expansionMax * archiveBytes);
}

/**
 * Refuses an archive at the top of a folder: it is often the folder itself, made before. Archives below are data, such as the traces of a
 * test report.
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

/**
 * The text of a folder's entry page.
 *
 * @throws ApiError `invalid_arg` for an empty page
 */
export function decodeEntry(path: string, bytes: Uint8Array = new Uint8Array()): string {
  if (bytes.byteLength === 0) throw refuseFile(path, "is empty: it is the page that readers open first.");
  return decodePage(bytes);
}

/** Documents in zip format, which readers open as documents. */
const documentNames = /\.(?:docx|dotx|xlsx|xltx|xlsm|pptx|potx|odt|ods|odp|odg|epub|pages|numbers|key|3mf)$/i;

/** First bytes of archives. */
const archiveStarts: readonly (readonly [kind: string, start: string])[] = [
  ["a zip archive", "PK\u0003\u0004"],
  ["a zip archive", "PK\u0005\u0006"],
  ["a 7z archive", "7z\u00bc\u00af\u0027\u001c"],
  ["a rar archive", "Rar!\u001a\u0007"],
];

/** The kind of an archive; undefined for any other file. */
function archiveKindOf(path: string, bytes: Uint8Array): string | undefined {
  if (documentNames.test(path)) return undefined;
  const start = Buffer.from(bytes.subarray(0, 512)).toString("latin1");
  if (start.startsWith("ustar", 257)) return "a tar archive";
  // Gzip is also a format of data files, such as a search index.
  if (/\.(?:tgz|tar\.\w+)$/i.test(path)) return "a tar archive";
  return archiveStarts.find(([, magic]) => start.startsWith(magic))?.[0];
}
