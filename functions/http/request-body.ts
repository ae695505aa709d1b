import { isUtf8 } from "node:buffer";
import { ApiError, type ErrorCode, inBothWords, joinMessages, type Message } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import { normalizeName } from "../core/names.ts";
import { warnAboutInvisibleCharacters } from "../core/text.ts";
import { explainNoJson } from "../refusals/no-json.ts";
import { readSlug, toNamedAddress } from "./drop-address.ts";
import { refuseEncodedFile, withCheckedStart } from "./foreign-body.ts";
import { type ByteBody, type HttpRequest, mediaTypeOf, parseQuery } from "./request.ts";
import type { JsonBody, PageBody, Route, SentPage } from "./route.ts";
import { fieldNamesOf, isObject, quote } from "./schemas.ts";
import { guideUrl, readSite } from "./site.ts";
import {
  explainNames,
  findMeantName,
  type GivenNames,
  namesOfResource,
  reviewNames,
  sentencesOf,
  unknownMax,
} from "./unknown-names.ts";
import { attempt, parseJson, validate } from "./validation.ts";
import { isReviewed } from "./warnings.ts";

/** Refuses a compressed body, which would be stored in compressed form and could not be read. @throws ApiError with the given code */
function refuseContentEncoding(request: HttpRequest, code: ErrorCode, start?: Uint8Array): void {
  const encoding = request.headers["content-encoding"]?.join(", ").trim() ?? "";
  const isPacked = encoding !== "" && encoding.toLowerCase() !== "identity";
  // Gzip data begins with these bytes (RFC 1952, section 2.3.1).
  const isGzip = start?.[0] === 0x1f && start[1] === 0x8b;
  if (!isPacked && !isGzip) return;
  const what = isPacked
    ? `Content-Encoding is ${JSON.stringify(encoding.slice(0, 50))}`
    : "it begins like gzip data";
  throw new ApiError(code, {
    message: `The request body is compressed: ${what}. Send it uncompressed, without Content-Encoding.`,
    details: { header: "content-encoding" },
  });
}

/** First bytes of files that are not pages, by file type. */
const fileStarts: readonly (readonly [bytes: string, name: string])[] = [
  ["PK\x03\x04", "a zip archive"],
  ["%PDF-", "a PDF file"],
  ["\x89PNG", "a picture"],
  ["\xff\xd8\xff", "a picture"],
  ["GIF8", "a picture"],
];

/** Refuses archives, pictures and PDF files that were sent instead of a page. @throws ApiError with the given code */
function refuseFileAsPage(bytes: Uint8Array, code: ErrorCode): void {
  const start = Buffer.from(bytes.subarray(0, 8)).toString("latin1");
  const [, name] = fileStarts.find(([beginning]) => start.startsWith(beginning)) ?? [];
  if (name === undefined) return;
  if (name === "a zip archive")
    throw new ApiError(code, {
      message: `This is a zip archive. Send it unchanged, with Content-Type: application/zip (curl --data-binary @folder.zip -H 'Content-Type: application/zip'), with index.html at the top level.`,
    });
  throw new ApiError(code, {
    message: `The body is ${name}. A drop is one HTML page: send that page, with its styles, scripts and pictures inside it. Upload other files with POST /api/blobs?filename=….`,
  });
}

/** A body parsed with the operation's schema, and warnings about it. */
export interface ReadBody {
  readonly body: unknown;
  readonly warnings: readonly Message[];
}

/**
 * Reads the body of a request according to the operation's definition.
 *
 * @param renderAfterWrite counts the caller's write, then renders Markdown
 * @throws ApiError for a body that the operation does not accept
 */
