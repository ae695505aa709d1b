import { lstat, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { unzipSync, zipSync } from "fflate";
import { exitCodes, Problem } from "./problem.ts";
import { publishedFilesName } from "./published-files.ts";

/** A file of a folder that is published. */
export interface FolderFile {
  /** Path below the folder in NFC, with slashes. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** Limits of a folder, as the service has them: no more is read. */
const filesMax = 500;
const folderBytesMax = 26_214_400;

/** Page that readers open first. */
const entryPath = "index.html";

/** Names that systems and tools leave in folders, and this program's own notes. The service skips the former, too. */
function isIgnored(name: string): boolean {
  return ["__MACOSX", ".git", ".DS_Store", "Thumbs.db", publishedFilesName].includes(name);
}

/**
 * Reads the files of a folder, in the order of their paths.
 *
 * @throws Problem that names the file which cannot be published
 */
export async function readFolder(folder: string): Promise<readonly FolderFile[]> {
  const paths = (await listFiles(folder)).sort();
  if (!paths.includes(entryPath)) throw withoutEntry(folder, paths);
  const files: FolderFile[] = [];
  let bytesLeft = folderBytesMax;
  for (const path of paths) {
    const bytes = await readFile(join(folder, path));
    bytesLeft -= bytes.byteLength;
    if (bytesLeft < 0) throw refuse(`${folder} has more than ${folderBytesMax} bytes, up to ${path}.`);
    files.push({ path: path.normalize("NFC"), bytes });
  }
  return files;
}

async function listFiles(folder: string): Promise<string[]> {
  const paths: string[] = [];
  const waiting = [""];
  for (let below = waiting.pop(); below !== undefined; below = waiting.pop()) {
    for (const name of await readdir(join(folder, below))) {
      if (isIgnored(name)) continue;
      const path = below === "" ? name : `${below}/${name}`;
      const facts = await lstat(join(folder, path));
      if (facts.isDirectory()) waiting.push(path);
      else if (facts.isFile()) paths.push(path);
      else throw refuse(`${path} is a symbolic link or another special file: put the file in its place.`);
      if (paths.length > filesMax)
        throw refuse(
          `${folder} has more than ${filesMax} files. Publish the folder of the built site alone.`,
        );
    }
  }
  return paths;
}

function withoutEntry(folder: string, paths: readonly string[]): Problem {
  const deeper = paths.find((path) => path.endsWith(`/${entryPath}`));
  const advice =
    deeper === undefined
      ? `Name the page that readers open first ${entryPath}.`
      : `Did you mean: dropleaf publish ${join(folder, deeper, "..")}`;
  return refuse(`${folder} has no ${entryPath}. ${advice}`);
}

function refuse(message: string): Problem {
  return new Problem(`${message} Nothing was published.`, exitCodes.usage);
}

/** Starts of files that are compressed already. */
const compressedNames = /\.(?:avif|gif|jpe?g|mp[34]|pdf|png|web[mp]|woff2?)$/i;

/** An archive that expands more often is refused as a bomb. */
const expansionMax = 200;

/** Writes files as a zip archive. The same files make the same bytes. */
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
 * Unpacks an archive of a folder. One of somebody else may expand without end.
 *
 * @throws Problem if it cannot be read, or has more than a folder
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
