/** The service's URLs, for use in documents. */
export interface DocumentSite {
  /** The service's own URL, such as `https://drops.example.com`, without a trailing slash. */
  readonly baseUrl: string;
  /** Returns an owner's URL without a trailing slash: `https://ada.drops.example.com`, or `<baseUrl>/@ada` if the service has no domain. */
  ownerUrl(namespace: string): string;
}

/**
 * Placeholders for URLs in documents that are written when the functions are bundled, because a service without a domain knows its URL only
 * after deployment. The placeholders' hosts never exist (RFC 6761, section 6.4).
 */
export const writtenSite: DocumentSite = {
  baseUrl: "https://base-url.invalid",
  ownerUrl: (namespace) => `https://${namespace}.base-domain.invalid`,
};