export async function readBody(
  rule: Exclude<Route["body"], undefined | "page">,
  route: Route,
  request: HttpRequest,
  renderAfterWrite: (render: () => Promise<ReadBody>) => Promise<ReadBody>,
): Promise<ReadBody> {
  if (rule === "bytes") return { body: requireBlobBody(request), warnings: [] };
  const bytes = await request.readBody();
  if (rule === "form") {
    if (route.errorsAs === "page") refuseJsonAsForm(request);
    return { body: bytes, warnings: [] };
  }
  const { page: pageRule } = rule;
  const query = parseQuery(request.rawQuery);
  if (pageRule === undefined) return readJsonBody(route, rule, request, bytes);
  const toPageBody = (page: SentPage): ReadBody => {
    const fields = pageRule.toFields(page);
    const { html, source, folder, warnings = [] } = page;
    // Validates a placeholder instead of a folder's page. The folder's reader has already checked the page, which may be larger than a page
    // in JSON.
    const checked = folder === undefined ? fields : { ...fields, html: "<p>" };
    const body = validate(rule.json, checked) as object;
    const parts = {
      ...(source === undefined ? {} : { source }),
      ...(folder === undefined ? {} : { folder, html }),
    };
    const ofText = warnAboutInvisibleCharacters(checked, body);
    return { body: { ...body, ...parts }, warnings: [...warnings, ...ofText] };
  };
  const pageType = pageTypeOf(route, request);
  if (pageType === undefined) return readJsonBody(route, rule, request, bytes);
  refuseContentEncoding(request, "invalid_arg", pageType === "zip" ? undefined : bytes);
  if (pageType === "zip") return toPageBody(await pageRule.readFolder(bytes, query));
  if (pageType === "html") {
    refuseFileAsPage(bytes, "invalid_arg");
    refuseLargePage(bytes);
    if (!isUtf8(bytes)) return toPageBody(await pageRule.readForeignPage(bytes, query));
    return withCharset(request, async () => toPageBody({ html: utf8.decode(bytes), query }));
  }
  return withCharset(request, async () => {
    const text = decodeMarkdown(bytes);
    return renderAfterWrite(async () => toPageBody(await pageRule.renderMarkdown(text, query)));
  });
}

const pageTypes: Readonly<Record<string, "html" | "markdown" | "zip">> = {
  "text/html": "html",
  "text/markdown": "markdown",
  "application/zip": "zip",
  "application/x-zip-compressed": "zip",
};

/** Returns the kind of page in the body, by its Content-Type. Returns undefined for JSON, or if the operation accepts no page. */
export function pageTypeOf({ body }: Route, request: HttpRequest) {
  return typeof body === "object" && body.page !== undefined ? pageTypes[mediaTypeOf(request)] : undefined;
}

/** Refuses a page that is too large, before its content is examined. */
function refuseLargePage({ byteLength: bytes }: Uint8Array): void {
  if (bytes <= limits.htmlBytesMax) return;
  throw new ApiError("html_too_large", {
    message: `html is ${bytes} bytes in UTF-8; at most ${limits.htmlBytesMax} are allowed. Send a larger page as a folder with one page: zip page.zip page.html, with Content-Type: application/zip.`,
    details: { field: "html", bytes, bytes_max: limits.htmlBytesMax },
  });
}

