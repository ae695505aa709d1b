import { crc32, inflateRawSync } from "node:zlib";
import {
  type Entry,
  fromBufferPromise,
  getFileNameLowLevel,
  type LocalFileHeader,
  type ZipFile,
} from "yauzl";
import { ApiError } from "../core/errors.ts";
import { checkContents, checkFolderBytes, expandedBytesMax, expansionMax } from "./contents.ts";
import type { FolderFile } from "./folder.ts";
import { checkPaths, isIgnoredPath, refuseFile, refuseUnsafePath, withSlashes } from "./paths.ts";

/** Maximum number of entries in an archive. Folders and skipped files count too, because reading any entry takes time. */
const entriesMax = 10_000;

interface ArchivedFile {
  readonly name: string;
  /** True if the name was converted from code page 437. */
  readonly isConverted: boolean;
  readonly entry: Entry;
}

interface ReadFolder {
  readonly files: readonly FolderFile[];
  readonly warnings: readonly string[];
}

/**
 * Reads the files of a folder from a zip archive. Paths are in NFC, without the name of a single top-level folder.
 *
 * The library yauzl checks every offset and length of the central directory. The smaller library fflate trusts the headers. Node inflates
 * the contents, up to the size in the header.
 *
 * @throws ApiError `invalid_arg` or `html_too_large`, with `details.path` if a single file is invalid
 */
export async function readArchive(zip: Uint8Array): Promise<ReadFolder> {
  refuseOtherFormats(zip);
  const buffer = Buffer.from(zip.buffer, zip.byteOffset, zip.byteLength);
  const archive = await broken(() => fromBufferPromise(buffer, { decodeStrings: false }));
  const directoryStart = cursorOf(archive);
  const files = await listFiles(archive, buffer);
  const top = commonFolderOf(files.map(({ name }) => name));
  const paths = checkPaths(files.map(({ name }) => name.slice(top.length)));
  checkDeclaredSizes(files, zip.byteLength);
  const spans: Span[] = [];
  const read: FolderFile[] = [];
  for (const [index, { entry }] of files.entries()) {
    const path = paths[index] as string;
    const { fileDataStart } = await checkLocalHeader(archive, path, entry);
    const end = fileDataStart + entry.compressedSize;
    spans.push({ path, start: entry.relativeOffsetOfLocalHeader, end });
    const file = { path, bytes: readContents(path, entry, buffer.subarray(fileDataStart, end)) };
    checkContents(file);
    read.push(file);
  }
  refuseOverlaps([...spans, { path: "the list of files", start: directoryStart, end: zip.byteLength }]);
  return { files: read, warnings: warnAboutNames(files) };
}

function warnAboutNames(files: readonly ArchivedFile[]): readonly string[] {
  const [first, ...others] = files.filter(({ isConverted }) => isConverted);
  if (first === undefined) return [];
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  return [
    `File names were read as code page 437: ${JSON.stringify(first.name.slice(0, 100))}${more}. If a name is wrong, make the archive with a tool that writes names in UTF-8.`,
  ];
}

