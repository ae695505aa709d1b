import type { VisibilityKind } from "../identity/visibility.ts";

/**
 * The words of the pages for who has signed in. They are apart from `text.ts`, which every function has: these are in the few
 * that show them.
 */
export const signedInText = {
  head: {
    places: "Your places",
    library: "Library",
    own: "Your pages",
  },

  /** The parts of what is somebody's own. */
  parts: {
    label: "Parts",
    account: "Pages",
    files: "Files",
    tokens: "Tokens",
  },

  /** Names of visibilities. */
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

  membershipRefused: {
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

  /** Notices of a completed form, by the name in its redirect. */
  done: {
    saved: "Saved.",
    locked: "Locked. Whoever had opened it before is asked for the new passcode.",
    unlocked: "Unlocked. Nobody is asked for a passcode any more.",
    "version-deleted": "The version is deleted.",
    "version-restored": "Restored: it is published once more, as the newest version.",
    deleted: "The page is deleted, with all its versions.",
    uploaded: "Uploaded.",
    "file-deleted": "The file is deleted.",
    revoked: "Revoked. Whoever has the token can do nothing with it any more.",
  },

  signedOut: {
    title: "Signed out",
    heading: "You’re signed out",
    lead: "Nothing was changed, because you are not signed in any more.",
    typed: "What you had typed",
    signIn: "Sign in again",
  },

  drop: {
    open: "Open the page",
    created: "Published",
    about: "Title and readers",
    title: "Title",
    description: "Description",
    descriptionNote: "Shown above the page. It may be left empty.",
    visibility: "Who may read it",
    kinds: {
      public: "Everybody, and your public page lists it",
      unlisted: "Whoever has the link",
      members: "Members, signed in",
      people: "The people named below, signed in",
    } satisfies Readonly<Record<VisibilityKind, string>>,
    tooOpen: (word: string) =>
      `It is “${word}” now, which is more open than this service allows by now. It stays so until you save it.`,
    readers: "People",
    readersNote:
      "One a line: an e-mail address, @example.com for everybody at a domain, or a user name. They count only where only named people may read.",
    indexed: "Search engines may list it",
    indexedNote: "It counts only where everybody may read the page, without a passcode.",
    feedback: "Readers may write to you",
    feedbackNote:
      "They begin threads about the page, which its other readers see too. Agents of yours can read and answer them.",
    openFeedback: (formatted: string, count: number) =>
      count === 0 ? "Feedback" : `Feedback: ${formatted} open`,
    yes: "yes",
    no: "no",
    save: "Save",
    lockHeading: "Passcode",
    isLocked: "The page is locked: readers are asked for its passcode.",
    isOpen: "Nobody is asked for a passcode.",
    passcode: "New passcode",
    passcodeNote: "At least 4 characters. It is a gate, not encryption.",
    lock: "Lock",
    change: "Change the passcode",
    unlock: "Unlock",
    looksHeading: "How it looks",
    found: (count: number) =>
      count === 0
        ? "Nothing was found that is wrong."
        : `${count === 1 ? "1 thing was" : `${count} things were`} found, the worst first:`,
    views: {
      "phone-light": "Phone, light",
      "phone-dark": "Phone, dark",
      "desktop-light": "Desktop, light",
      "desktop-dark": "Desktop, dark",
    },
    looksNote:
      "The latest version, as a browser showed it. The links to its pictures are good for 15 minutes.",
    versionsHeading: "Versions",
    version: (number: number) => `Version ${number}`,
    latest: "latest",
    latestVersion: "Latest version",
    restore: "Restore",
    restoreLabel: (number: number) => `Restore version ${number}`,
    restoreNote: "Restoring publishes a version once more, as the newest. Readers see it at once.",
    compare: "What changed",
    compareLabel: (number: number) => `What changed with version ${number}`,
    deleteVersion: "Delete a version",
    whichVersion: "Which version",
    chooseVersion: "Choose one",
    versionForEver: "It is gone for ever, and its number is not given again.",
    onlyVersion: "This is the only version. It goes with the page.",
    deleteHeading: "Delete the page",
    deleteNote: "It goes with all its versions, for ever. Its address leads nowhere from then on.",
    confirm: (slug: string) => `Type ${slug} to confirm`,
    delete: "Delete for ever",
  },

  files: {
    title: "Your files",
    heading: "Your files",
    count: (formatted: string, count: number) => `${formatted} ${count === 1 ? "file" : "files"}`,
    empty: "No files yet.",
    uploadHeading: "Upload a file",
    file: "File",
    fileNote: (most: string) =>
      `Up to ${most} from a browser. An agent uploads larger ones, with POST /api/blobs.`,
    name: "Name",
    nameNote: "Its own, where this is left empty.",
    visibility: "Who finds it",
    kinds: {
      public: "Everybody: your public page lists it",
      unlisted: "Whoever has the link",
      members: "Members, signed in",
    },
    upload: "Upload",
    uploaded: "Uploaded",
    change: "Change",
    make: { public: "Make it public", unlisted: "Make it unlisted", members: "Make it for members" },
    confirm: "Delete it for ever",
    delete: "Delete",
  },

  tokens: {
    title: "Your tokens",
    heading: "Your tokens",
    count: (formatted: string, count: number) => `${formatted} ${count === 1 ? "token" : "tokens"}`,
    empty: "Nothing can publish in your name: you have no token.",
    nameless: "Without a name",
    created: "Made",
    lastUsed: "Last used",
    expires: "Expires",
    expired: "Expired",
    revoke: "Revoke",
    another: "Get a token without an agent",
  },

  /** Problems of forms, for people. */
  problems: {
    incomplete: "This form did not come whole. Open the page again.",
    staleForm: "You have signed in anew since this form was shown. Look at it once more, and send it again.",
    conflict: "Nothing was saved: the page has changed since this form was shown.",
    conflictNow: "What is so now",
    conflictAgain: "What you typed is still here. Send it again to put it in place of that.",
    titleRequired: "Give it a title.",
    tooLong: (what: string, characters: unknown, most: unknown) =>
      `${what} has ${characters} characters; at most ${most} are allowed.`,
    reader: (line: string) =>
      `“${line}” is no e-mail address such as ada@example.com, no domain such as @example.com, and no user name.`,
    readerTooLong: (most: unknown) => `One of the people is too long; at most ${most} bytes are allowed.`,
    readersCount: (most: number) => `Name at least one and at most ${most} people, one a line.`,
    notAllowed: "This service does not allow it to be as open as that.",
    passcodeShort: (least: number) => `A passcode has at least ${least} characters.`,
    passcodeLong: "The passcode is too long, or has characters in it that cannot be stored.",
    confirm: (slug: string) => `To delete the page, type ${slug}.`,
    noVersion: "Choose a version that is there.",
    lastVersion: "This is the only version: delete the page instead.",
    noFile: "Choose a file.",
    emptyFile: "That file is empty.",
    largeFile:
      "That file is too large for a browser here. An agent can upload it with POST /api/blobs, which takes 25 MB.",
    filename: "A name has 1 to 200 letters of the Latin alphabet, digits, dashes, dots and spaces.",
    fullPages: "There is no room for it: delete a version or a page first.",
    manyVersions: "The page has as many versions as there can be: delete one first.",
    fullBlobs: "There is no room for it: delete a file first.",
    sentBefore: "This form was sent before, with another file. Choose the file again.",
    confirmFile: "To delete a file, say that it is for ever.",
  },
} as const;
