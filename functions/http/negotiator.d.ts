// The package's own types cover its index only, which also holds the negotiation of charsets, encodings and languages.
declare module "negotiator/lib/mediaType.js" {
  /** The provided media types that an Accept header takes, the most preferred first. */
  export default function preferredMediaTypes(accept: string, provided: readonly string[]): string[];
}

declare module "negotiator/lib/encoding.js" {
  /** The provided encodings that an Accept-Encoding header takes, the best first; of equal ones, by `preferred`. */
  export default function preferredEncodings(
    accept: string,
    provided: readonly string[],
    preferred?: readonly string[],
  ): string[];
}
