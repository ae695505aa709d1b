/** URLs that a document contains. */
export interface DocumentSite {
  /** `https://drops.example.com`, no trailing slash. */
  readonly baseUrl: string;
  /** URL of an owner: `https://ada.drops.example.com`, or without a domain `<baseUrl>/@ada`; no trailing slash. */
  ownerUrl(namespace: string): string;
}

/**
 * Placeholder URLs in documents that are written when the functions are bundled. A service without a domain knows its URL only after
 * deployment. The placeholder hosts do not exist (RFC 6761, section 6.4).
 */
export const writtenSite: DocumentSite = {
  baseUrl: "https://base-url.invalid",
  ownerUrl: (namespace) => `https://${namespace}.base-domain.invalid`,
};
