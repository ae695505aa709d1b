import { createWriteStream } from "node:fs";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { GetObjectCommand, NoSuchKey } from "@aws-sdk/client-s3";
import type { Blob } from "../../../functions/blobs/blob.ts";
import { blobsS3 } from "../../../functions/blobs/objects.ts";
import { keys } from "../../../functions/table/keys.ts";
import { getItem } from "../../../functions/table/table.ts";
import type { CopyFolder } from "./copy-folder.ts";

/** File name of a file's bytes in a copy. The id comes first, since the file's own name may consist of dots. */
export function blobFileName({ id, filename }: Blob): string {
  return `${id}-${filename}`;
}

/** Copies a file's bytes into `files/`, and returns what is wrong with them: a line each. */
export async function copyBlob(bucket: string, blob: Blob, folder: CopyFolder): Promise<string[]> {
  const path = await folder.file("files", blobFileName(blob));
  const sizeBytes = await download(bucket, blob.objectKey, path);
  if (sizeBytes === blob.sizeBytes) return [];
  if ((await getItem(keys.blob(blob.ownerId, blob.id))) === undefined) return [];
  if (sizeBytes === undefined) return [`The file ${blob.id} (${blob.filename}) is not in the bucket.`];
  return [
    `The file ${blob.id} (${blob.filename}) has ${sizeBytes} bytes in the bucket, not ${blob.sizeBytes}.`,
  ];
}

/** The object's size, or undefined where there is none. */
async function download(bucket: string, key: string, path: string): Promise<number | undefined> {
  try {
    const response = await blobsS3.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
    const output = createWriteStream(path, { mode: 0o600 });
    await pipeline(response.Body as Readable, output);
    return output.bytesWritten;
  } catch (error) {
    if (error instanceof NoSuchKey) return undefined;
    throw error;
  }
}
