import { text } from "../html/text.ts";

/** Texts of the pages at `/account`. */
export const accountText = {
  drops: { locked: "Locked", expired: "Expired", updated: "Updated" },
  access: { heading: "Requests for access" },
  signedOut: { lead: "Nothing was changed, because you are no longer signed in." },

  drop: {
    title: "Title",
    description: "Description",
    readers: text.sharing.people,
    readableNow: "Who can read it now",
    indexed: "Search engines may list it",
    feedback: "Allow comments",
    answers: "Allow answers to forms",
    results: "Show readers the results",
    lockHeading: "Passcode",
    noPasscode: "No passcode",
    expiryHeading: "Expiry",
    never: "Never expires",
    versionsHeading: "Versions",
    version: (number: number) => `Version ${number}`,
  },

  /** Messages for problems with forms. */
  problems: {
    incomplete: "Part of the form was missing. Reload and try again.",
    tooLong: (what: string, characters: unknown, most: unknown) =>
      `The ${what.toLowerCase()} has ${characters} characters. The limit is ${most}.`,
    reader: (line: string) =>
      `“${line}” is not an e-mail address (ada@example.com), a domain (@example.com), a user name or a group (group:engineering).`,
  },
} as const;
