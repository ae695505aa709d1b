/** The words of the library's page. */
export const libraryText = {
  title: "Library",
  heading: "Library",
  lead: "What others share with you, and what is for all members. The newest first.",
  search: {
    label: "Search the library",
    words: "Words in title or description",
    owner: "Owner",
    submit: "Search",
    everything: "Show everything",
    tagged: "Tagged",
  },
  list: {
    locked: "Locked page",
    lockedHint: "behind a passcode",
    by: "by",
    own: "Yours",
    visibility: {
      public: "Public",
      unlisted: "Unlisted",
      members: "For members",
      people: "For named people",
    },
    published: "Published",
    tags: "Tags",
  },
  pages: { label: "More of the library", newest: "Newest", older: "Older" },
  nothingShared: {
    heading: "Nothing shared with you yet",
    lead: "Pages that name you, or that are for all members, appear here seconds after they are published.",
    how: "To share one of yours, ask your agent to publish it for members, or for people by e-mail address or user name.",
  },
  nothingFound: {
    heading: "Nothing found",
    lead: "No page that is for you has all of these words, this owner and these tags. Titles behind a passcode are not searched.",
  },
  nothingHere: {
    heading: "Nothing so far",
    lead: "Among the newest pages there is none of these. There are older ones to look through.",
  },
} as const;
