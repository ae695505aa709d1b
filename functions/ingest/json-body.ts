import { ApiError, type ErrorCode } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import type { Route } from "../http/route.ts";
import { createAccountSlots } from "./admission.ts";
import type { IncomingBody } from "./incoming-body.ts";

/**
 * Number of whole bodies in memory. Each may be 13.4 MB, and five times that as text and parsed value, or an archive of 26 MB with its
 * files. Further bodies are not read until there is room.
 */
const takePlace = createAccountSlots({ count: 4, countPerAccount: 2, waitMsMax: 20_000 });

/** Time limit for holding a place, however slowly the body arrives. */
const readMsMax = 60_000;

/** A whole body, and the function that frees its memory for other bodies. */
export interface BufferedBody {
  readonly bytes: Uint8Array;
  readonly release: () => void;
}

/** The account whose body is read, and its row. */
interface BodyReading {
  readonly route: Route;
  readonly userId: string;
  /** A page as HTML, a folder as a zip archive, or JSON. */
  readonly kind: "html" | "json" | "zip";
}

/**
 * Reads a whole body: JSON, HTML, or a zip archive.
 *
 * @throws ApiError the row's code for a body larger than any legal one; `invalid_arg` for one that is cut off, too slow, or of too many
 * values; `unavailable` when too many are being read.
 */
export async function bufferJsonBody(body: IncomingBody, reading: BodyReading): Promise<BufferedBody> {
  const { userId } = reading;
  if (body.contentLength !== undefined && body.contentLength > bodyBytesMax(reading)) throw tooLarge(reading);
  const release = await takePlace(userId);
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

/** Limit of values in a JSON body. Every legal one has less than 200; parsing a million takes seconds, which blocks the server. */
export const jsonValuesMax = 10_000;

const quote = 0x22;
const backslash = 0x5c;

/**
 * Counts the values of a JSON text as its bytes arrive: each follows a comma or an opening bracket outside of strings. A text that does not
 * begin like JSON counts as none: its parser stops there, and the refusal quotes the text.
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
    // By index, and with local variables: 60 ms for 13 MB, which would take 300 with an iterator.
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

/** White space, controls, and the bytes of a byte order mark. */
function comesBeforeJson(byte: number): boolean {
  return byte <= 0x20 || byte === 0xef || byte === 0xbb || byte === 0xbf;
}

/** A comma, `[` or `{`. */
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
  const message = `The request body is larger than ${bytesMax} bytes, the limit of a valid one.`;
  return new ApiError(codeOf(reading.route), { message, details: { body_bytes_max: bytesMax } });
}

/** Error code of a body that is too large: that of a page if the operation accepts one. */
function codeOf({ errors }: Route): ErrorCode {
  const codes = ["html_too_large", "metadata_only_on_patch"] as const;
  return codes.find((code) => errors.includes(code)) ?? "invalid_arg";
}

/** The longest form of one byte of UTF-8, and of one code point, in JSON: `\u0022` once and twice (RFC 8259, section 7). */
const escapedBytesPerByte = 6;
const escapedBytesPerCodePoint = 12;

/** Metadata keys are ASCII, at most 64 characters. */
const metadataBytesMax =
  limits.metadataKeysMax *
  (64 * escapedBytesPerByte + limits.metadataValueCodePointsMax * escapedBytesPerCodePoint);

/** Names, punctuation, white space, and ignored fields. */
const slackBytes = 65_536;

/**
 * Largest body that the edge sends to functions (`functions/edge/viewer-request.ts`). Functions buffer the whole body, and so does this
 * server.
 */
const functionBodyBytesMax = 3_145_728;

/** A page of 2 MiB in escapes is 12.6 MB; the rest is for every other field at its limit, with every character escaped. */
const pageBodyBytesMax =
  limits.htmlBytesMax * escapedBytesPerByte +
  (limits.contextCodePointsMax + limits.titleCodePointsMax + limits.descriptionCodePointsMax) *
    escapedBytesPerCodePoint +
  limits.passcodeBytesMax * escapedBytesPerByte +
  metadataBytesMax +
  slackBytes;

/**
 * Largest valid JSON body of the row, in bytes: about 13.4 MB with a page. Other rows need 70 KB, but up to 3 MB are read, so that the error
 * names the field, as functions do.
 */
export function jsonBodyBytesMax({ errors }: Route): number {
  return errors.includes("html_too_large") ? pageBodyBytesMax : functionBodyBytesMax;
}
