/** The addresses that stand in a document. */
export interface DocumentSite {
  /** `https://drops.example.com`, no trailing slash. */
  readonly baseUrl: string;
  /** Where an owner lives: `https://ada.drops.example.com`, or without a domain `<baseUrl>/@ada`; no trailing slash. */
  ownerUrl(namespace: string): string;
}
