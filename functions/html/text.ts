/**
 * Texts that several features show. Texts of a single feature are in that feature's folder. Values that people chose (titles, labels,
 * names) are shown next to a phrase, never inside one, so that their text direction and markup cannot affect the phrase.
 */
export const text = {
  /** Language tag (RFC 5646) of the texts and of formatted numbers and dates. */
  language: "en-GB",
  product: "Dropleaf",

  reader: {
    readTrail:
      "When you open a page that is shared with you, its owner can see your name and the date you opened it.",
    signedInAs: "Signed in as",
    moreGroups: (count: number) => (count === 1 ? "and 1 other" : `and ${count} others`),
    signOut: "Sign out",
  },

  /** Texts of the forms in which an owner chooses a page's readers. */
  sharing: {
    readers: "Who can read it",
    /** Names of the kinds of visibility. */
    names: {
      public: "Public",
      unlisted: "Unlisted",
      members: "Members",
      people: "Named people",
    },
    kinds: {
      public: "Anyone",
      unlisted: "Anyone with the link",
      members: "Members",
      people: "Named people",
    },
    kindNotes: {
      public: "Listed on your public page.",
      unlisted: "Not listed anywhere.",
      members: "Anyone who can publish here, after signing in.",
      people: "People, domains and groups that you name, after signing in.",
    },
    people: "People",
    peopleNote:
      "E-mail addresses, @example.com for a whole domain, or user names, on separate lines or separated by commas. For a group, write group:engineering on a line of its own.",
  },

  /** Texts of the links to the pages of a list. */
  paging: {
    pages: "More of the list",
    newer: "Newer",
    older: "Older",
    pageOf: (number: number, count: number) => `${number} of ${count}`,
  },

  error: {
    home: "Go to the home page",
    signIn: "Go to the sign-in page",
    own: "Go to your pages",
    owner: (namespace: string) => `See the pages of ${namespace}`,
    /** Heading that replaces a framed page. */
    notLoaded: "The page didn’t load",
    again: "Try again",
    wait: (minutes: number) =>
      `Please wait ${minutes === 1 ? "a minute" : `${minutes} minutes`}, then try again.`,
    heading: (status: number) =>
      ({
        400: "Something is wrong with this request",
        403: "This is not allowed",
        404: "This page isn’t available",
        429: "Too many attempts",
        502: "Sign-in is not available",
        503: "One moment, please",
      })[status] ?? "Something went wrong",
    /** Headings of error pages for people or accounts that the operator has restricted. The key is the reason in the error's details. */
    reasons: {
      account_suspended: "This account is suspended",
      account_barred: "This account is blocked",
      legal_hold: "This content is on legal hold",
      identity_banned: "You can’t sign in here",
      account_deactivated: "Your account is deactivated",
      not_a_member: "You’re no longer a member",
    } as Readonly<Record<string, string | undefined>>,
    /** Advice for people, by error code, which replaces messages that are written for programs. */
    advice: {
      not_found: "This page doesn’t exist or was deleted. Check the link for a typo.",
      version_not_found:
        "The page doesn’t have this version. Remove ?v= and the number from the address to see the latest one.",
      forbidden: "You can’t open this address directly. Start again from the previous page.",
      internal_error: "Something failed on our side. Try again in a few minutes.",
      unavailable: "Dropleaf is busy. Try again in a few seconds.",
    } as Readonly<Record<string, string | undefined>>,
  },
} as const;
