/** The addresses that stand in a document. */
export interface DocumentSite {
  /** `https://drops.example.com`, no trailing slash. */
  readonly baseUrl: string;
  /** URL of an owner: `https://ada.drops.example.com`, or without a domain `<baseUrl>/@ada`; no trailing slash. */
  ownerUrl(namespace: string): string;
}

/**
 * The addresses in documents that are written when the functions are bundled: without a domain of its own, a service
 * knows where it lives only once it is deployed. No such host exists (RFC 6761, section 6.4).
 */
export const writtenSite: DocumentSite = {
  baseUrl: "https://base-url.invalid",
  ownerUrl: (namespace) => `https://${namespace}.base-domain.invalid`,
};
