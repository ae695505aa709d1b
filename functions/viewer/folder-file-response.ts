import { isUtf8 } from "node:buffer";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import {
  contentTypeOf,
  isHtml,
  isText,
  type StoredEncoding,
  storedEncodingOf,
  withoutCharset,
} from "../folders/content-type.ts";
import type { FoundFile } from "../folders/find-file.ts";
import { type ManifestFile, sentBytesMax } from "../folders/folder.ts";
import type { FolderPlace } from "../folders/folder-addresses.ts";
import { sha256Of } from "../folders/pack-folder.ts";
import { rewriteStyleSheet } from "../folders/rewrite-addresses.ts";
import { acceptsEncoding, encoded } from "../http/page-operation.ts";
import { type HttpRequest, singleHeader } from "../http/request.ts";
import { type HttpResponse, isConditionSupported } from "../http/response.ts";
import { respondWithPage } from "./folder-page-response.ts";
import { publishedHeaders } from "./raw-response.ts";
import {
  type ByteRange,
  type FileReading,
  readableByPages,
  readBytes,
  redirectToObject,
} from "./stored-file.ts";

/**
 * Responds with a file of a folder, whole or a range. Rewrites URLs in pages and style sheets to relative ones. Sends
 * all other files byte for byte. Redirects to Amazon S3 for files that exceed the function's response limit.
 *
 * @throws ApiError `not_found` if the version was deleted in the meantime
 */
export async function respondWithFile(found: FoundFile, reading: FileReading): Promise<HttpResponse> {
  const { path, file, status } = found;
  const { request, options, place } = reading;
  const stored = storedEncodingOf(path);
  const contentType = contentTypeOf(path);
  const headers = {
    "content-type": contentType,
    ...publishedHeaders(options),
    ...readableByPages,
    // Responses for missing paths are not cached.
    ...(status === 404 ? { "cache-control": "no-store" } : {}),
    ...(stored === undefined ? {} : { vary: "Accept-Encoding" }),
  };
  if (stored === undefined && isHtml(contentType)) return respondWithPage(found, reading, headers);
  const isDecoded = stored !== undefined && !acceptsEncoding(request, stored.encoding);
  const isSmall = file.sizeBytes <= sentBytesMax;
  const isSheet = stored === undefined && contentType.startsWith("text/css");
  const sheet = isSmall && isSheet ? await readStyleSheet(file, place) : undefined;
  const { sha256, sizeBytes } = sheet ?? file;
  const etag = `"${sha256.slice(0, 32)}${isDecoded ? "-decoded" : ""}"`;
  const validated: Record<string, string> = { ...headers, etag, "accept-ranges": "bytes" };
  const isUnchanged = isConditionSupported(request, etag);
  // API Gateway adds application/json to a response without a content type, and the edge then caches that type. For
  // some files, the type is known only after reading the bytes.
  if (isUnchanged && (!isSmall || (stored === undefined && !isText(contentType))))
    return { status: 304, headers: validated, body: "" };
  // The signed URL allows GET only, so HEAD is not redirected. API Gateway renames the content-length header, so the
  // response omits it.
  if (!isSmall && request.method === "HEAD") return { status, headers: validated, body: "" };
  if (!isSmall)
    return (
      (isText(contentType) &&
        stored === undefined &&
        (await compressedText(file, { status, headers, body: "" }, reading))) ||
      redirectToObject({ path, file, contentType, stored: isDecoded ? undefined : stored }, reading)
    );
  const range = isUnchanged ? undefined : rangeOf(request, etag, sizeBytes);
  if (range === "unsatisfiable") {
    const body = `The file has ${sizeBytes} bytes.`;
    const refused = {
      ...validated,
      "content-type": "text/plain; charset=utf-8",
      "cache-control": "no-store",
    };
    return { status: 416, headers: { ...refused, "content-range": `bytes */${sizeBytes}` }, body };
  }
  const isWhole = range === undefined || status === 404;
  const isReadWhole = isWhole || stored !== undefined || isText(contentType);
  const bytes = sheet?.bytes ?? (await readBytes(file, isReadWhole ? undefined : range));
  if (stored === undefined) {
    // Omits the charset unless all of the text's bytes are valid UTF-8.
    if (isText(contentType) && !isUtf8(bytes)) validated["content-type"] = withoutCharset(contentType);
  } else if (!isCompressed(bytes, stored)) {
    validated["content-type"] = "application/octet-stream";
  } else if (isDecoded) {
    const decoded = decode(bytes, stored);
    if (decoded !== undefined)
      return {
        status: isUnchanged ? 304 : status,
        headers: { ...headers, etag },
        body: isUnchanged ? "" : decoded,
      };
    validated["content-type"] = "application/octet-stream";
  } else {
    validated["content-encoding"] = stored.encoding;
  }
  if (isUnchanged) return { status: 304, headers: validated, body: "" };
  if (isWhole) return { status, headers: validated, body: bytes };
  const body = isReadWhole ? bytes.subarray(range.from, range.to + 1) : bytes;
  const contentRange = `bytes ${range.from}-${range.to}/${sizeBytes}`;
  return { status: 206, headers: { ...validated, "content-range": contentRange }, body };
}

/** Recognizes gzip data (RFC 1952, section 2.3.1). Brotli has no magic number. */
function isCompressed(bytes: Buffer, { encoding }: StoredEncoding): boolean {
  return encoding === "br" || (bytes[0] === 0x1f && bytes[1] === 0x8b);
}

/** Decompresses a file for a client that does not accept its encoding. Returns undefined if the data is invalid or too large. */
function decode(bytes: Buffer, { encoding }: StoredEncoding): Buffer | undefined {
  const options = { maxOutputLength: sentBytesMax };
  try {
    return encoding === "br" ? brotliDecompressSync(bytes, options) : gunzipSync(bytes, options);
  } catch {
    return undefined;
  }
}

/**
 * Parses the request's byte range (RFC 9110, section 14.2). Returns undefined without a valid range, or for an outdated
 * `If-Range` (section 13.1.5).
 */
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

/** Reads a style sheet and makes its URLs relative. If a URL was rewritten, the digest differs from the stored file's digest. */
async function readStyleSheet(file: ManifestFile, place: FolderPlace) {
  const stored = await readBytes(file);
  const bytes = rewriteStyleSheet(stored, place);
  const sha256 = bytes === stored ? file.sha256 : sha256Of(bytes);
  return { bytes, sha256, sizeBytes: bytes.byteLength };
}

/**
 * Compresses a large text so that it fits the function's response limit. Returns undefined if it is still too large, or
 * the client does not accept the encoding.
 */
async function compressedText(
  file: ManifestFile,
  response: HttpResponse,
  { request, place }: FileReading,
): Promise<HttpResponse | undefined> {
  const { "content-type": contentType = "", ...headers } = response.headers;
  const stored = await readBytes(file);
  const body = contentType.startsWith("text/css") ? rewriteStyleSheet(stored, place) : stored;
  const type = isUtf8(body) ? contentType : withoutCharset(contentType);
  const sent = encoded({ ...response, headers: { ...headers, "content-type": type }, body }, request);
  return sent !== undefined && sent.body.byteLength <= sentBytesMax ? sent : undefined;
}
