// The package's own types cover its index only, which also holds the negotiation of charsets, encodings and languages.
declare module "negotiator/lib/mediaType.js" {
  /** The provided media types that an Accept header takes, the most preferred first. */
  export default function preferredMediaTypes(accept: string, provided: readonly string[]): string[];
}
