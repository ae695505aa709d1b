/** Texts of the library's page. */
export const libraryText = {
  list: {
    locked: "Locked page",
    lockedHint: "opens with a passcode",
    by: "by",
    own: "Yours",
    visibility: {
      public: "Public",
      unlisted: "Unlisted",
      members: "Members",
      people: "Named people",
    },
    created: "Created",
    /** A time follows. */
    expires: "Expires",
    tags: "Tags",
  },
  pages: { label: "More of the library", newest: "Newest", older: "Older" },
  nothingShared: {
    heading: "Nothing shared with you yet",
    lead: "Pages that are shared with you or with all members appear here seconds after they are published.",
    how: "To share one of yours, ask your agent to publish it for members or for people that you name.",
  },
  nothingFound: {
    heading: "Nothing found",
    lead: "None of the pages that you can read match. Use fewer or different words. Other owners’ locked pages are not searched, and new pages appear after a few seconds.",
  },
  nothingHere: {
    heading: "No matches yet",
    lead: "None of the newest pages match. You can search older ones.",
  },
} as const;
