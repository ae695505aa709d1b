import { ApiError, type ErrorCode } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import type { Route } from "../http/route.ts";
import { createAccountSlots } from "./admission.ts";
import type { IncomingBody } from "./incoming-body.ts";

/**
 * Semaphore for whole bodies in memory. A JSON body may be 13.4 MB long, and its text and parsed value take five times that. An archive may
 * be 26 MB long, and its expanded files take more memory. Further bodies are not read until a slot is free.
 */
const takeSlot = createAccountSlots({ count: 4, countPerAccount: 2, waitMsMax: 20_000 });

/** Maximum time for reading a body, in milliseconds. It prevents a slow client from holding its slot. */
const readMsMax = 60_000;

/** A whole body, and a function that releases its slot. */
export interface BufferedBody {
  readonly bytes: Uint8Array;
  readonly release: () => void;
}

/** The operation and account of a request whose body is read. */
interface BodyReading {
  readonly route: Route;
  readonly userId: string;
  /** Kind of the body: a page as HTML, JSON, or a folder as a zip archive. */
  readonly kind: "html" | "json" | "zip";
}

/**
 * Reads a whole body: JSON, HTML, or a zip archive.
 *
 * @throws ApiError the operation's own error code for a body that is larger than any valid body; `invalid_arg` for a body that is cut off, too
 * slow, or has too many values; `unavailable` if too many bodies are being read
 */
export async function bufferJsonBody(body: IncomingBody, reading: BodyReading): Promise<BufferedBody> {
  const { userId } = reading;
  if (body.contentLength !== undefined && body.contentLength > bodyBytesMax(reading)) throw tooLarge(reading);
  const release = await takeSlot(userId);
  try {
    return { bytes: await readWhole(body, reading), release };
  } catch (error) {
    release();
    throw error;
  }
}

async function readWhole(body: IncomingBody, reading: BodyReading): Promise<Uint8Array> {
  const untilMs = performance.now() + readMsMax;
  const bytesMax = bodyBytesMax(reading);
  const countValues = createValueCounter();
  const pieces: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const piece of body.pieces()) {
    sizeBytes += piece.byteLength;
    if (sizeBytes > bytesMax) throw tooLarge(reading);
    if (reading.kind === "json" && countValues(piece) > jsonValuesMax) throw tooManyValues();
    if (performance.now() > untilMs) {
      const message = `The request body took more than ${readMsMax / 1000} seconds.`;
      throw new ApiError("invalid_arg", { message });
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces, sizeBytes);
}

/** Maximum number of values in a JSON body. A valid body has fewer than 200. Parsing a million values would block the server for seconds. */
export const jsonValuesMax = 10_000;

const quote = 0x22;
const backslash = 0x5c;

/**
 * Counts the values in a JSON text while its bytes arrive. Each value follows a comma or an opening bracket outside of strings. A text that does
 * not begin like JSON has no values: the parser stops at its beginning, and quotes it in the error.
 */
function createValueCounter(): (piece: Uint8Array) => number {
  let values = 0;
  let isJson: boolean | undefined;
  let isInString = false;
  let isEscaped = false;
  return (piece) => {
    const first = isJson === undefined ? piece.find((byte) => !comesBeforeJson(byte)) : undefined;
    if (first !== undefined) isJson = startsValue(first);
    if (isJson !== true) return 0;
    let [inString, escaped, found] = [isInString, isEscaped, 0];
    // A loop with an index and local variables takes 60 ms for 13 MB. An iterator would take 300 ms.
    for (let at = 0; at < piece.byteLength; at += 1) {
      const byte = piece[at] ?? 0;
      if (escaped) escaped = false;
      else if (byte === quote) inString = !inString;
      else if (inString) escaped = byte === backslash;
      else if (startsValue(byte)) found += 1;
    }
    isInString = inString;
    isEscaped = escaped;
    values += found;
    return values;
  };
}

/** Recognizes white space, control characters, and the bytes of a byte order mark. */
function comesBeforeJson(byte: number): boolean {
  return byte <= 0x20 || byte === 0xef || byte === 0xbb || byte === 0xbf;
}

/** Recognizes a comma, `[` or `{`. */
function startsValue(byte: number): boolean {
  return byte === 0x2c || byte === 0x5b || byte === 0x7b;
}

function tooManyValues(): ApiError {
  return new ApiError("invalid_arg", {
    message: `The JSON body has more than ${jsonValuesMax} values. Send a page as one string, in the field html.`,
    details: { values_max: jsonValuesMax },
  });
}

function bodyBytesMax({ route, kind }: BodyReading): number {
  return kind === "zip" ? limits.folderBytesMax : jsonBodyBytesMax(route);
}

function tooLarge(reading: BodyReading): ApiError {
  const bytesMax = bodyBytesMax(reading);
  const message = `The request body is larger than ${bytesMax} bytes, the limit for a valid body.`;
  return new ApiError(codeOf(reading.route), { message, details: { body_bytes_max: bytesMax } });
}

/** Returns the error code for a body that is too large. It depends on the errors that the operation declares. */
function codeOf({ errors }: Route): ErrorCode {
  const codes = ["html_too_large", "metadata_only_on_patch"] as const;
  return codes.find((code) => errors.includes(code)) ?? "invalid_arg";
}

/** Maximum length in JSON, in bytes. A byte of UTF-8 takes at most one escape such as `\u0022`, a code point at most two (RFC 8259, section 7). */
const escapedBytesPerByte = 6;
const escapedBytesPerCodePoint = 12;

/** Maximum length of the metadata in JSON, in bytes. Metadata keys have at most 64 ASCII characters. */
const metadataBytesMax =
  limits.metadataKeysMax *
  (64 * escapedBytesPerByte + limits.metadataValueCodePointsMax * escapedBytesPerCodePoint);

/** Allowance for field names, punctuation, white space and ignored fields, in bytes. */
const slackBytes = 65_536;

/**
 * Maximum size of a body that the edge sends to Lambda functions (`functions/edge/viewer-request.ts`). The functions and this server buffer such
 * a body.
 */
const functionBodyBytesMax = 3_145_728;

/** Maximum size of a valid JSON body with a page: 12.6 MB for an escaped page of 2 MiB, and the other fields at their limits, also escaped. */
const pageBodyBytesMax =
  limits.htmlBytesMax * escapedBytesPerByte +
  (limits.contextCodePointsMax + limits.titleCodePointsMax + limits.descriptionCodePointsMax) *
    escapedBytesPerCodePoint +
  limits.passcodeBytesMax * escapedBytesPerByte +
  metadataBytesMax +
  slackBytes;

/**
 * Maximum size of an operation's JSON body in bytes: about 13.4 MB for a page. Other operations need 70 KB. The limit for these is 3 MB, so
 * that the error names the invalid field, like the error of a Lambda function.
 */
export function jsonBodyBytesMax({ errors }: Route): number {
  return errors.includes("html_too_large") ? pageBodyBytesMax : functionBodyBytesMax;
}
