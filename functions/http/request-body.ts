import { isUtf8 } from "node:buffer";
import { ApiError, type ErrorCode } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import { warnAboutInvisibleCharacters } from "../core/text.ts";
import { type ReadSlug, readSlug, toNamedAddress } from "./drop-address.ts";
import { isTellingWord } from "./field-hints.ts";
import { findHintForName, findMeantName } from "./hints.ts";
import {
  attempt,
  exampleOf,
  explainNames,
  fieldNamesOf,
  isReviewed,
  reviewNames,
  sentencesOf,
  unknownMax,
  withMistaken,
} from "./input-hints.ts";
import { type ByteBody, type HttpRequest, mediaTypeOf, parseQuery } from "./request.ts";
import type { JsonBody, Route, SentPage } from "./route.ts";
import { isObject, quote, shownCharactersMax } from "./schemas.ts";
import { readSite } from "./site.ts";
import { parseJson, validate } from "./validation.ts";
import { findWrappedFields, type WrappedFields } from "./wrapped-fields.ts";

const formType = "application/x-www-form-urlencoded";
const multipartType = "multipart/form-data";

/** Beginning of a form in which names are looked for. */
const formBytesMax = 16_384;

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

const asFile =
  "Send the file's bytes as the body, its name in the address, and its type in the header: POST /api/blobs?filename=chart.png, curl --data-binary @chart.png -H 'Content-Type: image/png'.";

/**
 * Refuses a form where a file's bytes belong. curl says by itself that a body is a form, and by `-d` drops its line ends.
 *
 * @throws ApiError `invalid_arg`
 */
function refuseFormAsFile(request: HttpRequest): void {
  const type = mediaTypeOf(request);
  if (type !== formType && type !== multipartType) return;
  const cause =
    type === formType
      ? "which is what curl says by itself, and its -d drops line ends"
      : "of which the boundary and headers would be stored as part of the file";
  throw new ApiError("invalid_arg", {
    message: `Content-Type is ${type}, ${cause}. ${asFile}`,
    details: { header: "content-type", content_type: type },
  });
}

/** Beginnings of files that are not pages. */
const fileStarts: readonly (readonly [bytes: string, name: string])[] = [
  ["PK\x03\x04", "A zip archive"],
  ["%PDF-", "A PDF file"],
  ["\x89PNG", "A picture"],
  ["\xff\xd8\xff", "A picture"],
  ["GIF8", "A picture"],
];

/**
 * Refuses archives, pictures and PDF files where a page belongs.
 *
 * @throws ApiError with the code
 */
function refuseFileAsPage(bytes: Uint8Array, code: ErrorCode): void {
  const start = Buffer.from(bytes.subarray(0, 8)).toString("latin1");
  const found = fileStarts.find(([beginning]) => start.startsWith(beginning));
  if (found === undefined) return;
  if (found[1] === "A zip archive")
    throw new ApiError(code, {
      message: `A zip archive came. Send a folder as it is with Content-Type: application/zip (curl --data-binary @folder.zip -H 'Content-Type: application/zip'), with index.html at its top.`,
    });
  throw new ApiError(code, {
    message: `${found[1]} came. A drop is one HTML page: send that page, with its styles, scripts and pictures inside it. Upload other files with POST /api/blobs?filename=….`,
  });
}

