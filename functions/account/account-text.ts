import type { TrashReason } from "../drops/drop.ts";
import { text } from "../html/text.ts";
import type { TeamRole, VisibilityKind } from "../policies/access.ts";
import type { TokenScope } from "../table/identifiers.ts";

/** Texts of the pages at `/account`. */
export const accountText = {
  /** The parts of a person's account. */
  parts: {
    account: "Pages",
    files: "Files",
    trash: "Trash",
    tokens: "Tokens",
    team: "People",
  },

  /** The account that a person in a team publishes as. */
  acting: {
    roles: { owner: "a team that you own", editor: "a team that you edit" } satisfies Readonly<
      Record<TeamRole, string>
    >,
  },

  /** Names of visibilities. */
  visibility: {
    public: "Public",
    unlisted: "Unlisted",
    members: "Members",
    people: "Named people",
  } satisfies Readonly<Record<VisibilityKind, string>>,

  drops: {
    locked: "Locked",
    expired: "Expired",
    versions: (formatted: string, count: number) => `${formatted} ${count === 1 ? "version" : "versions"}`,
    views: (formatted: string, count: number) => `${formatted} ${count === 1 ? "view" : "views"}`,
    updated: "Updated",
  },

  /** Notices of a completed form, by the name in its redirect. */
  done: {
    saved: "Saved.",
    shared: "Saved.",
    locked: "Locked. Readers who have already opened the page need the new passcode.",
    unlocked: "Unlocked. The page no longer needs a passcode.",
    "version-deleted": "The version was deleted.",
    "version-restored": "Restored as the latest version.",
    "answer-deleted": "The answer was deleted.",
    "answers-deleted": "The answers were deleted.",
    "access-given": "Access given. The person wasn’t notified: send them the link.",
    "access-dismissed": "The request was dismissed. The person wasn’t notified.",
    trashed: "The page and all its versions are in the trash.",
    deleted: "The page and all its versions were deleted.",
    moved: "The page was moved. Its link and readers stay.",
    undeleted: "The page was restored.",
    purged: "The page was permanently deleted.",
    uploaded: "Uploaded.",
    uploadedWithSecrets:
      "Uploaded. There may be a secret in the file, such as a password or key. If it is real, replace it where it is used, and delete the file.",
    "file-deleted": "The file was deleted.",
    revoked: "Revoked. The token no longer works.",
    "person-saved": "Saved. It holds from now on.",
    "person-removed": "Removed. They can’t publish for the team any more.",
    grouped: "Saved. The team’s page shows it within seconds.",
  },

  /** People who ask for access to a page. */
  access: {
    heading: "Requests for access",
  },

  signedOut: {
    lead: "Nothing was changed, because you are no longer signed in.",
  },

  drop: {
    title: "Title",
    description: "Description",
    readableNow: "Who can read it now",
    visibility: text.sharing.readers,
    kinds: text.sharing.kinds satisfies Readonly<Record<VisibilityKind, string>>,
    kindNotes: text.sharing.kindNotes satisfies Readonly<Record<VisibilityKind, string>>,
    tooOpen: (word: string) =>
      `The setting is “${word}”, which this service no longer allows. It stays until you save the form.`,
    readers: text.sharing.people,
    readersNote: text.sharing.peopleNote,
    indexed: "Search engines may list it",
    feedback: "Allow comments",
    answers: "Allow answers to forms",
    results: "Show readers the results",
    yes: "yes",
    no: "no",
    lockHeading: "Passcode",
    noPasscode: "No passcode",
    expiryHeading: "Expiry",
    never: "Never expires",
    versionsHeading: "Versions",
    version: (number: number) => `Version ${number}`,
  },

  answers: {
    search: "Search these answers",
    number: "Number",
    who: "Reader",
    when: "Sent",
    version: "Version",
  },

  files: {
    heading: "Your files",
    count: (formatted: string, count: number) => `${formatted} ${count === 1 ? "file" : "files"}`,
    empty: "No files yet.",
    visibility: text.sharing.readers,
    kinds: {
      public: "Anyone, and listed on your public page",
      unlisted: "Anyone with the link",
      members: "Members, after signing in",
    },
    make: { public: "Make it public", unlisted: "Make it unlisted", members: "Make it for members" },
  },

  trash: {
    heading: "Your trash",
    count: (formatted: string, count: number) => `${formatted} ${count === 1 ? "page" : "pages"}`,
    empty: "No deleted or expired pages.",
    /** A date follows. */
    reasons: { deleted: "Deleted", expired: "Expired" } satisfies Readonly<Record<TrashReason, string>>,
    purge: "Delete permanently",
  },

  tokens: {
    heading: "Your tokens",
    count: (formatted: string, count: number) => `${formatted} ${count === 1 ? "token" : "tokens"}`,
    empty: "You have no tokens. No agent or program can publish under your name.",
    scopes: {
      all: "Can do everything",
      publish: "Can publish, but not delete or share",
      read: "Can only read",
    } satisfies Readonly<Record<TokenScope, string>>,
  },

  team: {
    publicPage: "The team’s public page",
    roleNames: { owner: "Owner", editor: "Editor" } satisfies Readonly<Record<TeamRole, string>>,
    make: { owner: "Make an owner", editor: "Make an editor" } satisfies Readonly<Record<TeamRole, string>>,
  },

  /** Problems of forms, for people. */
  problems: {
    incomplete: "Part of the form was missing. Reload and try again.",
    tooLong: (what: string, characters: unknown, most: unknown) =>
      `The ${what.toLowerCase()} has ${characters} characters. The limit is ${most}.`,
    reader: (line: string) =>
      `“${line}” is not an e-mail address (ada@example.com), a domain (@example.com), a user name or a group (group:engineering).`,
  },
} as const;
