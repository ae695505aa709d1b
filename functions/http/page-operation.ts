import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import preferredEncodings from "negotiator/lib/encoding.js";
import preferredMediaTypes from "negotiator/lib/mediaType.js";
import { presentPageError } from "../html/page.ts";
import { anyone, defineOperation, type Operation, type OperationInput } from "./operation.ts";
import type { HttpRequest } from "./request.ts";
import type { HttpResponse } from "./response.ts";
import type { Route } from "./route.ts";

/** Defines an operation for people. Its errors are pages, or JSON if the request prefers JSON. */
export function pageOperation<Row extends Route>(
  route: Row,
  run: (input: OperationInput<Row>) => Promise<HttpResponse>,
  compression: CompressionOptions = {},
): Operation {
  return defineOperation(route, {
    identify: anyone,
    presentError: presentPageError,
    run: async (input: OperationInput<Row>) => compressed(await run(input), input.request, compression),
  });
}

/** Recognizes requests that prefer HTML to JSON, such as requests from browsers (RFC 9110, section 12.5.1). */
export function prefersPage(request: HttpRequest): boolean {
  const accept = request.headers.accept?.join(", ") ?? "*/*";
  return preferredMediaTypes(accept, ["application/json", "text/html"])[0] === "text/html";
}

/** Joins queries, with a leading `?` unless the result is empty. The service's parameters come first, then the page's. */
export function joinQuery(...parts: readonly (string | undefined)[]): string {
  const query = parts.filter(Boolean).join("&");
  return query && `?${query}`;
}

/** Minimum size in bytes of a body that is worth compressing. */
const bytesMin = 1_000;

// Compresses synchronously, because a function handles one request at a time, and another thread would take longer to start.
const encoders = {
  // At level 5, Brotli compresses a page of 100 KB in 1 ms. Levels 6 to 9 do not save more bytes.
  br: (body: string | Uint8Array) =>
    brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (body: string | Uint8Array) => gzipSync(body),
} as const;

/** Options for compressing a response. */
export interface CompressionOptions {
  /** The body never changes, so the compressed body is cached. @default false */
  readonly isKept?: boolean;
}

/**
 * Compresses a page in the encoding that the browser prefers. CloudFront does not compress if the TTLs of the cache policy are 0, so the
 * origin compresses pages that are not cached; see "Serve compressed files", CloudFront developer guide. Published pages, whose bodies are
 * bytes, stay unchanged, because CloudFront compresses and caches them.
 */
export function compressed(
  response: HttpResponse,
  request: HttpRequest,
  { isKept = false }: CompressionOptions = {},
): HttpResponse {
  const { body, headers } = response;
  if (typeof body !== "string" || Buffer.byteLength(body) < bytesMin) return response;
  const vary = {
    ...headers,
    vary: headers.vary === undefined ? "Accept-Encoding" : `${headers.vary}, Accept-Encoding`,
  };
  // Brotli is preferred only for cached bodies: for 24 KB, it takes 2 ms instead of gzip's 0.5 ms, and saves 7 % of the bytes.
  const encoding = preferredEncoding(request, isKept ? ["br", "gzip"] : ["gzip", "br"]);
  if (encoding === undefined) return { ...response, headers: vary };
  const encode = () => encoders[encoding](body);
  return {
    ...response,
    headers: { ...vary, "content-encoding": encoding },
    body: isKept ? once(`${encoding} ${body}`, encode) : encode(),
  };
}

/** Compresses a response in the smallest encoding that the client accepts. Returns undefined if the client accepts no compression. */
export function encoded(
  response: HttpResponse,
  request: HttpRequest,
): (HttpResponse & { readonly body: Uint8Array }) | undefined {
  const encoding = preferredEncoding(request, ["br", "gzip"]);
  if (encoding === undefined) return undefined;
  return {
    ...response,
    headers: { ...response.headers, vary: "Accept-Encoding", "content-encoding": encoding },
    body: encoders[encoding](response.body),
  };
}

/** Returns true if the client accepts an encoding. */
export function acceptsEncoding(request: HttpRequest, encoding: keyof typeof encoders): boolean {
  const accepted = request.headers["accept-encoding"]?.join(", ") ?? "";
  return preferredEncodings(accepted, [encoding]).length > 0;
}

function preferredEncoding(
  request: HttpRequest,
  preferred: readonly string[],
): keyof typeof encoders | undefined {
  const accepted = request.headers["accept-encoding"]?.join(", ");
  if (accepted === undefined) return undefined;
  // If the client has no preference, the first encoding in this list wins.
  const [chosen] = preferredEncodings(accepted, [...preferred, "identity"], [...preferred]);
  return chosen === "br" || chosen === "gzip" ? chosen : undefined;
}

/** Maximum number of cached bodies, more than the documents, styles and scripts of any function. */
const keptMax = 32;
const kept = new Map<string, Buffer>();

function once(text: string, encode: () => Buffer): Buffer {
  const found = kept.get(text);
  if (found) return found;
  const bytes = encode();
  if (kept.size < keptMax) kept.set(text, bytes);
  return bytes;
}
