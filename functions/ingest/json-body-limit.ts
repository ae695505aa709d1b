import { limits } from "../contract/limits.ts";

/** The longest form of one byte of UTF-8, and of one code point, in JSON: `\u0022`, and two of them (RFC 8259, section 7). */
const escapedBytesPerByte = 6;
const escapedBytesPerCodePoint = 12;

/** Metadata keys are ASCII, at most 64 characters. */
const metadataBytesMax =
  limits.metadataKeysMax *
  (64 * escapedBytesPerByte + limits.metadataValueCodePointsMax * escapedBytesPerCodePoint);

/** Names, punctuation, white space, and fields that nobody reads. */
const slackBytes = 65_536;

/**
 * No legal JSON body is larger, in bytes: every field at its limit, every character escaped. About 13.4 MB, of which a
 * page of 2 MiB, sent as escapes, is 12.6 MB.
 */
export const jsonBodyBytesMax =
  limits.htmlBytesMax * escapedBytesPerByte +
  (limits.contextCodePointsMax + limits.titleCodePointsMax + limits.descriptionCodePointsMax) *
    escapedBytesPerCodePoint +
  limits.passcodeBytesMax * escapedBytesPerByte +
  metadataBytesMax +
  slackBytes;
