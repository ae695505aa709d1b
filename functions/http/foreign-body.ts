import { ApiError, wordsFor } from "../core/errors.ts";
import { callsByField } from "./intents.ts";
import { type HttpRequest, mediaTypeOf, parseQuery } from "./request.ts";

const formType = "application/x-www-form-urlencoded";
const multipartType = "multipart/form-data";

const asFile =
  "Send the file's bytes as the body, its name in the address, and its type in the header: POST /api/blobs?filename=chart.png, curl --data-binary @chart.png -H 'Content-Type: image/png'.";

/**
 * Refuses a form that was sent instead of a file's bytes. curl sends a form's Content-Type by default.
 *
 * @throws ApiError `invalid_arg`
 */
function refuseFormAsFile(request: HttpRequest): void {
  const type = mediaTypeOf(request);
  if (type !== formType && type !== multipartType) return;
  const cause =
    type === formType
      ? "which is curl's default, and curl's -d removes line endings"
      : "whose boundary and headers would be stored as part of the file";
  throw new ApiError("invalid_arg", {
    message: `Content-Type is ${type}, ${cause}. ${asFile}`,
    details: { header: "content-type", content_type: type },
  });
}

/** Matches JSON with a field in which other services accept a file. */
const fileField =
  /^\s*\{.*"(base64|body|bytes|content|contents|data|file|file_?content|file_?data)"\s*:\s*"/is;

/** Matches names of files that are never JSON. */
const mediaFile = /\.(png|jpe?g|gif|webp|avif|svg|pdf|zip|mp[34]|woff2?|html?|css|csv)$/i;

/** Matches the beginning of a picture, audio, video, PDF file or archive in base64, or of a data URL. */
const encodedFile =
  /^(data:[^,]{1,100};base64,|(iVBORw0KGgo|\/9j\/|R0lGOD|UklGR|JVBERi0|UEsDB|AAAA[A-Za-z]{2})[A-Za-z0-9+/=\s]*$)/;

/**
 * Refuses a file within JSON or base64, because the JSON or base64 would be stored instead of the file. Accepts files with the extension
 * .json.
 *
 * @throws ApiError `invalid_arg`
 */
export function refuseEncodedFile(request: HttpRequest, bytes: Uint8Array): void {
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
    message: `The body is ${isJson ? "JSON" : "base64"}, not the file itself. ${asFile}`,
    details: { header: "content-type" },
  });
}

/**
 * Refuses a body in a format that the operation does not accept. Runs before missing parameters are reported, because a form or JSON body
 * may contain the missing file name.
 *
 * @throws ApiError `invalid_arg`
 */
export function refuseOtherBodies(request: HttpRequest): void {
  refuseFormAsFile(request);
  if (request.bodyBytes !== undefined && request.contentLength !== 0)
    refuseEncodedFile(request, request.bodyBytes);
}

/** Checks the first chunk of a body when the body is streamed. */
export async function* withCheckedStart(
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
 * Explains why a body is not JSON, if the cause is recognized.
 *
 * @param reason the parser's reason, as part of a sentence
 */
export function explainNoJson(
  request: HttpRequest,
  bytes: Uint8Array,
  takesPage: boolean,
  reason: string,
): string {
  const start = Buffer.from(bytes.subarray(0, 512)).toString("utf8").trimStart();
  const type = mediaTypeOf(request);
  const asPage = takesPage
    ? " Or send the page itself: Content-Type: text/html or text/markdown, or application/zip for a folder (curl --data-binary @page.html)."
    : "";
  if (type === multipartType || /^--\S+\r?\nContent-Disposition:/i.test(start))
    return `The body is a multipart form (multipart/form-data, as curl -F sends it): send JSON.${asPage || " To upload one file, send it to POST /api/blobs?filename=<name>."}`;
  if (takesPage && (/^<[a-z!?]|^#{1,6} \S/i.test(start) || /^text\/plain$|xml$/.test(type)))
    return `The body is not JSON, and Content-Type is ${type || "absent"}: send a page with a <title>, or with ?title=, as Content-Type: text/html (curl --data-binary @page.html -H 'Content-Type: text/html'). Send Markdown as text/markdown.`;
  if (/^@\S+\s*$/.test(start))
    return "The body is a file name, not the file's content: only curl reads the file for -d @name or --data-binary @name.";
  if (/^[\w.[\]-]+=/.test(start))
    return `The body is a form (name=value): send JSON, with Content-Type: application/json.${asPage}`;
  if (/gzip|x-tar|x-7z|x-rar|x-xz|bzip/.test(type) || (bytes[0] === 0x1f && bytes[1] === 0x8b))
    return `The body is compressed, but not a zip archive. Send a folder as application/zip, and JSON uncompressed.`;
  if (isUtf16(bytes)) return "The request body is UTF-16: send it in UTF-8.";
  if (!takesPage && /^text\/(html|markdown)$|\/zip$/.test(type))
    return `The body is a page or a folder, not JSON. To publish it, send it to ${wordsFor("http", callsByField.html ?? "")}.`;
  if (/^(image|video|audio|font|text)\/|\/pdf$|octet-stream$/.test(type))
    return `The body is a file, not JSON. To upload it, send it to POST /api/blobs?filename=<name>.`;
  return `The request body must be JSON in UTF-8, with double quotation marks: ${reason}. Use a JSON library to write it.${asPage}`;
}

/** Recognizes UTF-16 by a byte order mark, or by the zero byte of an ASCII character. */
function isUtf16(bytes: Uint8Array): boolean {
  const [first, second] = bytes;
  return (
    (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff) || first === 0 || second === 0
  );
}
