import { crc32, deflateRawSync } from "node:zlib";

/** An entry of a zip archive. Each field of the format can be set to a false value. */
export interface ZipEntry {
  readonly name: string | Uint8Array;
  /** @default - empty */
  readonly bytes?: Uint8Array | string;
  /** Compression method. Contents are deflated for 8, and written unchanged for others. @default 8 */
  readonly method?: number;
  /** General purpose bits. @default - names are in UTF-8 */
  readonly flags?: number;
  /** Mode of Unix in the external attributes, such as 0o120777 of a link. @default 0o100644 */
  readonly mode?: number;
  /** System of the program that made it: 0 is DOS, 10 Windows. @default - Unix */
  readonly system?: number;
  readonly crc32?: number;
  readonly size?: number;
  readonly compressedSize?: number;
  /** Compressed bytes. @default - the contents by the method */
  readonly data?: Uint8Array;
  readonly extra?: Uint8Array;
  /** Fields of the header before the contents that differ from the central directory. @default - the same */
  readonly local?: Partial<ZipEntry>;
  /** Offset of the local header in the central directory. @default - its real offset */
  readonly offset?: number;
  /** Writes only the line in the central directory, without header and contents. @default false */
  readonly isListedOnly?: boolean;
}

/** Values of the archive's end record. */
interface ArchiveClaims {
  /** Entries in the end record. @default - those of the central directory */
  readonly entryCount?: number;
  /** @default - its real offset */
  readonly directoryOffset?: number;
  readonly comment?: string;
  /** A zip64 record and locator before the end record, with these values. @default - none */
  readonly zip64?: { readonly entryCount: bigint; readonly directoryOffset: bigint };
}

/** Writes a zip archive field by field: well-formed by default, malformed where an entry or the archive has false values. */
export function writeZip(entries: readonly ZipEntry[], claims: ArchiveClaims = {}): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const entry of entries) {
    const offset = entry.offset ?? at;
    directory.push(centralHeader(entry, offset));
    if (entry.isListedOnly) continue;
    const local = { ...entry, ...entry.local };
    const written = Buffer.concat([localHeader(local), dataOf(entry)]);
    parts.push(written);
    at += written.byteLength;
  }
  const central = Buffer.concat(directory);
  const start = claims.directoryOffset ?? at;
  const zip64 = claims.zip64 === undefined ? [] : [zip64End(claims.zip64, at + central.byteLength)];
  const count = claims.entryCount ?? entries.length;
  return Buffer.concat([...parts, central, ...zip64, end(count, central.byteLength, start, claims.comment)]);
}

/** Builds an extra field of an entry. */
export function extraField(id: number, data: Uint8Array): Buffer {
  return Buffer.concat([shorts(id, data.byteLength), data]);
}

function bytesOf({ bytes = "" }: ZipEntry): Buffer {
  return Buffer.from(bytes as Uint8Array);
}

function dataOf(entry: ZipEntry): Buffer {
  if (entry.data !== undefined) return Buffer.from(entry.data);
  return (entry.method ?? 8) === 8 ? deflateRawSync(bytesOf(entry)) : bytesOf(entry);
}

function localHeader(entry: ZipEntry): Buffer {
  const name = Buffer.from(entry.name as Uint8Array);
  const extra = Buffer.from(entry.extra ?? []);
  return Buffer.concat([words(0x04034b50), shorts(20), common(entry, name, extra), name, extra]);
}

function centralHeader(entry: ZipEntry, offset: number): Buffer {
  const name = Buffer.from(entry.name as Uint8Array);
  const extra = Buffer.from(entry.extra ?? []);
  const attributes = ((entry.mode ?? 0o100644) << 16) >>> 0;
  return Buffer.concat([
    words(0x02014b50),
    // Made by version 2.0.
    shorts(((entry.system ?? 3) << 8) | 20, 20),
    common(entry, name, extra),
    shorts(0, 0, 0),
    words(attributes, offset),
    name,
    extra,
  ]);
}

/** Writes the fields that both headers share. */
function common(entry: ZipEntry, name: Buffer, extra: Buffer): Buffer {
  const bytes = bytesOf(entry);
  return Buffer.concat([
    shorts(entry.flags ?? 0x800, entry.method ?? 8, 0, 0x21),
    words(
      entry.crc32 ?? crc32(bytes),
      entry.compressedSize ?? dataOf(entry).byteLength,
      entry.size ?? bytes.byteLength,
    ),
    shorts(name.byteLength, extra.byteLength),
  ]);
}

function end(count: number, size: number, offset: number, comment = ""): Buffer {
  const text = Buffer.from(comment, "latin1");
  return Buffer.concat([
    words(0x06054b50),
    shorts(0, 0, count, count),
    words(size, offset),
    shorts(text.byteLength),
    text,
  ]);
}

function zip64End(
  { entryCount, directoryOffset }: { readonly entryCount: bigint; readonly directoryOffset: bigint },
  at: number,
): Buffer {
  return Buffer.concat([
    words(0x06064b50),
    longs(44n),
    shorts(45, 45),
    words(0, 0),
    longs(entryCount, entryCount, 0n, directoryOffset),
    words(0x07064b50, 0),
    longs(BigInt(at)),
    words(1),
  ]);
}

function shorts(...values: number[]): Buffer {
  const buffer = Buffer.alloc(2 * values.length);
  for (const [index, value] of values.entries()) buffer.writeUInt16LE(value, 2 * index);
  return buffer;
}

function words(...values: number[]): Buffer {
  const buffer = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) buffer.writeUInt32LE(value, 4 * index);
  return buffer;
}

function longs(...values: bigint[]): Buffer {
  const buffer = Buffer.alloc(8 * values.length);
  for (const [index, value] of values.entries()) buffer.writeBigUInt64LE(value, 8 * index);
  return buffer;
}
