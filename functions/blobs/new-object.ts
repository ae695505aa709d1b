import type { PutObjectCommandInput } from "@aws-sdk/client-s3";
import { fileMetadata } from "../platform/cache-tags.ts";
import { edgeKeepsSecondsMax, environmentNames, readEnvironment } from "../platform/environment.ts";
import type { Blob, ServedAs } from "./blob.ts";

/** An object to be stored, without its bytes. */
export type NewObject = Pick<
  PutObjectCommandInput,
  "Bucket" | "Key" | "ContentType" | "ContentDisposition" | "CacheControl" | "Metadata"
>;

/** A file is served right from its object, at any length. */
const cacheControl = `public, max-age=0, s-maxage=${edgeKeepsSecondsMax}, must-revalidate`;

/** An object of a file, with the headers that it will be served with. */
export function newObject(
  key: string,
  file: Pick<Blob, "namespace" | "id">,
  { contentType, contentDisposition }: ServedAs,
): NewObject {
  return {
    Bucket: readEnvironment(environmentNames.blobsBucket),
    Key: key,
    ContentType: contentType,
    ContentDisposition: contentDisposition,
    CacheControl: cacheControl,
    Metadata: fileMetadata(file),
  };
}
