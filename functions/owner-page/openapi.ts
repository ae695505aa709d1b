/** Notes that supplement the summaries of the operations. */
export const notes: Readonly<Record<string, string>> = {
  "show-owner-feed":
    "An Atom feed (RFC 4287) of the 50 most recently changed drops on the owner's page, except locked ones.",
  "show-owner-page": "This page is also at `/` of the owner's host, which is the address to share.",
};
