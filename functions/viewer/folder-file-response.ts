import { isUtf8 } from "node:buffer";
import { servedAs } from "../blobs/blob.ts";
import { withFileAddresses } from "../blobs/embedded-files.ts";
import { objectAddress } from "../blobs/public-files.ts";
import { isGuarded } from "../drops/drop.ts";
import { findHtmlHeadOffset } from "../drops/page-content.ts";
import { pages } from "../drops/page-objects.ts";
import { contentTypeOf, isHtml, isText } from "../folders/content-type.ts";
import type { FoundFile } from "../folders/find-file.ts";
import { type Manifest, type ManifestFile, sentBytesMax } from "../folders/folder.ts";
import type { FolderPlace } from "../folders/folder-addresses.ts";
import { sha256Of } from "../folders/pack-folder.ts";
import { rewritePage, rewriteStyleSheet } from "../folders/rewrite-addresses.ts";
import type { ReadableVersion } from "../gate/readable-version.ts";
import { compressed } from "../http/compression.ts";
import { environmentNames } from "../http/environment.ts";
import { ApiError } from "../http/errors.ts";
import { type HttpRequest, singleHeader } from "../http/request.ts";
import { type HttpResponse, isConditionSupported, redirect } from "../http/response.ts";
import type { Site } from "../http/site.ts";
import { isOpenToAll } from "../identity/visibility.ts";
import { addDefaultStyle, frameScript, type PublishedOptions, publishedHeaders } from "./raw-response.ts";

/** Manifests that a function keeps: of 500 files, one has 100 KB. */
const manifestsMax = 32;
const manifests = new Map<string, Manifest>();

/** Reads a manifest, which never changes, from memory where it was read before. Undefined where a deletion was faster. */
export async function readManifest(pageKey: string): Promise<Manifest | undefined> {
  const kept = manifests.get(pageKey);
  if (kept !== undefined) return kept;
  const manifest = await pages.getManifest(pageKey);
  if (manifests.size >= manifestsMax) manifests.clear();
  if (manifest !== undefined) manifests.set(pageKey, manifest);
  return manifest;
}

/** A reader's request for a file. */
interface FileReading {
  readonly request: HttpRequest;
  readonly site: Site;
  readonly found: Extract<ReadableVersion, { readonly kind: "version" }>;
  /** Path on the base host, to which the address of a large file redirects once it has expired. */
  readonly checkedPath: string;
  readonly options: PublishedOptions;
  readonly place: FolderPlace & Pick<Manifest, "files">;
}

/**
 * Responds with a file of a folder: pages with the safety-net style, and in the viewer's frame with its script; pages and style sheets with
 * relative addresses; all else byte for byte, whole or a range. Files that are too large for a function are read from Amazon S3.
 *
 * @throws ApiError `not_found` where a deletion was faster
 */
export async function respondWithFile(
  { path, file, status }: FoundFile,
  reading: FileReading,
): Promise<HttpResponse> {
  const { request, site, found, options, place } = reading;
  const contentType = contentTypeOf(path);
  const headers = {
    "content-type": contentType,
    ...publishedHeaders(options),
    ...readableByPages,
    // Whoever asks for other paths than there are fills no cache.
    ...(status === 404 ? { "cache-control": "no-store" } : {}),
  };
  if (isHtml(contentType) && file.sizeBytes <= sentBytesMax) {
    const bytes = rewritePage(await readBytes(file), place, isApartIn(reading));
    const styled = addDefaultStyle([bytes], findHtmlHeadOffset(bytes), options.isFramed ? frameScript : "");
    const { drop, session } = found;
    const reader = { site, session: isOpenToAll(drop) ? undefined : session, nowMs: options.nowMs };
    return {
      status,
      headers,
      body: isGuarded(drop) ? await withFileAddresses(styled, drop, reader) : styled,
    };
  }
  const isSmall = file.sizeBytes <= sentBytesMax;
  const sheet = isSmall && contentType.startsWith("text/css") ? await readStyleSheet(file, place) : undefined;
  const { sha256, sizeBytes } = sheet ?? file;
  const etag = `"${sha256.slice(0, 32)}"`;
  const validated = { ...headers, etag, "accept-ranges": "bytes" };
  if (isConditionSupported(request, etag)) return { status: 304, headers: validated, body: "" };
  // The signed address is for GET alone. API Gateway renames a length that a function sends, so there is none.
  if (!isSmall && request.method === "HEAD") return { status, headers: validated, body: "" };
  if (!isSmall)
    return (
      (isText(contentType) && (await compressedText(file, { status, headers, body: "" }, reading))) ||
      redirectToObject({ path, file, contentType }, reading)
    );
  const range = rangeOf(request, etag, sizeBytes);
  if (range === "unsatisfiable") {
    const body = `The file has ${sizeBytes} bytes.`;
    const refused = {
      ...validated,
      "content-type": "text/plain; charset=utf-8",
      "cache-control": "no-store",
    };
    return { status: 416, headers: { ...refused, "content-range": `bytes */${sizeBytes}` }, body };
  }
  const body = sheet === undefined ? await readBytes(file, range) : partOf(sheet.bytes, range);
  if (range === undefined || status === 404) return { status, headers: validated, body };
  const contentRange = `bytes ${range.from}-${range.to}/${sizeBytes}`;
  return { status: 206, headers: { ...validated, "content-range": contentRange }, body };
}