/** Adds advice to the warnings or the error if Content-Type names a charset other than UTF-8, because the body is read as UTF-8. */
async function withCharset(request: HttpRequest, read: () => Promise<ReadBody>): Promise<ReadBody> {
  const [, charset = "utf-8"] =
    /charset=["']?([\w-]{1,40})/i.exec(request.headers["content-type"]?.[0] ?? "") ?? [];
  if (/^(utf-?8|us-ascii)$/i.test(charset)) return read();
  const advice = `Content-Type says charset=${charset}, but pages are read as UTF-8. Send the page in UTF-8, with charset=utf-8.`;
  try {
    const found = await read();
    return { ...found, warnings: [...found.warnings, advice] };
  } catch (error) {
    throw error instanceof ApiError ? error.withFurther([advice]) : error;
  }
}

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

function decodeMarkdown(bytes: Uint8Array): string {
  if (isUtf8(bytes)) return utf8.decode(bytes);
  throw new ApiError("invalid_arg", {
    message:
      "The Markdown is not in UTF-8. Convert it: iconv -f iso-8859-1 -t utf-8 page.md, with the file's own charset after -f.",
    details: { field: "html" },
  });
}

/** Refuses a JSON body if the operation accepts only a form that people fill in. @throws ApiError `invalid_arg` */
function refuseJsonAsForm(request: HttpRequest): void {
  if (mediaTypeOf(request) !== "application/json") return;
  throw new ApiError("invalid_arg", {
    message: `This address accepts a form that people fill in. Programs sign in with POST /api/auth/start, and the guide to all calls is ${guideUrl(readSite(request))}.`,
  });
}

/** Returns the body as a stream. Refuses a file that is empty or too large before the call counts against any limit. */
function requireBlobBody(request: HttpRequest): ByteBody {
  const { contentLength, bodyBytes, bodyStream } = request;
  refuseContentEncoding(request, "invalid_arg");
  if (contentLength === 0) throw new ApiError("empty_blob");
  if (contentLength !== undefined && contentLength > limits.blobBytesMax)
    throw new ApiError("blob_too_large", {
      message: `The body is ${contentLength} bytes; a blob may have at most ${limits.blobBytesMax}.`,
      details: { bytes: contentLength, bytes_max: limits.blobBytesMax },
    });
  const stream = () => withCheckedStart(bodyStream(), (start) => refuseEncodedFile(request, start));
  return { contentLength, bytes: bodyBytes, stream };
}

/**
 * Parses a JSON body with the operation's schema, and warns about unknown fields.
 *
 * @throws ApiError for invalid JSON, an invalid field, or a field that must not be ignored
 */
async function readJsonBody(
  route: Route,
  rule: JsonBody,
  request: HttpRequest,
  bytes: Uint8Array,
): Promise<ReadBody> {
  refuseContentEncoding(request, "invalid_json", bytes);
  const takesPage = rule.page !== undefined;
  if (takesPage) refuseFileAsPage(bytes, "invalid_json");
  const read = attempt(() => parseJson(bytes, (reason) => explainNoJson(request, bytes, takesPage, reason)));
  if (read.fault !== undefined) throw read.fault;
  if (read.result === undefined && rule.required)
    throw new ApiError("invalid_json", {
      message: joinMessages(["The request body is empty: send a JSON object.", rule.ifEmpty ?? ""]),
    });
  const { result: came = {} } = read;
  const isNamed = isObject(came) && came.slug !== undefined && fieldNamesOf(rule.json).includes("slug");
  const named = isNamed ? { ...came, slug: await toNamedAddress(came.slug, readSite(request)) } : came;
  const isFolder = request.isToolCall && isObject(named) && Object.hasOwn(named, "files");
  if (rule.page === undefined || !isFolder) return readFields(route, rule, request, named);
  return readTextFolder(named, rule.page, (fields) => readFields(route, rule, request, fields));
}

/**
 * Reads a folder that a tool sends as `files`, instead of `html`.
 *
 * @throws ApiError `invalid_arg` if `html` was sent too, or if the folder is invalid
 */
async function readTextFolder(
  { files, ...fields }: Readonly<Record<string, unknown>>,
  { readTexts }: PageBody,
  read: (fields: object) => ReadBody,
): Promise<ReadBody> {
  if (fields.html !== undefined)
    throw new ApiError("invalid_arg", {
      message: "Send html for a page or files for a folder, not both: a folder's page is its index.html.",
      details: { field: "files" },
    });
  const { html, folder, warnings = [] } = await readTexts(files);
  const { body, warnings: ofFields } = read({ ...fields, html });
  return { body: { ...(body as object), folder }, warnings: [...warnings, ...ofFields] };
}

/** Reads the fields of a body. Reports the errors of all fields together. */
function readFields(route: Route, rule: JsonBody, request: HttpRequest, came: unknown): ReadBody {
  const known = fieldNamesOf(rule.json);
  const kind = request.isToolCall ? "argument" : "field";
  const sent = isObject(came) ? came : {};
  const ownTitle = findOwnTitle(rule, sent);
  // For tools, the default title is the page's own title. Without a page, a placeholder title avoids a second error.
  const isWithoutPage = rule.page?.findTitle !== undefined && sent.html === undefined;
  const toolTitle = ownTitle ?? (isWithoutPage && sent.title === undefined ? "Untitled" : undefined);
  const { slug, warnings: ofSlug } =
    known.includes("slug") && sent.slug !== undefined
      ? readSlug(sent.slug, readSite(request))
      : { slug: undefined, warnings: [] };
  const value = {
    ...sent,
    ...(slug === undefined ? {} : { slug }),
    ...(request.isToolCall && toolTitle !== undefined ? { title: toolTitle } : {}),
  };
  // The schema of edits contains `html` only to refuse it, so `html` is not an accepted field.
  const written = rule.page === undefined ? known.filter((name) => name !== "html") : known;
  // Does not check fields that repeat a path parameter, because tools and some callers send the value in both places.
  const given = Object.keys(sent).filter(
    (name) => request.pathParameters[name] !== sent[name] || sent[name] === undefined,
  );
  const names = {
    kind,
    given,
    known: [...written, ...fieldNamesOf(route.query)],
    values: sent,
    echoed: findEchoed(route, known),
    // Errors about a sign-in, a file or a team must not suggest calls that set fields of drops.
    ...namesOfResource[route.resource],
  } as const;
  // Refuses a body with too many unknown names before processing its fields.
  if (given.length > known.length + unknownMax) explainNames(names);
  const { result: body, fault } = attempt(() => validate(rule.json, isObject(came) ? value : came));
  if (fault !== undefined)
    throw isReviewed(route) ? fieldsRefusal(route, rule, names, fault, ownTitle) : fault;
  if (!isReviewed(route)) return { body, warnings: [] };
  const changesNothing = route.method === "PATCH" && !written.some((name) => given.includes(name));
  const ofNames = reviewNames(names, changesNothing);
  const ofText = warnAboutInvisibleCharacters(value, body as object);
  const nothing = changesNothing ? [`Nothing has changed: send at least one of ${written.join(", ")}.`] : [];
  return { body, warnings: [...ofSlug, ...ofNames, ...ofText, ...nothing] };
}

/** Read-only fields of a drop, in lower case without underscores, which callers may send back unchanged. */
const readOnlyFields: readonly string[] =
  "url rawurl latestversion viewcount sha256 sizebytes readableby createdat updatedat".split(" ");

/** Lists the response's read-only fields, which callers may send back. */
function findEchoed({ path, resource, response }: Route, known: readonly string[]): GivenNames["echoed"] {
  if (path.includes("{slug}")) return { fields: readOnlyFields, advice: "Only the service sets this field." };
  if (!path.endsWith("}") || !("json" in response)) return undefined;
  const others = fieldNamesOf(response.json).filter((name) => !known.includes(name));
  const again = resource === "blobs" ? ": upload the file again" : "";
  return { fields: others.map(normalizeName), advice: `This field cannot be changed${again}.` };
}

/** Creates an error that explains all problems in a body: the schema's errors, and each unknown name. */
function fieldsRefusal(
  { method }: Route,
  { json }: JsonBody,
  names: GivenNames,
  fault: ApiError,
  ownTitle: string | undefined,
): ApiError {
  const known = [...new Set([...names.known, ...fieldNamesOf(json)])];
  const explained = explainNames({ ...names, known, missing: fault.missing });
  const isWithoutPage = method === "PUT" && !explained.some(({ means }) => means === "html");
  const isUntitled = fault.missing.includes("title") && ownTitle !== undefined;
  // Excludes the page and the title, because the errors for these missing fields already state the limits.
  const meant = explained.find(({ means = "html" }) => !["html", "title"].includes(means))?.means;
  const refusal = fault.withFurther([
    ...(isUntitled ? [`The page's own title is ${quote(ownTitle)}: send it as "title".`] : []),
    ...(isWithoutPage && fault.missing.includes("html") ? [withoutPage] : []),
    ...(fault.code === "html_too_large" ? [asFolder] : []),
    ...sentencesOf(names.kind, explained),
  ]);
  return meant === undefined ? refusal : refusal.saying(refusal.both, { did_you_mean: meant });
}

const asFolder: Message = {
  http: "To publish images, scripts and data as separate files, send a zip archive as the body, with Content-Type: application/zip.",
  tool: "To publish images, scripts and data as separate files, call start_publish.",
};

const withoutPage = inBothWords(
  (call) =>
    `${call("PATCH /api/drops/{slug}", "edit_drop")} changes title, metadata, readers and expiry without a page.`,
);

/** Finds the title in the page, if the body requires a title but contains none, not even under another name. */
function findOwnTitle({ page }: JsonBody, { title, html, ...others }: Readonly<Record<string, unknown>>) {
  const isAbsent = title === undefined || title === null;
  if (page?.findTitle === undefined || !isAbsent || typeof html !== "string") return undefined;
  const isGiven = Object.keys(others)
    .slice(0, unknownMax)
    .some((name) => findMeantName(name, ["title"]) !== undefined);
  return isGiven ? undefined : page.findTitle(html);
}
