import { limits } from "../contract/limits.ts";
import type { Route } from "../contract/route.ts";

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
