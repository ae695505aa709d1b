import { ApiError, type ErrorCode } from "../runtime/errors.ts";
import { type HttpRequest, mediaTypeOf } from "./request.ts";

const formType = "application/x-www-form-urlencoded";
const multipartType = "multipart/form-data";

/** The first bytes of what gzip makes (RFC 1952, section 2.3.1). */
const gzipMagic = Buffer.from([0x1f, 0x8b]);

/**
 * Refuses a packed body: nobody unpacks it, and what is stored would be read by nobody.
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
    message: `The request body is compressed: ${what}. Send it as it is, without Content-Encoding.`,
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
 * Says of a body that cannot be read as JSON what it is, where that can be seen, and how it would be right.
 *
 * @param reason why it is no JSON, in half a sentence
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
