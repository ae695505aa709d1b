import { lstat, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { unzipSync, zipSync } from "fflate";
import { exitCodes, Problem } from "./problem.ts";
import { publishedFilesName } from "./published-files.ts";

/** A file in a folder to publish. */
export interface FolderFile {
  /** Path relative to the folder, in NFC and with slashes. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** Limits of a folder, equal to the service's limits. Reading stops when a limit is exceeded. */
const filesMax = 2_000;
const folderBytesMax = 26_214_400;

/** Path of a folder's entry page. */
export const entryPath = "index.html";

/** Names that macOS, Windows and version control create in folders. The service ignores these names too. */
const ignoredName =
  /^(?:__MACOSX|\.AppleDouble|\.DS_Store|\._.*|Icon\r|\.git|\.hg|\.svn)$|^(?:desktop\.ini|thumbs\.db)$/is;

/**
 * Reads the files of a folder, sorted by path.
 *
 * @throws Problem that names the file that cannot be published
 */
export async function readFolder(folder: string): Promise<readonly FolderFile[]> {
  const paths = (await listFiles(folder)).sort();
  requireEntry(folder, paths);
  const files: FolderFile[] = [];
  let bytesLeft = folderBytesMax;
  for (const path of paths) {
    const bytes = await readFile(join(folder, path));
    bytesLeft -= bytes.byteLength;
    if (bytesLeft < 0)
      throw refuse(`${folder} is too large: the limit of ${folderBytesMax} bytes is exceeded at ${path}.`);
    files.push({ path: path.normalize("NFC"), bytes });
  }
  return files;
}

async function listFiles(folder: string): Promise<string[]> {
  const paths: string[] = [];
  const waiting = [""];
  for (let below = waiting.pop(); below !== undefined; below = waiting.pop()) {
    for (const name of await readdir(join(folder, below))) {
      if (name === publishedFilesName || ignoredName.test(name)) continue;
      const path = below === "" ? name : `${below}/${name}`;
      // The service treats a backslash as a separator in a zip archive from Windows.
      if (name.includes("\\")) throw refuse(`${path} has a backslash in its name: rename the file.`);
      const facts = await lstat(join(folder, path));
      if (facts.isDirectory()) waiting.push(path);
      else if (facts.isFile()) paths.push(path);
      else
        throw refuse(`${path} is a symbolic link or another special file: replace it with a regular file.`);
      if (paths.length > filesMax)
        throw refuse(
          `${folder} has more than ${filesMax} files. Publish only the folder with the built site.`,
        );
    }
  }
  return paths;
}

/** Returns the pages that readers might open first: the pages at the top level, otherwise each `index.html` in a subfolder. */
function candidatesOf(paths: readonly string[]): readonly string[] {
  const atTop = paths.filter((path) => /^[^/]+\.html?$/i.test(path) && path !== "404.html");
  return atTop.length > 0 ? atTop : paths.filter((path) => path.endsWith(`/${entryPath}`));
}

/** Maximum number of pages that an error message names. */
const candidatesShownMax = 5;

/** Requires an entry page: `index.html`, or the only candidate. If the candidate has another name, the service responds with a warning. */
function requireEntry(folder: string, paths: readonly string[]): void {
  const candidates = candidatesOf(paths);
  if (paths.includes(entryPath) || candidates.length === 1) return;
  const [first] = candidates;
  if (first === undefined)
    throw refuse(`${folder} has no ${entryPath}. Rename the main page to ${entryPath}.`);
  const shown = candidates.slice(0, candidatesShownMax).join(", ");
  const more = candidates.length - candidatesShownMax;
  const advice = first.includes("/")
    ? `To publish the folder of one of these pages, run: dropleaf publish ${join(folder, first, "..")}`
    : `Rename the main page to ${entryPath}. To publish a single page, run: dropleaf publish ${join(folder, first)}`;
  throw refuse(
    `${folder} has no ${entryPath}, but ${shown}${more > 0 ? ` and ${more} more` : ""}. ${advice}`,
  );
}

function refuse(message: string): Problem {
  return new Problem(`${message} Nothing was published.`, exitCodes.usage);
}

/** File extensions of formats that are already compressed. */
const compressedNames = /\.(?:avif|gif|jpe?g|mp[34]|pdf|png|web[mp]|woff2?)$/i;

/** Compression ratio above which the service refuses an archive as a zip bomb. */
const expansionMax = 200;

/** Creates a zip archive. The same files always result in the same bytes. */
export function zipFolder(files: readonly FolderFile[]): Uint8Array {
  const bytes = files.reduce((sum, file) => sum + file.bytes.byteLength, 0);
  const zip = zipWith(files, ({ path }) => (compressedNames.test(path) ? 0 : 6));
  return bytes <= expansionMax * zip.byteLength ? zip : zipWith(files, () => 0);
}

function zipWith(files: readonly FolderFile[], levelOf: (file: FolderFile) => 0 | 6): Uint8Array {
  return zipSync(
    Object.fromEntries(files.map((file) => [file.path, [file.bytes, { level: levelOf(file) }]])),
    { mtime: new Date(1980, 0, 1) },
  );
}

/**
 * Extracts a folder's archive. Stops at the size limit of a folder, because an untrusted archive could expand without limit.
 *
 * @throws Problem if the archive cannot be read, or exceeds the limit of a folder
 */
export function unzipFolder(archive: Uint8Array): Record<string, Uint8Array> {
  let bytesLeft = folderBytesMax;
  const isWithinLimit = ({ originalSize }: { readonly originalSize: number }) => {
    bytesLeft -= originalSize;
    if (bytesLeft >= 0) return true;
    throw new Problem(`The archive of a folder has more than ${folderBytesMax} bytes. Export again.`);
  };
  try {
    return unzipSync(archive, { filter: isWithinLimit });
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw new Problem(`The archive of a folder cannot be read (${(error as Error).message}). Export again.`);
  }
}
