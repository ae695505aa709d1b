import type { VisibilityKind } from "../visibility.ts";

/**
 * The words of the pages for who has signed in. They are apart from `text.ts`, which every function has: these are in the few
 * that show them.
 */
export const signedInText = {
  head: {
    places: "Your places",
    own: "Your pages",
  },

  /** The parts of what is somebody's own. */
  parts: {
    label: "Parts",
    account: "Pages",
    files: "Files",
    tokens: "Tokens",
  },

  /** Who may read a page or a file, in a word or two. */
  visibility: {
    public: "Public",
    unlisted: "Unlisted",
    members: "Members",
    people: "Named people",
  } satisfies Readonly<Record<VisibilityKind, string>>,

  noAccount: {
    title: "Nothing of yours yet",
    heading: "Nothing of yours yet",
    lead: "You are signed in, and can read what is shared with you. You have not published anything here yet.",
    howHeading: "How to begin",
    how: "Ask your agent to publish a page. It shows you a code, you sign in with it once, and from then on your pages are here.",
    ask: "Publish this page with Dropleaf, at",
    ownToken: "Get a token without an agent",
  },

  notAMember: {
    title: "For members only",
    heading: "For members only",
    lead: "You are signed in, and can read what is shared with you. Publishing here is for members, and you are not one at the moment.",
    kept: "What you have published stays as it is.",
    ask: (whom: string) => `Ask ${whom}.`,
    askHost: "Ask whoever runs this service.",
  },

  barred: {
    heading: "Not with this account",
    message:
      "Whoever signs in with this account can see and change nothing here at the moment. Nothing is deleted.",
    standing: "See who you are signed in as",
  },

  drops: {
    title: "Your pages",
    heading: "Your pages",
    count: (formatted: string, count: number) => `${formatted} ${count === 1 ? "page" : "pages"}`,
    publicPage: "Your public page",
    emptyHeading: "Nothing here yet",
    empty: "What your agent publishes appears here, and is yours to rename, share, lock and delete.",
    locked: "Locked",
    versions: (formatted: string, count: number) => `${formatted} ${count === 1 ? "version" : "versions"}`,
    views: (formatted: string, count: number) => `${formatted} ${count === 1 ? "view" : "views"}`,
    updated: "Changed",
  },
} as const;
