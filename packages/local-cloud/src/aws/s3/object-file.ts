import type { FileHandle } from "node:fs/promises";
import type { Checksum } from "./payload.ts";

const MARK = Buffer.from("S3OBJECT");
const FOOTER_BYTES = 4 + MARK.length;

/** Metadata of a stored object. */
export interface ObjectMetadata {
  readonly sizeBytes: number;
  /** ETag of the object, including the quotes. */
  readonly etag: string;
  readonly lastModifiedMs: number;
  /** Headers that are returned unchanged, such as Content-Type and x-amz-meta-*. */
  readonly headers: Readonly<Record<string, string>>;
  readonly checksum?: Checksum | undefined;
  /** Id of the version. @default - the null version, from a bucket without versions */
  readonly versionId?: string | undefined;
  /** @default - no tags */
  readonly tags?: Readonly<Record<string, string>> | undefined;
  /** True for a delete marker, which has no bytes. @default false */
  readonly isDeleteMarker?: boolean;
}

/**
 * Appends the metadata to the bytes of an object and makes both durable. The file contains the bytes, the metadata as JSON, the JSON's
 * length in 4 bytes, and a marker. Renaming the file replaces bytes and metadata together.
 */
export async function finishObjectFile(file: FileHandle, metadata: ObjectMetadata): Promise<void> {
  const json = Buffer.from(JSON.stringify(metadata));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(json.length);
  await writeAll(file, Buffer.concat([json, length, MARK]));
  await file.sync();
}

/** Reads the metadata. Throws an Error if the file is not a finished object. */
export async function readObjectMetadata(file: FileHandle, path: string): Promise<ObjectMetadata> {
  const { size } = await file.stat();
  const footer = await readAt(file, Math.max(0, size - FOOTER_BYTES), FOOTER_BYTES);
  if (footer.length < FOOTER_BYTES || !footer.subarray(4).equals(MARK)) {
    throw new Error(`${path} is not an object of the local S3; remove it or choose another DATA_DIR`);
  }
  const jsonBytes = footer.readUInt32BE(0);
  const json = await readAt(file, size - FOOTER_BYTES - jsonBytes, jsonBytes);
  return JSON.parse(json.toString("utf8")) as ObjectMetadata;
}

/** Appends all bytes, because a single write may write only some of them. */
export async function writeAll(file: FileHandle, bytes: Buffer): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, written);
    written += bytesWritten;
  }
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}
