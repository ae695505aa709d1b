import { ApiError, type ErrorCode } from "./errors.ts";
import { exampleOf, fieldNamesOf, isObject, isReviewed, reviewNames, withMistaken } from "./input-hints.ts";
import { limits } from "./limits.ts";
import { type ByteBody, type HttpRequest, mediaTypeOf, parseQuery } from "./request.ts";
import type { JsonBody, Route, SentPage } from "./route.ts";
import { warnAboutInvisibleCharacters } from "./text.ts";
import { parseJson, validate } from "./validation.ts";

const formType = "application/x-www-form-urlencoded";
const multipartType = "multipart/form-data";

/** The first bytes of what gzip makes (RFC 1952, section 2.3.1). */
const gzipMagic = Buffer.from([0x1f, 0x8b]);

/**
 * Refuses a compressed body, which would be stored as it is and could not be read.
 *
 * @throws ApiError with the code
 */
export function refuseContentEncoding(request: HttpRequest, code: ErrorCode, start?: Uint8Array): void {
  const encoding = request.headers["content-encoding"]?.join(", ").trim() ?? "";
  const isPacked = encoding !== "" && encoding.toLowerCase() !== "identity";
  const isGzip = start !== undefined && Buffer.from(start.subarray(0, 2)).equals(gzipMagic);
  if (!isPacked && !isGzip) return;
  const what = isPacked
    ? `Content-Encoding is ${JSON.stringify(encoding.slice(0, 50))}`
    : "it begins as gzip does";
  throw new ApiError(code, {
    message: `The request body is compressed: ${what}. Send it uncompressed, without Content-Encoding.`,
    details: { header: "content-encoding" },
  });
}

/**
 * Refuses a form where a file's bytes belong. curl says by itself that a body is a form, and by `-d` drops its line ends.
 *
 * @throws ApiError `invalid_arg`
 */
export function refuseFormAsFile(request: HttpRequest): void {
  const type = mediaTypeOf(request);
  if (type !== formType && type !== multipartType) return;
  const cause =
    type === formType
      ? "which is what curl says by itself, and its -d drops line ends"
      : "of which the boundary and headers would be stored as part of the file";
  throw new ApiError("invalid_arg", {
    message: `Content-Type is ${type}, ${cause}. Send the file's bytes as the body, with the type of the file: curl --data-binary @file -H 'Content-Type: image/png'.`,
    details: { header: "content-type", content_type: type },
  });
}

/**
 * Explains why a body is not JSON, if that can be seen, and how to send it.
 *
 * @param reason the parser's reason, in half a sentence
 */