/** First bytes of other formats that callers send instead of a zip archive. */
const otherFormats: readonly (readonly [start: RegExp, name: string])[] = [
  [/^\p{Cc}\u{8b}/u, "A gzip file (such as .tar.gz)"],
  [/^7z\u{bc}\u{af}/u, "A 7z archive"],
  [/^Rar!/, "A rar archive"],
  [/^BZh/, "A bzip2 file"],
  [/^.{257}ustar/s, "A tar archive"],
  [/^\s*</, "A page"],
  [/^\s*[{[]/, "JSON"],
  [/^UEsD/, "A zip archive in base64"],
  [/^--/, "A form (multipart/form-data)"],
];

function refuseOtherFormats(zip: Uint8Array): void {
  const start = Buffer.from(zip.subarray(0, 512)).toString("latin1");
  if (start.startsWith("PK")) return;
  const [, name = "Something else"] = otherFormats.find(([pattern]) => pattern.test(start)) ?? [];
  const came = zip.byteLength === 0 ? "The body is empty" : `${name} was sent in place of a zip archive`;
  throw new ApiError("invalid_arg", {
    message: `${came}. Send a folder as a zip archive: zip -r folder.zip . && curl --data-binary @folder.zip -H 'Content-Type: application/zip'.`,
  });
}

async function broken<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (cause) {
    if (cause instanceof ApiError) throw cause;
    const { message } = cause as Error;
    throw /encrypt/.test(message) ? encryptedArchive() : brokenArchive(message, cause);
  }
}

function brokenArchive(reason: string, cause?: unknown): ApiError {
  return new ApiError("invalid_arg", {
    message:
      "The zip archive is broken or cut off: its list of files cannot be read. Make it again and send all its bytes. Nothing was published.",
    details: { reason: reason.slice(0, 200) },
    cause,
  });
}

function encryptedArchive(): ApiError {
  return new ApiError("invalid_arg", {
    message: "The zip archive is encrypted. Make it without a password. Nothing was published.",
  });
}

/** Lists the archive's files that will be published. Runs every check for which the headers are enough. */
async function listFiles(archive: ZipFile, zip: Buffer): Promise<readonly ArchivedFile[]> {
  if (archive.entryCount > entriesMax) {
    throw new ApiError("invalid_arg", {
      message: `The zip archive has ${archive.entryCount} entries; at most ${entriesMax} are read. Leave out what the pages do not need.`,
      details: { entries: archive.entryCount, entries_max: entriesMax },
    });
  }
  const files: ArchivedFile[] = [];
  await broken(async () => {
    for await (const entry of archive.eachEntry()) {
      const decoded = decodeName(entry);
      const name = withSlashes(decoded.name);
      if (isFolder(name, entry) || isIgnoredPath(name)) continue;
      refuseUnsafePath(name);
      checkEntry(name, entry);
      files.push({ ...decoded, name, entry });
    }
  });
  refuseUncounted(archive, zip);
  return files;
}

/** Box-drawing characters. In a file name, they show that the name was decoded with the wrong code page. */
const boxes = /[\u2310\u2320\u2321\u2500-\u25a0]/;

/** Host systems that write names in a DOS code page: DOS (0) and Windows (10 and 11). */
const dosSystems = [0, 10, 11];

/**
 * Decodes the name of an entry. macOS and older tools write UTF-8 without the UTF-8 flag. The extra field 0x7075 contains the UTF-8 of a
 * name in an older code page. All other names from DOS or Windows are in code page 437.
 */
function decodeName(entry: Entry): Pick<ArchivedFile, "name" | "isConverted"> {
  const { generalPurposeBitFlag, fileNameRaw, extraFields, versionMadeBy } = entry;
  const decodeWith = (flags: number) => getFileNameLowLevel(flags, fileNameRaw, extraFields, true);
  const name = decodeWith(generalPurposeBitFlag | utf8Flag);
  if (!name.includes("\ufffd")) return { name, isConverted: false };
  const isUtf8 = (generalPurposeBitFlag & utf8Flag) !== 0;
  const older = decodeWith(generalPurposeBitFlag);
  if (!isUtf8 && dosSystems.includes(versionMadeBy >>> 8) && !boxes.test(older))
    return { name: older, isConverted: true };
  throw refuseFile(
    name,
    "is a name that is not in UTF-8: rename the file with plain letters, or make the archive with a tool that writes names in UTF-8.",
  );
}

const utf8Flag = 0x800;
const descriptorFlag = 0x8;
/** Flags for encrypted contents, strong encryption and masked headers. */
const encryptedFlags = 0x1 | 0x40 | 0x2000;

/** Unix file types in the upper half of the external attributes. Tools that record no file type write 0. */
const unixKinds = { mask: 0o170000, file: 0o100000, folder: 0o040000 };

function unixKindOf(entry: Entry): number {
  return (entry.externalFileAttributes >>> 16) & unixKinds.mask;
}

function isFolder(name: string, entry: Entry): boolean {
  return name.endsWith("/") || unixKindOf(entry) === unixKinds.folder;
}

function checkEntry(name: string, entry: Entry): void {
  const kind = unixKindOf(entry);
  if (kind !== 0 && kind !== unixKinds.file) {
    throw refuseFile(name, "is a symbolic link or another special file: send the file that it points to.");
  }
  if ((entry.generalPurposeBitFlag & encryptedFlags) !== 0) {
    throw refuseFile(name, "is encrypted: make the archive without a password.");
  }
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8) {
    throw refuseFile(
      name,
      `is compressed by method ${entry.compressionMethod}: use deflate (method 8) or none, as zip -r does.`,
      { method: entry.compressionMethod },
    );
  }
}

/** Returns the offset of the next entry in the central directory. yauzl's types wrongly declare a boolean. */
function cursorOf(archive: ZipFile): number {
  return Number(archive.readEntryCursor);
}

/** Signatures that may follow the last entry of the central directory: the end record, or the end record of zip64. */
const endSignatures = [0x06054b50, 0x06064b50];

