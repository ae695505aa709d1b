/** The shapes of identifiers, as the section "Resources and their fields" of the specification gives them. */
export const patterns = {
  slug: /^[A-Za-z0-9]{7}$/,
  blobId: /^[A-Za-z0-9]{7}$/,
  tokenId: /^[A-Za-z0-9]{12}$/,
  metadataKey: /^[a-z0-9_]([a-z0-9_.-]{0,62}[a-z0-9_])?$/,
  filename: /^[A-Za-z0-9. -]+$/,
  /** What a header may hold as it is, without white space at its ends. */
  printable: /^[\x20-\x7e]*$/,
  /** Eight of the twenty consonants of RFC 8628, section 6.1, in two groups. */
  deviceCode: /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/,
  /** A positive integer without sign, leading zero or fraction, short enough to be exact. */
  positiveInteger: /^[1-9][0-9]{0,14}$/,
} as const;
