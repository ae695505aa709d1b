import { isUtf8 } from "node:buffer";
import { servedAs } from "../blobs/blob.ts";
import { withFileAddresses } from "../blobs/embedded-files.ts";
import { objectAddress } from "../blobs/public-files.ts";
import { isGuarded } from "../drops/drop.ts";
import { findHtmlHeadOffset } from "../drops/page-content.ts";
import { pages } from "../drops/page-objects.ts";
import { contentTypeOf, isHtml, isText } from "../folders/content-type.ts";
import { entryPath, type Manifest, type ManifestFile, sentBytesMax } from "../folders/folder.ts";
import type { ReadableVersion } from "../gate/readable-version.ts";
import { compressed } from "../http/compression.ts";
import { environmentNames } from "../http/environment.ts";
import { ApiError } from "../http/errors.ts";
import { type HttpRequest, singleHeader } from "../http/request.ts";
import { type HttpResponse, isConditionSupported, redirect } from "../http/response.ts";
import type { Site } from "../http/site.ts";
import { isOpenToAll } from "../identity/visibility.ts";
import { addDefaultStyle, frameScript, type PublishedOptions, publishedHeaders } from "./raw-response.ts";

/** A file that a path of a folder leads to. */
export interface FoundFile {
  readonly path: string;
  readonly file: ManifestFile;
  readonly status: 200 | 404;
}

/** Finds the file for a path: itself, a page without its ending, or the folder's page for what it does not have. */
export function findFile(
  { files }: Manifest,
  path: string,
  isSpa: boolean,
): FoundFile | "folder" | undefined {
  const at = (name: string, status: 200 | 404 = 200) => {
    const file = Object.hasOwn(files, name) ? files[name] : undefined;
    return file && { path: name, file, status };
  };
  if (at(path) === undefined && at(`${path}/${entryPath}`) !== undefined) return "folder";
  return at(path) ?? at(`${path}.html`) ?? (isSpa ? at(entryPath) : at("404.html", 404));
}

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
}

/**
 * Responds with a file of a folder: pages with the safety-net style, and in the viewer's frame with its script; all else byte for byte, whole
 * or a range. Files that are too large for a function are read from Amazon S3.
 *
 * @throws ApiError `not_found` where a deletion was faster
 */
export async function respondWithFile(
  { path, file, status }: FoundFile,
  { request, site, found, checkedPath, options }: FileReading,
): Promise<HttpResponse> {
  const contentType = contentTypeOf(path);
  const headers = {
    "content-type": contentType,
    ...publishedHeaders(options),
    ...readableByPages,
    // Whoever asks for other paths than there are fills no cache.
    ...(status === 404 ? { "cache-control": "no-store" } : {}),
  };
  if (isHtml(contentType) && file.sizeBytes <= sentBytesMax) {
    const bytes = await readBytes(file);
    const styled = addDefaultStyle([bytes], findHtmlHeadOffset(bytes), options.isFramed ? frameScript : "");
    const { drop, session } = found;
    const reading = { site, session: isOpenToAll(drop) ? undefined : session, nowMs: options.nowMs };
    return {
      status,
      headers,
      body: isGuarded(drop) ? await withFileAddresses(styled, drop, reading) : styled,
    };
  }
  const etag = `"${file.sha256.slice(0, 32)}"`;
  const validated = { ...headers, etag, "accept-ranges": "bytes" };
  if (isConditionSupported(request, etag)) return { status: 304, headers: validated, body: "" };
  // The signed address is for GET alone. API Gateway renames a length that a function sends, so there is none.
  if (file.sizeBytes > sentBytesMax && request.method === "HEAD")
    return { status, headers: validated, body: "" };
  if (file.sizeBytes > sentBytesMax)
    return (
      (isText(contentType) && (await compressedText(file, { status, headers, body: "" }, request))) ||
      redirectToObject({ path, file, contentType }, { checkedPath, site, options })
    );
  const range = rangeOf(request, etag, file.sizeBytes);
  if (range === "unsatisfiable") {
    const body = `The file has ${file.sizeBytes} bytes.`;
    const refused = {
      ...validated,
      "content-type": "text/plain; charset=utf-8",
      "cache-control": "no-store",
    };
    return { status: 416, headers: { ...refused, "content-range": `bytes */${file.sizeBytes}` }, body };
  }
  const body = await readBytes(file, range);
  if (range === undefined || status === 404) return { status, headers: validated, body };
  const contentRange = `bytes ${range.from}-${range.to}/${file.sizeBytes}`;
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

/** A large text in a form that a function can send; undefined for what is still too large, and for clients that take no other form. */
async function compressedText(
  file: ManifestFile,
  response: HttpResponse,
  request: HttpRequest,
): Promise<HttpResponse | undefined> {
  const bytes = await readBytes(file);
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
