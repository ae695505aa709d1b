import { AwsError } from "../aws-error.ts";
import { element, parent, s3Document } from "../xml.ts";
import type { ObjectMetadata } from "./object-file.ts";
import { compareUtf8, type ObjectStore } from "./object-store.ts";
import { notImplemented } from "./s3-errors.ts";

const KEYS_PER_PAGE_MAX = 1000;

/** Returns one page of ListObjectsV2 as XML. Supports prefix, start-after, continuation-token and max-keys. */
export async function listObjects(store: ObjectStore, query: ReadonlyMap<string, string>): Promise<string> {
  if (query.get("list-type") !== "2") throw notImplemented(`list-type ${query.get("list-type")}`);
  const prefix = query.get("prefix") ?? "";
  const token = query.get("continuation-token");
  const maxKeys = parseMaxKeys(query.get("max-keys"));
  const after = token === undefined ? (query.get("start-after") ?? "") : keyOfToken(token);

  const remaining = (await store.keys(prefix)).filter((key) => compareUtf8(key, after) > 0);
  const page = remaining.slice(0, maxKeys);
  const isTruncated = page.length < remaining.length && maxKeys > 0;
  const contents = await Promise.all(page.map((key) => contentsOf(store, key)));
  return s3Document(
    "ListBucketResult",
    element("Name", store.bucket),
    element("Prefix", prefix),
    element("MaxKeys", maxKeys),
    element("KeyCount", page.length),
    element("IsTruncated", isTruncated),
    ...(token === undefined ? [] : [element("ContinuationToken", token)]),
    ...(isTruncated ? [element("NextContinuationToken", tokenOfKey(page.at(-1) ?? ""))] : []),
    ...contents,
  );
}

/** Renders an object of the list. Returns an empty string if the object was deleted after its key was read. */
async function contentsOf(store: ObjectStore, key: string): Promise<string> {
  const object = await store.open(key);
  if (!object) return "";
  await object.close();
  return parent("Contents", element("Key", key), ...listedFields(object.metadata));
}

/** Renders the fields that entries of ListObjectsV2 and ListObjectVersions have in common. */
export function listedFields({ etag, sizeBytes, lastModifiedMs }: ObjectMetadata): string[] {
  return [
    element("LastModified", new Date(lastModifiedMs).toISOString()),
    element("ETag", etag),
    element("Size", sizeBytes),
    element("StorageClass", "STANDARD"),
  ];
}

/** Reads the maximum number of entries in a page, at most 1,000. */
export function parseMaxKeys(value: string | undefined): number {
  if (value === undefined) return KEYS_PER_PAGE_MAX;
  if (!/^\d{1,9}$/.test(value)) {
    throw new AwsError("InvalidArgument", 400, "max-keys must be an integer between 0 and 2147483647");
  }
  return Math.min(Number(value), KEYS_PER_PAGE_MAX);
}

function tokenOfKey(key: string): string {
  return Buffer.from(key).toString("base64url");
}

function keyOfToken(token: string): string {
  const key = Buffer.from(token, "base64url").toString();
  if (tokenOfKey(key) === token && token !== "") return key;
  throw new AwsError("InvalidArgument", 400, "The continuation token provided is incorrect");
}
