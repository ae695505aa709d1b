import { servedAs } from "../blobs/blob.ts";
import { objectAddress } from "../blobs/public-files.ts";
import { environmentNames } from "../core/environment.ts";
import { ApiError } from "../core/errors.ts";
import { pages } from "../drops/page-objects.ts";
import { type StoredEncoding, withoutCharset } from "../folders/content-type.ts";
import type { FoundFile } from "../folders/find-file.ts";
import { type Manifest, type ManifestFile, sentBytesMax } from "../folders/folder.ts";
import type { FolderPlace } from "../folders/folder-addresses.ts";
import type { FoundVersion } from "../gate/readable-version.ts";
import type { HttpRequest } from "../http/request.ts";
import { type HttpResponse, redirect } from "../http/response.ts";
import type { Site } from "../http/site.ts";
import type { PublishedOptions } from "./raw-response.ts";

/** Maximum number of manifests in a function's cache. A manifest of 2,000 files takes 1 MB of memory. */
const manifestsMax = 32;
const manifests = new Map<string, Manifest>();

/** Reads a manifest through a cache, because manifests never change. Returns undefined if the version was deleted in the meantime. */
export async function readManifest(pageKey: string): Promise<Manifest | undefined> {
  const cached = manifests.get(pageKey);
  if (cached !== undefined) return cached;
  const manifest = await pages.getManifest(pageKey);
  if (manifests.size >= manifestsMax) manifests.clear();
  if (manifest !== undefined) manifests.set(pageKey, manifest);
  return manifest;
}

/** A reader's request for a file. */
export interface FileReading {
  readonly request: HttpRequest;
  readonly site: Site;
  readonly found: FoundVersion;
  /** Path on the base host. The signed URL of a large file redirects to it after the URL has expired. */
  readonly checkedPath: string;
  readonly options: PublishedOptions;
  readonly place: FolderPlace & Pick<Manifest, "files">;
}

/** Offsets of the first and last byte, inclusive. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/** Reads a file's bytes, or a range of them. @throws ApiError `not_found` if the version was deleted in the meantime */
export async function readBytes(
  file: ManifestFile,
  { from, to }: ByteRange = { from: 0, to: file.sizeBytes - 1 },
): Promise<Buffer> {
  const bytes = await pages.getPart({ ...file, offset: file.offset + from, sizeBytes: to - from + 1 });
  if (bytes === undefined) throw new ApiError("not_found");
  return bytes;
}

/**
 * Returns a predicate for cross-origin files of a page. All files are cross-origin if the page has no origin. If it has
 * one, only files that Amazon S3 serves are cross-origin.
 */
export function isApartIn({
  options,
  place,
}: Pick<FileReading, "options" | "place">): (path: string) => boolean {
  const hasOrigin = options.hasOwnOrigin && options.isFramed !== true;
  return (path) => !hasOrigin || (place.files[path]?.sizeBytes ?? 0) > sentBytesMax;
}

/**
 * CORS headers for files that folder pages load by module scripts, fonts and `fetch`. Sandboxed pages have no origin,
 * so any page that knows a file's URL may read the file. The URL contains a key if the drop is guarded.
 */
export const readableByPages = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "*",
  "cross-origin-resource-policy": "cross-origin",
} as const;

/** A large file, which is stored as its own S3 object. */
export interface LargeFile extends Pick<FoundFile, "path" | "file"> {
  readonly contentType: string;
  /** Content encoding that the client decodes. @default - none */
  readonly stored?: StoredEncoding | undefined;
}

/** Redirects to the S3 object of a large file. */
export async function redirectToObject(
  large: LargeFile,
  reading: Pick<FileReading, "checkedPath" | "site" | "options">,
): Promise<HttpResponse> {
  const response = redirect(await addressOf(large, reading));
  return { ...response, headers: { ...response.headers, ...readableByPages } };
}

/** Returns the signed URL of a large file's S3 object. The URL expires after a few seconds, or with the drop if that is earlier. */
export function addressOf(
  { path, file, contentType, stored }: LargeFile,
  { checkedPath, site, options }: Pick<FileReading, "checkedPath" | "site" | "options">,
): Promise<string> {
  const { drop, nowMs } = options;
  const filename = path.slice(path.lastIndexOf("/") + 1).replace(/[^\w .-]/g, "_");
  const { contentDisposition } = servedAs(filename, contentType);
  const object = {
    bucket: environmentNames.pagesBucket,
    objectKey: file.packKey,
    checkedPath,
    contentDisposition,
    contentType: withoutCharset(contentType),
    contentEncoding: stored?.encoding,
  };
  return objectAddress(site, object, drop, nowMs);
}