/**
 * Pages of the folder use the file by module scripts, fonts and `fetch`. In a sandbox they have no origin, so any page may: it needs the
 * address, which of a guarded drop has a key.
 */
export const readableByPages = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "*",
  "cross-origin-resource-policy": "cross-origin",
} as const;

/** First and last byte. */
interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/** The range of a request, if it is one; RFC 9110, section 14.2. A range of what the sender has no more is none (section 13.1.5). */
function rangeOf(
  request: HttpRequest,
  etag: string,
  sizeBytes: number,
): ByteRange | "unsatisfiable" | undefined {
  const ifRange = singleHeader(request, "if-range");
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(singleHeader(request, "range") ?? "") ?? [];
  const isOther = ifRange !== undefined && ifRange !== etag;
  if (isOther || first + last === "" || (first !== "" && last !== "" && Number(last) < Number(first)))
    return undefined;
  const from = first === "" ? Math.max(sizeBytes - Number(last), 0) : Number(first);
  const to = first === "" || last === "" ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  return from > to ? "unsatisfiable" : { from, to };
}

async function readBytes(
  file: ManifestFile,
  { from, to }: ByteRange = { from: 0, to: file.sizeBytes - 1 },
): Promise<Buffer> {
  const bytes = await pages.getPart({ ...file, offset: file.offset + from, sizeBytes: to - from + 1 });
  if (bytes === undefined) throw new ApiError("not_found");
  return bytes;
}

/** Recognizes files that are of another origin: all for a page without an origin, else those that Amazon S3 sends. */
function isApartIn({ options, place }: Pick<FileReading, "options" | "place">): (path: string) => boolean {
  const hasOrigin = options.hasOwnOrigin && options.isFramed !== true;
  return (path) => !hasOrigin || (place.files[path]?.sizeBytes ?? 0) > sentBytesMax;
}

/** A style sheet as it is sent, with its own digest: its addresses differ from what is stored. */
async function readStyleSheet(file: ManifestFile, place: FolderPlace) {
  const stored = await readBytes(file);
  const bytes = rewriteStyleSheet(stored, place);
  const sha256 = bytes === stored ? file.sha256 : sha256Of(bytes);
  return { bytes, sha256, sizeBytes: bytes.byteLength };
}

function partOf(bytes: Buffer, range: ByteRange | undefined): Buffer {
  return range === undefined ? bytes : bytes.subarray(range.from, range.to + 1);
}

/** A large text in a form that a function can send; undefined for what is still too large, and for clients that take no other form. */
async function compressedText(
  file: ManifestFile,
  response: HttpResponse,
  reading: FileReading,
): Promise<HttpResponse | undefined> {
  const { request, place } = reading;
  const stored = await readBytes(file);
  const type = response.headers["content-type"] ?? "";
  const isSheet = type.startsWith("text/css");
  const bytes = isSheet
    ? rewriteStyleSheet(stored, place)
    : isHtml(type)
      ? rewritePage(stored, place, isApartIn(reading))
      : stored;
  if (!isUtf8(bytes)) return undefined;
  const sent = compressed({ ...response, body: bytes.toString() }, request);
  return typeof sent.body !== "string" && sent.body.byteLength <= sentBytesMax ? sent : undefined;
}

/** Redirects to the object of a large file, which has it alone. The address works for seconds, and not longer than the drop. */
async function redirectToObject(
  { path, file, contentType }: Pick<FoundFile, "path" | "file"> & { readonly contentType: string },
  { checkedPath, site, options }: Pick<FileReading, "checkedPath" | "site" | "options">,
): Promise<HttpResponse> {
  const { drop, nowMs } = options;
  const filename = path.slice(path.lastIndexOf("/") + 1).replace(/[^\w .-]/g, "_");
  const { contentDisposition } = servedAs(filename, contentType);
  const object = { bucket: environmentNames.pagesBucket, objectKey: file.packKey, checkedPath };
  const address = await objectAddress(site, { ...object, contentDisposition, contentType }, drop, nowMs);
  const response = redirect(address);
  return { ...response, headers: { ...response.headers, ...readableByPages } };
}
