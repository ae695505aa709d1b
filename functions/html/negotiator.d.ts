// The package's own types cover only its index, which also contains the negotiation of charsets, encodings and languages.
declare module "negotiator/lib/mediaType.js" {
  /** Returns the provided media types that an Accept header accepts, the most preferred first. */
  export default function preferredMediaTypes(accept: string, provided: readonly string[]): string[];
}

declare module "negotiator/lib/encoding.js" {
  /**
   * Returns the provided encodings that an Accept-Encoding header accepts, the best first. Equal encodings have the order of `preferred`.
   */
  export default function preferredEncodings(
    accept: string,
    provided: readonly string[],
    preferred?: readonly string[],
  ): string[];
}
