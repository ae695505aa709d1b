import {
  CopyObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import { signAddress } from "../http/signed-address.ts";
import { type ServedAs, stagedObjectKey, type Upload } from "./blob.ts";
import { blobsBucket, blobsS3, discardObject, newObject } from "./objects.ts";

interface StagedObject {
  readonly sizeBytes: number;
  readonly etag: string;
}

/** Objects of unfinished uploads. Their keys are never served. */
export const stagedObjects = {
  /** Signs a URL for the upload of one file. S3 refuses a file of another length or type, and every request after the URL has expired. */
  async presign(upload: Upload, expiresInSeconds: number) {
    const headers = { "content-length": String(upload.sizeBytes), "content-type": upload.contentType };
    const request = { method: "PUT", objectKey: stagedObjectKey(upload), headers } as const;
    return { url: await signAddress(request, expiresInSeconds), headers };
  },

  /** Finds the uploaded object, or undefined before the upload. */
  async find(upload: Upload): Promise<StagedObject | undefined> {
    const command = new HeadObjectCommand({ Bucket: blobsBucket(), Key: stagedObjectKey(upload) });
    const found = await unlessMissing(blobsS3.send(command));
    return found && { sizeBytes: found.ContentLength ?? 0, etag: found.ETag ?? "" };
  },

  /** Reads the first bytes of the uploaded object. Returns undefined if the object was removed or replaced. */
  async readStart(upload: Upload, { etag }: StagedObject, bytesMax: number): Promise<Uint8Array | undefined> {
    const command = new GetObjectCommand({
      Bucket: blobsBucket(),
      Key: stagedObjectKey(upload),
      IfMatch: etag,
      Range: `bytes=0-${bytesMax - 1}`,
    });
    const found = await unlessMissing(blobsS3.send(command));
    return found?.Body?.transformToByteArray();
  },

  /** Copies the uploaded object to its final key. Returns false if the uploaded object was removed or replaced. */
  async copyTo(
    objectKey: string,
    upload: Upload,
    { etag }: StagedObject,
    served: ServedAs,
  ): Promise<boolean> {
    const command = new CopyObjectCommand({
      ...newObject(objectKey, upload, served),
      CopySource: `${blobsBucket()}/${stagedObjectKey(upload)}`,
      CopySourceIfMatch: etag,
      MetadataDirective: "REPLACE",
    });
    return (await unlessMissing(blobsS3.send(command))) !== undefined;
  },

  /** Removes the uploaded object. If this fails, the orphan check removes it. */
  async remove(upload: Upload): Promise<void> {
    await discardObject(stagedObjectKey(upload));
  },
};

/** Resolves to undefined for a missing object (S3 responds 403 to callers who may not list the bucket) or a replaced object (412). */
async function unlessMissing<Result>(request: Promise<Result>): Promise<Result | undefined> {
  try {
    return await request;
  } catch (error) {
    const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
    if (status === 403 || status === 404 || status === 412) return undefined;
    throw error;
  }
}
