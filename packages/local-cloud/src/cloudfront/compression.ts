import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import {
  type HttpRequest,
  type HttpResponse,
  headerValue,
  readBody,
  withHeader,
  withoutHeaders,
} from "../http-message.ts";
import { normalizedEncodings } from "./cache-key.ts";
import type { Behavior } from "./distribution.ts";

/** Sizes and content types of compressed responses, with only the types that are common on the web; see "Serve compressed files". */
const bytesMin = 1_000;
const bytesMax = 10_000_000;
const compressedTypes =
  /^(application\/(javascript|json|manifest\+json|wasm|x-javascript|xhtml\+xml|xml|x-font-ttf|vnd\.ms-fontobject)|font\/(otf|ttf|opentype|eot)|image\/svg\+xml|text\/(css|csv|html|javascript|plain|xml|calendar|markdown))$/;

/** Compresses an origin's response before it is cached, as CloudFront does. */
export async function compress(
  request: HttpRequest,
  behavior: Behavior,
  response: HttpResponse,
): Promise<HttpResponse> {
  const encoding = normalizedEncodings(request, behavior.cachePolicy)?.split(",")[0];
  if (!behavior.compresses || encoding === undefined || behavior.cachePolicy.maxTtlSeconds === 0)
    return response;
  if (request.method !== "GET" || !isCompressible(response)) return response;
  const body = await readBody(response.body, bytesMax);
  if (body === undefined) throw new Error("a response is longer than its Content-Length");
  let headers = withoutHeaders(response.headers, ["content-length"]);
  const etag = headerValue(headers, "etag");
  if (etag !== undefined && !etag.startsWith("W/")) headers = withHeader(headers, "ETag", `W/${etag}`);
  const vary = headerValue(headers, "vary");
  headers = withHeader(headers, "Vary", vary === undefined ? "Accept-Encoding" : `${vary}, Accept-Encoding`);
  headers = withHeader(headers, "Content-Encoding", encoding);
  return { ...response, headers, body: await (encoding === "br" ? toBrotli(body) : promisify(gzip)(body)) };
}

function isCompressible(response: HttpResponse): boolean {
  if (![200, 403, 404].includes(response.statusCode)) return false;
  if (headerValue(response.headers, "content-encoding") !== undefined) return false;
  const type = headerValue(response.headers, "content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
  const length = Buffer.isBuffer(response.body)
    ? response.body.length
    : Number(headerValue(response.headers, "content-length"));
  return compressedTypes.test(type) && length >= bytesMin && length <= bytesMax;
}

function toBrotli(body: Buffer): Promise<Buffer> {
  return promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
}
