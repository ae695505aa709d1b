import { wordsFor } from "../core/errors.ts";
import { callsByField } from "../http/intents.ts";
import { type HttpRequest, mediaTypeOf } from "../http/request.ts";

/** Explains why a body is not JSON, if the cause is recognized. @param reason the parser's reason, as part of a sentence */
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
  if (type === "multipart/form-data" || /^--\S+\r?\nContent-Disposition:/i.test(start))
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
