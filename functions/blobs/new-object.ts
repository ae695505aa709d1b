import type { PutObjectCommandInput } from "@aws-sdk/client-s3";
import { edgeKeepsSecondsMax, environmentNames, readEnvironment } from "../platform/environment.ts";
import type { ServedAs } from "./blob.ts";

/** An object to be stored, without its bytes. */
export type NewObject = Pick<
  PutObjectCommandInput,
  "Bucket" | "Key" | "ContentType" | "ContentDisposition" | "CacheControl"
>;

/** A file is served right from its object, at any length. */
const cacheControl = `public, max-age=0, s-maxage=${edgeKeepsSecondsMax}, must-revalidate`;

/** An object of a file, with the headers that it will be served with. */
export function newObject(key: string, { contentType, contentDisposition }: ServedAs): NewObject {
  return {
    Bucket: readEnvironment(environmentNames.blobsBucket),
    Key: key,
    ContentType: contentType,
    ContentDisposition: contentDisposition,
    CacheControl: cacheControl,
  };
}
