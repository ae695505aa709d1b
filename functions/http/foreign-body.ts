import { ApiError } from "../core/errors.ts";
import { type HttpRequest, mediaTypeOf, parseQuery } from "./request.ts";

const asFile =
  "Send the file's bytes as the body, its name in the address, and its type in the header: POST /api/blobs?filename=chart.png, curl --data-binary @chart.png -H 'Content-Type: image/png'.";

/** Reasons why a form is refused in place of a file's bytes, by Content-Type. */
const formFaults: Readonly<Record<string, string>> = {
  "application/x-www-form-urlencoded": "which is curl's default, and curl's -d removes line endings",
  "multipart/form-data": "whose boundary and headers would be stored as part of the file",
};

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
  const type = mediaTypeOf(request);
  const isJson = /[/+]json$/.test(type) && isWrapped;
  const isBase64 = !type.startsWith("text/") && encodedFile.test(start);
  if (request.isToolCall || !(isJson || isBase64)) return;
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
  const type = mediaTypeOf(request);
  if (formFaults[type] !== undefined)
    throw new ApiError("invalid_arg", {
      message: `Content-Type is ${type}, ${formFaults[type]}. ${asFile}`,
      details: { header: "content-type", content_type: type },
    });
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
