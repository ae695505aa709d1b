import { ApiError, type ErrorCode } from "../platform/errors.ts";
import { limits } from "../platform/limits.ts";
import type { Route } from "../platform/route.ts";
import { createSemaphore } from "../platform/semaphore.ts";
import type { IncomingBody } from "./incoming-body.ts";

/**
 * Whole bodies in memory at once. Each may be 13.4 MB and, as text and as what was read from it, up to five times that;
 * a body that waits for its place is not read.
 */
const places = createSemaphore(4, 20_000);

/** Whoever has a place gives it back in this time, however slowly the body comes. */
const readMsMax = 60_000;

/** A whole body, and how to say that it is needed no more. */
export interface HeldBody {
  readonly bytes: Uint8Array;
  readonly release: () => void;
}

/**
 * Reads a JSON body whole.
 *
 * @throws ApiError the row's code for a body larger than any legal one; `invalid_arg` for one that is cut off or too
 * slow; `unavailable` when too many are being read.
 */
export async function holdJsonBody(body: IncomingBody, route: Route): Promise<HeldBody> {
  if (body.contentLength !== undefined && body.contentLength > jsonBodyBytesMax(route)) throw tooLarge(route);
  const release = await places.take();
  try {
    return { bytes: await readWhole(body, route), release };
  } catch (error) {
    release();
    throw error;
  }
}

async function readWhole(body: IncomingBody, route: Route): Promise<Uint8Array> {
  const untilMs = performance.now() + readMsMax;
  const bytesMax = jsonBodyBytesMax(route);
  const pieces: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const piece of body.pieces()) {
    sizeBytes += piece.byteLength;
    if (sizeBytes > bytesMax) throw tooLarge(route);
    if (performance.now() > untilMs) {
      const message = `The request body took more than ${readMsMax / 1000} seconds.`;
      throw new ApiError("invalid_arg", { message });
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces, sizeBytes);
}

function tooLarge(route: Route): ApiError {
  const bytesMax = jsonBodyBytesMax(route);
  const message = `The request body is larger than ${bytesMax} bytes, the most that a legal one can be.`;
  return new ApiError(codeOf(route), { message, details: { body_bytes_max: bytesMax } });
}

/** What makes a body that large is a page, wherever one could be meant. */
function codeOf({ errors }: Route): ErrorCode {
  const codes = ["html_too_large", "metadata_only_on_patch"] as const;
  return codes.find((code) => errors.includes(code)) ?? "invalid_arg";
}

/** The longest form of one byte of UTF-8, and of one code point, in JSON: `\u0022`, and two of them (RFC 8259, section 7). */
const escapedBytesPerByte = 6;
const escapedBytesPerCodePoint = 12;

/** Metadata keys are ASCII, at most 64 characters. */
const metadataBytesMax =
  limits.metadataKeysMax *
  (64 * escapedBytesPerByte + limits.metadataValueCodePointsMax * escapedBytesPerCodePoint);

/** Names, punctuation, white space, and fields that nobody reads. */
const slackBytes = 65_536;

/** What the edge sends to the functions at most (`functions/edge/viewer-request.ts`): they look at all of it, so this does too. */
const functionBodyBytesMax = 3_145_728;

/** A page of 2 MiB, sent as escapes, is 12.6 MB; every other field at its limit, every character escaped, the rest. */
const pageBodyBytesMax =
  limits.htmlBytesMax * escapedBytesPerByte +
  (limits.contextCodePointsMax + limits.titleCodePointsMax + limits.descriptionCodePointsMax) *
    escapedBytesPerCodePoint +
  limits.passcodeBytesMax * escapedBytesPerByte +
  metadataBytesMax +
  slackBytes;

/**
 * No legal JSON body of the row is larger, in bytes: about 13.4 MB where it takes a page. Where it takes none, 70 KB
 * would be enough; up to 3 MB are read all the same, so that the refusal names the field, as it does without this server.
 */
export function jsonBodyBytesMax({ errors }: Route): number {
  return errors.includes("html_too_large") ? pageBodyBytesMax : functionBodyBytesMax;
}
