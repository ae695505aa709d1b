/** The addresses that stand in a document. */
export interface DocumentSite {
  /** `https://drops.example.com`, no trailing slash. */
  readonly baseUrl: string;
  /** An owner's host: `https://ada.drops.example.com`, no trailing slash. */
  ownerUrl(namespace: string): string;
}