export function explainNoJson(
  request: HttpRequest,
  bytes: Uint8Array,
  {
    reason,
    example,
    takesPage,
  }: { readonly reason: string; readonly example: string; readonly takesPage: boolean },
): string {
  const start = Buffer.from(bytes.subarray(0, 512)).toString("utf8").trimStart();
  const asPage =
    "send it with Content-Type: text/html, as it is (curl --data-binary @page.html -H 'Content-Type: text/html')";
  const orPage = takesPage ? ` Or ${asPage.replace("send it", "send the page alone")}.` : "";
  if (mediaTypeOf(request) === multipartType || /^--\S+\r?\nContent-Disposition:/i.test(start)) {
    return `A form of parts (multipart/form-data, as curl -F sends it) came: send JSON, such as ${example}.${orPage}`;
  }
  if (/^\s*<[a-z!?]/i.test(start) && takesPage) {
    return `A page came where JSON was expected: ${asPage}, or write it into the field html of a JSON object.`;
  }
  if (/^@\S+\s*$/.test(start)) {
    return `The name of a file came (${JSON.stringify(start.trim().slice(0, 100))}), and not what is in it: curl reads it by -d or --data-binary, other programs do not.`;
  }
  if (/^[\w.[\]-]+=/.test(start)) {
    return `A form of fields (name=value) came: send JSON, such as ${example}, with Content-Type: application/json.${orPage}`;
  }
  if (isUtf16(bytes)) return "The request body is UTF-16: send it in UTF-8.";
  if (/^[{[]\s*'/.test(start)) {
    return `The request body must be JSON, which has double quotation marks and no single ones: ${reason}.`;
  }
  const isControl = /control character/i.test(reason);
  const advice = isControl ? ` Let a JSON library write line ends and quotes.${orPage}` : "";
  return `The request body must be JSON in UTF-8: ${reason}.${advice}`;
}

/** By its byte order mark, or by a zero beside every ASCII letter. */
function isUtf16(bytes: Uint8Array): boolean {
  const [first, second] = bytes;
  return (
    (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff) || first === 0 || second === 0
  );
}

/** A body as the row's schema makes it, and what there is to say of it. */
export interface ReadBody {
  readonly body: unknown;
  /** The body was a page, described by the query. @default false */
  readonly isPage?: true;
  readonly warnings: readonly string[];
}

/**
 * Reads the body by the row's rule.
 *
 * @param renderAfterWrite spends the caller's write, then renders Markdown
 * @throws ApiError for what breaks a rule
 */
export async function readBody(
  rule: Exclude<Route["body"], undefined | "page">,
  route: Route,
  request: HttpRequest,
  renderAfterWrite: (render: () => Promise<ReadBody>) => Promise<ReadBody>,
): Promise<ReadBody> {
  if (rule === "bytes") return { body: requireBlobBody(request), warnings: [] };
  const bytes = await request.readBody();
  if (rule === "form") return { body: bytes, warnings: [] };
  const { page: pageRule } = rule;
  const query = parseQuery(request.rawQuery);
  if (pageRule === undefined) return readJsonBody(route, rule, request, bytes);
  const toPageBody = (page: SentPage): ReadBody => {
    const fields = pageRule.toFields(page);
    const body = validate(rule.json, fields) as object;
    const source = page.source === undefined ? {} : { source: page.source };
    const warnings = warnAboutInvisibleCharacters(fields, body);
    return { body: { ...body, ...source }, isPage: true, warnings };
  };
  if (isHtml(route, request)) {
    refuseContentEncoding(request, "invalid_arg", bytes);
    refuseLargePage(bytes);
    return toPageBody({ html: decodePage(bytes), query });
  }
  if (isMarkdown(route, request)) {
    refuseContentEncoding(request, "invalid_arg", bytes);
    const text = decodePage(bytes);
    return renderAfterWrite(async () => toPageBody(await pageRule.renderMarkdown(text, query)));
  }
  return readJsonBody(route, rule, request, bytes);
}

/** Recognizes a page as the body of an operation that takes one. */
export function isHtml(route: Route, request: HttpRequest): boolean {
  return takesPage(route) && mediaTypeOf(request) === "text/html";
}

/** Recognizes Markdown as the body of an operation that takes a page. */
export function isMarkdown(route: Route, request: HttpRequest): boolean {
  return takesPage(route) && mediaTypeOf(request) === "text/markdown";
}

function takesPage({ body }: Route): boolean {
  return typeof body === "object" && body.page !== undefined;
}

/** Refuses a page by its bytes, before anything is sought in it. */
function refuseLargePage({ byteLength: bytes }: Uint8Array): void {
  if (bytes <= limits.htmlBytesMax) return;
  throw new ApiError("html_too_large", {
    message: `html is ${bytes} bytes in UTF-8; at most ${limits.htmlBytesMax} are allowed.`,
    details: { field: "html", bytes, bytes_max: limits.htmlBytesMax },
  });
}

const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text whose bytes in UTF-8 are these. */
function decodePage(bytes: Uint8Array): string {
  try {
    return strictUtf8.decode(bytes);
  } catch (cause) {
    throw new ApiError("invalid_arg", {
      message: "The page is not in UTF-8. Send it in UTF-8, uncompressed.",
      details: { field: "html" },
      cause,
    });
  }
}

/** A body to be streamed: what its length says is said now, before anything is spent. */
function requireBlobBody(request: HttpRequest): ByteBody {
  const { contentLength, bodyBytes, bodyStream } = request;
  refuseFormAsFile(request);
  refuseContentEncoding(request, "invalid_arg");
  if (contentLength === 0) throw new ApiError("empty_blob");
  if (contentLength !== undefined && contentLength > limits.blobBytesMax)
    throw new ApiError("blob_too_large", {
      message: `The body is ${contentLength} bytes; a blob may have at most ${limits.blobBytesMax}.`,
      details: { bytes: contentLength, bytes_max: limits.blobBytesMax },
    });
  return { contentLength, bytes: bodyBytes, stream: bodyStream };
}

/**
 * Parses a JSON body by the row's schema, with warnings for unknown fields.
 *
 * @throws ApiError for invalid JSON, a broken rule, or a field whose meaning would be lost
 */
export async function readJsonBody(
  route: Route,
  rule: JsonBody,
  request: HttpRequest,
  bytes: Uint8Array,
): Promise<{ readonly body: unknown; readonly warnings: readonly string[] }> {
  refuseContentEncoding(request, "invalid_json", bytes);
  const known = fieldNamesOf(rule.json);
  const takesPage = rule.page !== undefined;
  const example = exampleOf(rule.json);
  const value = parseJson(bytes, (reason) => explainNoJson(request, bytes, { reason, example, takesPage }));
  if (value === undefined && rule.required) {
    throw new ApiError("invalid_json", {
      message: `The request body is empty: send a JSON object, such as ${example}.`,
    });
  }
  const given = Object.keys(isObject(value) ? value : {});
  const body = withMistaken(given, known, "field", () =>
    validate(rule.json, value ?? (value === null ? null : {})),
  );
  if (!isReviewed(route) || !isObject(value)) return { body, warnings: [] };
  // A tool of the MCP server, and who repeats the address, says the same twice.
  const others = given.filter(
    (name) => request.pathParameters[name] !== value[name] || value[name] === undefined,
  );
  const rejected = route.refusedFields;
  return {
    body,
    warnings: [
      ...reviewNames({
        kind: "field",
        given: others,
        known: [...known, ...fieldNamesOf(route.query)],
        rejected,
      }),
      ...warnAboutInvisibleCharacters(value, body as object),
    ],
  };
}