/** Fields in which other services take a file as JSON. */
const fileField =
  /^\s*\{.*"(base64|body|bytes|content|contents|data|file|file_?content|file_?data)"\s*:\s*"/is;

/** Names of files that are never JSON. */
const mediaFile = /\.(png|jpe?g|gif|webp|avif|svg|pdf|zip|mp[34]|woff2?|html?|css|csv)$/i;

/** Base64 of the first bytes of pictures, sound, films, PDF files and archives, or a data URL. */
const encodedFile =
  /^(data:[^,]{1,100};base64,|(iVBORw0KGgo|\/9j\/|R0lGOD|UklGR|JVBERi0|UEsDB|AAAA[A-Za-z]{2})[A-Za-z0-9+/=\s]*$)/;

/**
 * Refuses a file in JSON or base64, which would be stored in place of the file. A file whose name says that it is JSON is stored.
 *
 * @throws ApiError `invalid_arg`
 */
function refuseEncodedFile(request: HttpRequest, bytes: Uint8Array): void {
  const [filename = ""] = parseQuery(request.rawQuery).filename ?? [];
  const start = Buffer.from(bytes.subarray(0, 512)).toString("latin1");
  const isWrapped =
    filename === "" ||
    (!/json$/i.test(filename) && fileField.test(start)) ||
    (mediaFile.test(filename) && /^\s*\{/.test(start));
  const isJson = /[/+]json$/.test(mediaTypeOf(request)) && isWrapped;
  const isText = /^text\//.test(mediaTypeOf(request));
  if (request.isToolCall || !(isJson || (!isText && encodedFile.test(start)))) return;
  throw new ApiError("invalid_arg", {
    message: `${isJson ? "JSON" : "Base64"} came in place of the file. ${asFile}`,
    details: { header: "content-type" },
  });
}

/**
 * Refuses another form of a body before what else the call lacks: its name may be in that form.
 *
 * @throws ApiError `invalid_arg`
 */
export function refuseOtherBodies(request: HttpRequest): void {
  refuseFormAsFile(request);
  if (request.bodyBytes !== undefined && request.contentLength !== 0)
    refuseEncodedFile(request, request.bodyBytes);
}

/** Checks the first piece of a body as it is read. */
async function* withCheckedStart(
  pieces: AsyncIterable<Uint8Array>,
  check: (start: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  let isStart = true;
  for await (const piece of pieces) {
    if (isStart) check(piece);
    isStart = false;
    yield piece;
  }
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
  const type = mediaTypeOf(request);
  const byType = `Content-Type is ${type}: send a page with Content-Type: text/html, Markdown with text/markdown, or JSON, such as ${example}, with application/json.`;
  if (takesPage && /xml$/.test(type)) return byType;
  if (/^\s*<[a-z!?]/i.test(start) && takesPage) {
    return `A page came where JSON was expected: ${asPage}, or write it into the field html of a JSON object.`;
  }
  if (/^#{1,6} \S/.test(start) && takesPage) {
    return `Markdown came where JSON was expected: send it with Content-Type: text/markdown.`;
  }
  if (/^@\S+\s*$/.test(start)) {
    return `The name of a file came (${JSON.stringify(start.trim().slice(0, 100))}), and not what is in it: curl reads it by -d or --data-binary, other programs do not.`;
  }
  if (/^[\w.[\]-]+=/.test(start)) {
    return `A form of fields (name=value) came: send JSON, such as ${example}, with Content-Type: application/json.${orPage}`;
  }
  if (takesPage && type === "text/plain") return byType;
  if (isUtf16(bytes)) return "The request body is UTF-16: send it in UTF-8.";
  if (/^[{[]\s*'/.test(start)) {
    return `The request body must be JSON, which has double quotation marks and no single ones: ${reason}. Let a JSON library write it, such as json.dumps in Python or JSON.stringify in JavaScript.`;
  }
  const isControl = /control character/i.test(reason);
  const advice = isControl ? ` Let a JSON library write line ends and quotes.${orPage}` : "";
  return `The request body must be JSON in UTF-8, such as ${example}: ${reason}.${advice}`;
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
    const { html, source, folder, warnings = [] } = page;
    // The limit of a page in JSON is not that of a folder's page, which its reader has checked.
    const checked = folder === undefined ? fields : { ...fields, html: "<p>" };
    const body = validate(rule.json, checked) as object;
    const parts = {
      ...(source === undefined ? {} : { source }),
      ...(folder === undefined ? {} : { folder, html }),
    };
    const ofText = warnAboutInvisibleCharacters(checked, body);
    return { body: { ...body, ...parts }, isPage: true, warnings: [...warnings, ...ofText] };
  };
  const pageType = pageTypeOf(route, request);
  if (pageType === "zip") {
    refuseContentEncoding(request, "invalid_arg");
    return toPageBody(await pageRule.readFolder(bytes, query));
  }
  if (pageType === "html") {
    refuseContentEncoding(request, "invalid_arg", bytes);
    refuseFileAsPage(bytes, "invalid_arg");
    refuseLargePage(bytes);
    if (!isUtf8(bytes)) return toPageBody(await pageRule.readForeignPage(bytes, query));
    return withCharset(request, async () => toPageBody({ html: utf8.decode(bytes), query }));
  }
  if (pageType === "markdown") {
    refuseContentEncoding(request, "invalid_arg", bytes);
    return withCharset(request, async () => {
      const text = decodeMarkdown(bytes);
      return renderAfterWrite(async () => toPageBody(await pageRule.renderMarkdown(text, query)));
    });
  }
  return readJsonBody(route, rule, request, bytes);
}

/** Recognizes a page as the body of an operation that takes one, by its Content-Type; undefined for JSON and other bodies. */
export function pageTypeOf({ body }: Route, request: HttpRequest): "html" | "markdown" | "zip" | undefined {
  if (typeof body !== "object" || body.page === undefined) return undefined;
  switch (mediaTypeOf(request)) {
    case "text/html":
      return "html";
    case "text/markdown":
      return "markdown";
    case "application/zip":
    case "application/x-zip-compressed":
      return "zip";
    default:
      return undefined;
  }
}

/** Refuses a page by its bytes, before anything is sought in it. */
function refuseLargePage({ byteLength: bytes }: Uint8Array): void {
  if (bytes <= limits.htmlBytesMax) return;
  throw new ApiError("html_too_large", {
    message: `html is ${bytes} bytes in UTF-8; at most ${limits.htmlBytesMax} are allowed. Send a larger page as a folder with one page: zip page.zip page.html, with Content-Type: application/zip.`,
    details: { field: "html", bytes, bytes_max: limits.htmlBytesMax },
  });
}

/** Adds to a refusal that Content-Type names another encoding: the page is read as UTF-8. */
async function withCharset(request: HttpRequest, read: () => Promise<ReadBody>): Promise<ReadBody> {
  const [, charset = "utf-8"] =
    /charset=["']?([\w-]{1,40})/i.exec(request.headers["content-type"]?.[0] ?? "") ?? [];
  const isUtf8 = /^(utf-?8|us-ascii)$/i.test(charset);
  const advice = `Content-Type says charset=${charset}: pages are read as UTF-8. Send the page in UTF-8, with charset=utf-8.`;
  try {
    const found = await read();
    return isUtf8 ? found : { ...found, warnings: [...found.warnings, advice] };
  } catch (error) {
    throw isUtf8 || !(error instanceof ApiError) ? error : error.saying(`${error.message} ${advice}`);
  }
}

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

function decodeMarkdown(bytes: Uint8Array): string {
  if (isUtf8(bytes)) return utf8.decode(bytes);
  throw new ApiError("invalid_arg", {
    message:
      "The Markdown is not in UTF-8. Convert it: iconv -f iso-8859-1 -t utf-8 page.md, or with the charset that it has.",
    details: { field: "html" },
  });
}

/** A body to be streamed: what its length says is said now, before anything is spent. */
function requireBlobBody(request: HttpRequest): ByteBody {
  const { contentLength, bodyBytes, bodyStream } = request;
  refuseContentEncoding(request, "invalid_arg");
  if (contentLength === 0) throw new ApiError("empty_blob");
  if (contentLength !== undefined && contentLength > limits.blobBytesMax)
    throw new ApiError("blob_too_large", {
      message: `The body is ${contentLength} bytes; a blob may have at most ${limits.blobBytesMax}.`,
      details: { bytes: contentLength, bytes_max: limits.blobBytesMax },
    });
  const refuseStart = (start: Uint8Array) => refuseEncodedFile(request, start);
  return { contentLength, bytes: bodyBytes, stream: () => withCheckedStart(bodyStream(), refuseStart) };
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
): Promise<ReadBody> {
  refuseContentEncoding(request, "invalid_json", bytes);
  const takesPage = rule.page !== undefined;
  if (takesPage) refuseFileAsPage(bytes, "invalid_json");
  const example = exampleOf(rule.json);
  const read = attempt(() =>
    parseJson(bytes, (reason) => explainNoJson(request, bytes, { reason, example, takesPage })),
  );
  if (read.fault !== undefined) throw read.fault.withFurther(sentencesOfForm(route, rule, bytes));
  if (read.result === undefined && rule.required) {
    throw new ApiError("invalid_json", {
      message: `The request body is empty: send a JSON object, such as ${example}.`,
    });
  }
  const came = read.result === undefined ? {} : read.result;
  const isNamed = isObject(came) && came.slug !== undefined && fieldNamesOf(rule.json).includes("slug");
  const named = isNamed ? { ...came, slug: await toNamedAddress(came.slug, readSite(request)) } : came;
  return readFields(route, rule, request, named);
}

/** Explains the names of a form's fields, which came in place of JSON. */
function sentencesOfForm(route: Route, rule: JsonBody, bytes: Uint8Array): readonly string[] {
  const text = Buffer.from(bytes.subarray(0, formBytesMax)).toString();
  const ofParts = [...text.matchAll(/^Content-Disposition: form-data; name="(\w+)"/gim)].map(
    ([, name = ""]) => name,
  );
  const given = /^[\w.[\]-]+=/.test(text) ? [...new URLSearchParams(text).keys()] : ofParts;
  const known = fieldNamesOf(rule.json);
  const missing = known.filter((name) => !given.includes(name));
  const named = given.slice(0, unknownMax);
  return sentencesOf(
    "field",
    explainNames({ kind: "field", given: named, known, rejected: route.refusedFields, missing }),
  );
}

/** The fields of a JSON body as they came, and what its schema is to validate. */
interface SentFields {
  readonly came: unknown;
  /** @default - the fields are at the top, or there are none */
  readonly wrapped: WrappedFields | undefined;
  readonly sent: Readonly<Record<string, unknown>>;
  /** The page's own title where the body needs one and has none. */
  readonly ownTitle: string | undefined;
  readonly value: unknown;
  readonly warnings: readonly string[];
}

/** Reads the fields of a body, and refuses all that is wrong with them at once. */
function readFields(route: Route, rule: JsonBody, request: HttpRequest, came: unknown): ReadBody {
  const known = fieldNamesOf(rule.json);
  const ownNames = isObject(came) ? Object.keys(came) : [];
  // Before anything is done with each of them.
  if (ownNames.length > known.length + unknownMax) explainNames({ kind: "field", given: ownNames, known });
  if (!isReviewed(route)) {
    return { body: withMistaken(ownNames, known, "field", () => validate(rule.json, came)), warnings: [] };
  }
  const fields = findFields(rule, request, came);
  const { sent, value } = fields;
  const { result: body, fault } = attempt(() => validate(rule.json, value));
  // An edit names html only to refuse it.
  const written = rule.page === undefined ? known.filter((name) => name !== "html") : known;
  // A tool of the MCP server, and who repeats the address, says the same twice.
  const given = Object.keys(sent).filter(
    (name) => request.pathParameters[name] !== sent[name] || sent[name] === undefined,
  );
  const names = {
    kind: "field",
    given,
    known: [...written, ...fieldNamesOf(route.query)],
    rejected: route.refusedFields,
    missing: fault?.missing ?? [],
    values: sent,
  } as const;
  if (fields.wrapped !== undefined || fault !== undefined)
    throw fieldsRefusal(route, rule, fields, names, fault);
  const ofNames = reviewNames(names);
  const changesNothing = route.method === "PATCH" && !written.some((name) => Object.hasOwn(sent, name));
  const warnings = changesNothing
    ? warnAboutNoChange(written, given, ofNames)
    : [...ofNames, ...warnAboutInvisibleCharacters(value as object, body as object)];
  return { body, warnings: [...fields.warnings, ...warnings] };
}

/** Finds the fields at the top or in a wrapper, with the slug and the title that their call means. */
function findFields(rule: JsonBody, request: HttpRequest, came: unknown): SentFields {
  const known = fieldNamesOf(rule.json);
  const names = isObject(came) ? Object.keys(came) : [];
  // Most bodies: their fields are at the top, or there are none.
  const isPlain = isObject(came) && (names.length === 0 || names.some((name) => known.includes(name)));
  const wrapped = isPlain ? undefined : findWrappedFields(came, known);
  const sent = wrapped?.fields ?? (isObject(came) ? came : {});
  const ownTitle = findOwnTitle(rule, sent);
  const isNamed = known.includes("slug") && sent.slug !== undefined;
  const { slug, warnings }: ReadSlug = isNamed
    ? readSlug(sent.slug, readSite(request))
    : { slug: undefined, warnings: [] };
  const value = {
    ...sent,
    ...(slug === undefined ? {} : { slug }),
    ...(request.isToolCall && ownTitle !== undefined ? { title: ownTitle } : {}),
  };
  return { came, wrapped, sent, ownTitle, value: isObject(came) || wrapped ? value : came, warnings };
}

/** Says all that is wrong with the fields of a body: that they are wrapped, what the schema says, and each name that it does not know. */
function fieldsRefusal(
  route: Route,
  { json }: JsonBody,
  { came, wrapped, sent, ownTitle }: SentFields,
  names: Parameters<typeof explainNames>[0],
  fault: ApiError | undefined,
): ApiError {
  const outer = wrapped === undefined ? fault : attempt(() => validate(json, came)).fault;
  const refusal = outer ?? new ApiError("invalid_arg");
  const isOther = !isObject(came) && wrapped === undefined;
  const known = [...new Set([...names.known, ...fieldNamesOf(json)])];
  return refusal
    .saying(wrapped?.advice ?? refusal.message)
    .withFurther([
      ...(isOther ? [`Send an object, such as ${exampleOf(json)}.`] : []),
      wrapped === undefined ? "" : (fault?.message ?? ""),
      explainMissingField(route, sent, names.missing ?? [], ownTitle) ?? "",
      ...sentencesOf("field", explainNames({ ...names, known })),
    ]);
}

/**
 * Warns about an edit without any field.
 *
 * @param ofNames warnings about its unknown names
 * @throws ApiError `invalid_arg` if a name seems to mean a field
 */
function warnAboutNoChange(
  fields: readonly string[],
  given: readonly string[],
  ofNames: readonly string[],
): readonly string[] {
  const isMeant = given.slice(0, unknownMax).some((name) => findMeantName(name, fields) !== undefined);
  if (!isMeant) return [...ofNames, `Nothing has changed: send at least one of ${fields.join(", ")}.`];
  throw new ApiError("invalid_arg", {
    message: `Nothing would change, so the request was refused. ${ofNames.join(" ").replaceAll(" was ignored.", ".")}`,
    details: { field: given[0]?.slice(0, shownCharactersMax) },
  });
}

/** Says how to send a missing field that no other name stands for. */
function explainMissingField(
  { method, refusedFields = {} }: Route,
  sent: Readonly<Record<string, unknown>>,
  missing: readonly string[],
  ownTitle: string | undefined,
): string | undefined {
  const isMeant = (field: string) =>
    Object.keys(sent)
      .slice(0, unknownMax)
      .some(
        (name) =>
          findMeantName(name, [field]) === field ||
          findHintForName(refusedFields, name, isTellingWord)?.insteadOf === field,
      );
  if (missing.includes("html") && method === "PUT" && !isMeant("html"))
    return "To change title, tags and readers alone, send PATCH /api/drops/{slug}.";
  if (!missing.includes("title") || isMeant("title")) return undefined;
  if (/^\s*#{1,6} \S/.test(String(sent.html)))
    return "html is Markdown: send it as the body with Content-Type: text/markdown, and its first heading is the title.";
  return ownTitle === undefined
    ? undefined
    : `The page's own title is ${quote(ownTitle)}: send it as "title".`;
}

/** The page's own title where a body needs one and has none, not even under another name. */
function findOwnTitle({ page }: JsonBody, { title, html, ...others }: Readonly<Record<string, unknown>>) {
  const isAbsent = title === undefined || title === null;
  if (page?.findTitle === undefined || !isAbsent || typeof html !== "string") return undefined;
  const isGiven = Object.keys(others)
    .slice(0, unknownMax)
    .some((name) => findMeantName(name, ["title"]) !== undefined);
  return isGiven ? undefined : page.findTitle(html);
}
