/** Notes on the operations, beyond their summaries. */
export const notes: Readonly<Record<string, string>> = {
  "show-owner-feed": "The 50 last changed drops that the owner's page lists with their titles. RFC 4287.",
  "show-owner-page": "Also at `/` of the owner's host, which is the address to share.",
};