/** Refuses a central directory with more entries than its end record states, because other programs could extract different files. */
function refuseUncounted(archive: ZipFile, zip: Buffer): void {
  const end = cursorOf(archive);
  const isAtEnd = end + 4 <= zip.byteLength && endSignatures.includes(zip.readUInt32LE(end));
  if (!isAtEnd) throw brokenArchive("The central directory has more entries than its end record states.");
}

/** Returns the single top-level folder that contains all files, with a slash at the end, or an empty string if there is no such folder. */
function commonFolderOf(names: readonly string[]): string {
  const [first = ""] = names;
  const top = first.slice(0, first.indexOf("/") + 1);
  return names.every((name) => name.startsWith(top)) ? top : "";
}

/** Checks the sizes in the headers. No more than these sizes will be read. */
function checkDeclaredSizes(files: readonly ArchivedFile[], zipBytes: number): void {
  const bytes = files.reduce((sum, { entry }) => sum + entry.uncompressedSize, 0);
  checkFolderBytes(bytes);
  if (bytes <= expandedBytesMax(zipBytes)) return;
  throw new ApiError("invalid_arg", {
    message: `The zip archive expands ${Math.round(bytes / zipBytes)} times, to ${bytes} bytes; at most ${expansionMax} times is allowed. Leave out files that compress to almost nothing, or store them uncompressed (zip -0). Nothing was published.`,
    details: { bytes, archive_bytes: zipBytes, times_max: expansionMax },
  });
}

/** Compares an entry with its local header, which other programs read instead of the central directory. */
async function checkLocalHeader(archive: ZipFile, path: string, entry: Entry): Promise<LocalFileHeader> {
  const header = await broken(() => archive.readLocalFileHeaderPromise(entry));
  const isDescribedLater = (header.generalPurposeBitFlag & descriptorFlag) !== 0;
  const isSame =
    header.fileName.equals(entry.fileNameRaw) &&
    header.compressionMethod === entry.compressionMethod &&
    (header.generalPurposeBitFlag & encryptedFlags) === 0 &&
    (isDescribedLater ||
      (header.crc32 === entry.crc32 &&
        isSameSize(header.compressedSize, entry.compressedSize) &&
        isSameSize(header.uncompressedSize, entry.uncompressedSize)));
  if (isSame) return header;
  throw refuseFile(path, "has two different headers in the archive: make the archive again.");
}

/** Compares two sizes. In zip64, the local size is 0xffffffff, and an extra field contains the real size. */
function isSameSize(local: number, central: number): boolean {
  return local === central || local === 0xffffffff;
}

/** Reads the contents of a file, and checks them against the size and checksum in the header. */
function readContents(path: string, entry: Entry, compressed: Buffer): Uint8Array {
  // Some tools mark an empty file as deflated, but omit the two bytes of an empty deflate stream.
  const isStored = entry.compressionMethod === 0 || compressed.byteLength === 0;
  const bytes = isStored ? compressed : inflate(path, entry, compressed);
  if (bytes.byteLength === entry.uncompressedSize && crc32(bytes) === entry.crc32) return bytes;
  throw brokenFile(path, entry);
}

/** Inflates a file, and stops at the size in its header. For small files, the synchronous call is five times as fast. */
function inflate(path: string, entry: Entry, compressed: Buffer): Buffer {
  const options = { info: true, maxOutputLength: Math.max(entry.uncompressedSize, 1) };
  try {
    // The types of Node.js lack the option `info`.
    const { buffer, engine } = inflateRawSync(compressed, options) as unknown as {
      readonly buffer: Buffer;
      readonly engine: { readonly bytesWritten: number };
    };
    if (engine.bytesWritten === compressed.byteLength) return buffer;
  } catch (cause) {
    throw brokenFile(path, entry, cause);
  }
  throw brokenFile(path, entry);
}

function brokenFile(path: string, { uncompressedSize }: Entry, cause?: unknown): ApiError {
  const problem = `is broken in the archive: its contents do not match the size (${uncompressedSize} bytes) or the checksum in the header. Make the archive again.`;
  const refusal = refuseFile(path, problem);
  return new ApiError(refusal.code, { message: refusal.message, details: refusal.details, cause });
}

interface Span {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

/** Refuses files that share bytes of the archive, as in zip bombs. */
function refuseOverlaps(spans: readonly Span[]): void {
  const sorted = [...spans].sort((one, other) => one.start - other.start);
  for (const [index, { path, start }] of sorted.entries()) {
    const before = sorted[index - 1];
    if (before === undefined || before.end <= start) continue;
    const problem = `overlaps ${JSON.stringify(before.path)} in the archive: make the archive again.`;
    throw refuseFile(path, problem, { other: before.path });
  }
}
