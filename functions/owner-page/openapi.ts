/** Notes on the operations, beyond their summaries. */
export const notes: Readonly<Record<string, string>> = {
  "show-owner-feed":
    "The 50 drops that changed last, of those that the owner's page lists with their titles. RFC 4287.",
  "show-owner-page": "Also at `/` of where the owner lives, which is the address to hand out.",
};
