import type { TrashReason } from "../drops/drop.ts";
import { text } from "../html/text.ts";
import type { TeamRole, VisibilityKind } from "../policies/access.ts";
import type { TokenScope } from "../table/identifiers.ts";

/** Texts of the pages at `/account`. */
export const accountText = {
  /** The parts of a person's account. */
  parts: {
    label: "Your account",
    account: "Pages",
    files: "Files",
    trash: "Trash",
    tokens: "Tokens",
    team: "People",
  },

  /** The account that a person in a team publishes as. */
  acting: {
    label: "Publish as",
    you: "You",
    /** The name of an account follows. */
    publishAs: "You publish as",
    roles: { owner: "a team that you own", editor: "a team that you edit" } satisfies Readonly<
      Record<TeamRole, string>
    >,
    /** The name of an account follows. */
    belongsTo: "This page belongs to",
    left: (team: string) => `You are no longer in the team ${team}. You publish as yourself again.`,
  },

  /** Names of visibilities. */
  visibility: {
    public: "Public",
    unlisted: "Unlisted",
    members: "Members",
    people: "Named people",
  } satisfies Readonly<Record<VisibilityKind, string>>,

  noAccount: {
    title: "No pages yet",
    heading: "No pages yet",
    lead: "You are signed in and can read pages that are shared with you. You have not published anything here yet.",
    howHeading: "How to begin",
    how: "Ask your agent to publish a page. It shows you a code. Sign in with it once, and your pages appear here.",
    ask: "Publish this page with Dropleaf, at",
    ownToken: "Get a token without an agent",
  },

  drops: {
    title: "Your pages",
    heading: "Your pages",
    headingOf: (team: string) => `Pages of ${team}`,
    count: (formatted: string, count: number) => `${formatted} ${count === 1 ? "page" : "pages"}`,
    publicPage: "Your public page",
    emptyHeading: "Nothing here yet",
    empty: "Pages that your agent publishes appear here. You can rename, share, lock and delete them.",
    search: "Search your pages",
    everything: "Show all your pages",
    nothingFoundHeading: "Nothing found",
    nothingFound:
      "None of your pages match. Use fewer or different words. Locked pages are found by title only, expired pages are not searched, and new pages appear after a few seconds.",
    locked: "Locked",
    expired: "Expired",
    /** A time follows. */
    expires: "Expires",
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
    give: "Give access",
    dismiss: "Dismiss",
    addedAs: "Added as",
    forMembers:
      "This page is for members of this service. To let one of these people read it, ask an operator to add them as a member, or share the page with named people instead.",
    note: "A request stays for 30 days. Texts and names are the people’s own.",
    gone: "This request was answered or has ended. Below are the open requests.",
    waiting: (count: number) => (count === 1 ? "1 person asks for access" : `${count} people ask for access`),
  },

  signedOut: {
    title: "Signed out",
    heading: "You’re signed out",
    lead: "Nothing was changed, because you are no longer signed in.",
    typed: "What you typed",
    signIn: "Sign in again",
  },

  drop: {
    open: "Open the page",
    back: "Back to the page",
    created: "Created",
    about: "Title and description",
    title: "Title",
    description: "Description",
    descriptionNote: "Optional. Shown above the page.",
    share: "Share",
    readableNow: "Who can read it now",
    signIn: "They have to sign in.",
    enterPasscode: "They need the passcode.",
    /** A time follows. */
    sharedSince: "Shared this way since",
    /** Names may follow. */
    openedBy: (formatted: string, count: number) =>
      count === 0
        ? "No one has opened it this week"
        : `${formatted} ${count === 1 ? "person has" : "people have"} opened it this week`,
    otherReaders: (formatted: string, count: number) =>
      `and ${formatted} ${count === 1 ? "other" : "others"}`,
    unknownGroup: (group: string) =>
      `No one in the group “${group}” has signed in here yet. Check the spelling, including capital letters. People in the group can read the page after they sign in.`,
    link: "Link",
    copyLink: "Copy link",
    copied: "Copied",
    visibility: text.sharing.readers,
    kinds: text.sharing.kinds satisfies Readonly<Record<VisibilityKind, string>>,
    kindNotes: text.sharing.kindNotes satisfies Readonly<Record<VisibilityKind, string>>,
    tooOpen: (word: string) =>
      `The setting is “${word}”, which this service no longer allows. It stays until you save the form.`,
    readers: text.sharing.people,
    readersNote: text.sharing.peopleNote,
    indexed: "Search engines may list it",
    indexedNote: "Only while it has no passcode.",
    feedback: "Allow comments",
    feedbackNote:
      "Readers can comment on the page and see each other’s comments. Your agents can read and answer them.",
    answers: "Allow answers to forms",
    answersNote:
      "Readers can fill in the page’s forms that have the attribute data-answers. You and your agents can read the answers.",
    results: "Show readers the results",
    resultsNote: "The page may show how often each choice was made. Free text is never shown.",
    openFeedback: (formatted: string, count: number) =>
      count === 0 ? "Comments" : `Comments: ${formatted} open`,
    openAnswers: (formatted: string, count: number) => (count === 0 ? "Answers" : `Answers: ${formatted}`),
    yes: "yes",
    no: "no",
    save: "Save",
    saveSharing: "Save sharing settings",
    lockHeading: "Passcode",
    noPasscode: "No passcode",
    keepPasscode: "Keep the passcode",
    setPasscode: "Ask for a passcode",
    changePasscode: "Change the passcode",
    removePasscode: "Remove the passcode",
    otherPasscode: "A passcode is set",
    passcode: "New passcode",
    passcodeNote: "At least 4 characters. A passcode does not encrypt the page.",
    expiryHeading: "Expiry",
    never: "Never expires",
    /** A time follows. */
    expires: "Expires",
    noOne: "No one.",
    /** A time follows. */
    expired: "It expired",
    expiredNote: "To bring it back at the same link, set another expiry date.",
    expireInDays: "Set an expiry date",
    expireThen: "Set another expiry date",
    days: "Days from now",
    daysNote: (most: number) =>
      `1 to ${most}. After that, the link stops working until you set another expiry date.`,
    versionsHeading: "Versions",
    version: (number: number) => `Version ${number}`,
    latest: "latest",
    /** A date follows. */
    dated: "date you gave:",
    latestVersion: "Latest version",
    restore: "Restore",
    restoreLabel: (number: number) => `Restore version ${number}`,
    restoreNote: "Restoring publishes an older version as the latest one. Readers see it at once.",
    compare: "What changed",
    compareLabel: (number: number) => `What changed in version ${number}`,
    deleteVersion: "Delete a version",
    whichVersion: "Which version",
    chooseVersion: "Choose one",
    versionForEver: "You can’t undo this. The version number will not be used again.",
    onlyVersion: "This is the only version. To delete it, delete the page.",
    readsHeading: "Readers",
    noReads: "No reads are recorded yet.",
    readsNote:
      "The days (UTC) on which readers opened the page. Your own reads are not recorded. Readers are told about this when they sign in.",
    moreReads: "Your agent can list earlier ones.",
    moveHeading: "Move the page",
    moveTo: "Account",
    moveNote: "Its link and readers stay. Only owners of a team can move pages out of it.",
    ownAccount: (namespace: string) => `Your own pages (${namespace})`,
    move: "Move",
    deleteHeading: "Delete the page",
    deleteNote: (days: number) =>
      days === 0
        ? "Deletes the page and all its versions. You can’t undo this. Its link will stop working."
        : `Moves the page and all its versions to the trash for ${days} ${days === 1 ? "day" : "days"}. Its link will stop working.`,
    confirm: (slug: string) => `Type ${slug} to confirm`,
    deleteForGood: "Delete permanently",
    /** Shows the button that confirms. */
    delete: "Delete…",
    moveToTrash: "Move it to the trash",
  },

  answers: {
    title: (title: string) => `Answers to ${title}`,
    heading: "Answers",
    back: "Back to the page’s settings",
    forms: "Forms",
    empty: "No answers yet. Answers to the page’s forms appear here.",
    off: "The page doesn’t accept answers now. To accept them, tick “Allow answers to forms” under Share.",
    offHere: "This service doesn’t accept answers now. You can still read, export and delete stored ones.",
    search: "Search these answers",
    submit: "Search",
    everything: "Show all answers",
    nothingFound: "No answers match. Try other words, or part of a word.",
    searchOn: "None of the newest answers match. Go to “Older answers” to search on.",
    table: (form: string) => `Answers to ${form}`,
    number: "Number",
    who: "Reader",
    when: "Sent",
    version: "Version",
    nameless: "No name",
    /** Heads the column of the forms that delete an answer. */
    actions: "Delete",
    download: "Download CSV",
    parts: "These answers don’t fit into one file. Download each part:",
    part: (number: number) => `Part ${number}`,
    newest: "Newest answers",
    older: "Older answers",
    list: "Pages of answers",
    /** Shows the button that confirms. */
    delete: "Delete…",
    deleteLabel: (number: number) => `Delete answer ${number}…`,
    confirm: (number: number) => `Delete answer ${number}`,
    deleteAllHeading: "Delete all answers",
    deleteAll: (formatted: string, count: number, form: string) =>
      count === 1 ? `Delete the only answer to ${form}` : `Delete all ${formatted} answers to ${form}`,
    confirmAll: "I know that I can’t undo this",
  },

  files: {
    title: "Your files",
    heading: "Your files",
    count: (formatted: string, count: number) => `${formatted} ${count === 1 ? "file" : "files"}`,
    empty: "No files yet.",
    uploadHeading: "Upload a file",
    file: "File",
    fileNote: (most: string) =>
      `Up to ${most} from a browser. Your agent can upload larger files with POST /api/blobs.`,
    name: "Name",
    nameNote: "Leave empty to keep the file’s name.",
    visibility: text.sharing.readers,
    kinds: {
      public: "Anyone, and listed on your public page",
      unlisted: "Anyone with the link",
      members: "Members, after signing in",
    },
    upload: "Upload",
    uploaded: "Uploaded",
    expires: "Expires",
    change: "Change",
    make: { public: "Make it public", unlisted: "Make it unlisted", members: "Make it for members" },
    confirm: "Delete it permanently",
    delete: "Delete",
  },

  trash: {
    title: "Your trash",
    heading: "Your trash",
    count: (formatted: string, count: number) => `${formatted} ${count === 1 ? "page" : "pages"}`,
    empty: "No deleted or expired pages.",
    /** A date follows. */
    reasons: { deleted: "Deleted", expired: "Expired" } satisfies Readonly<Record<TrashReason, string>>,
    /** A date follows. */
    keptUntil: "Kept until",
    undelete: "Restore",
    purge: "Delete permanently",
    confirm: "I understand that I can’t undo this",
  },

  tokens: {
    title: "Your tokens",
    heading: "Your tokens",
    count: (formatted: string, count: number) => `${formatted} ${count === 1 ? "token" : "tokens"}`,
    empty: "You have no tokens. No agent or program can publish under your name.",
    nameless: "Unnamed token",
    service: "Service token",
    unknownHolder: "Deleted account",
    created: "Created",
    lastUsed: "Last used",
    expires: "Expires",
    expired: "Expired",
    scopes: {
      all: "Can do everything",
      publish: "Can publish, but not delete or share",
      read: "Can only read",
    } satisfies Readonly<Record<TokenScope, string>>,
    revoke: "Revoke",
    another: "Get a token without an agent",
  },

  team: {
    title: (team: string) => `People of ${team}`,
    heading: (team: string) => `People of ${team}`,
    publicPage: "The team’s public page",
    roles: "Editors publish and edit. Owners also delete, and change people and tokens.",
    editorNote: "You are an editor: you publish and edit. Owners also delete, and change people and tokens.",
    roleNames: { owner: "Owner", editor: "Editor" } satisfies Readonly<Record<TeamRole, string>>,
    change: "Change",
    make: { owner: "Make an owner", editor: "Make an editor" } satisfies Readonly<Record<TeamRole, string>>,
    remove: "Remove from the team",
    addHeading: "Add people",
    person: "Person, domain or group",
    personNote:
      "An e-mail address, @domain, a user name, or group:name. Everyone in a domain or group gets the role.",
    role: "Role",
    add: "Add",
    groupHeading: "Group the team’s page",
    tag: "Tag",
    tagNote:
      "A key of the pages’ metadata, such as project. Its values become headings on the team’s public page, which anyone can read. Leave empty to show one list.",
    saveGroup: "Save",
  },

  /** Problems of forms, for people. */
  problems: {
    incomplete: "Part of the form was missing. Reload and try again.",
    conflict: "Nothing was saved. The page has changed since this form was shown.",
    conflictNow: "Current values",
    conflictAgain: "Your changes are still here. Save again to replace the current values.",
    titleRequired: "Enter a title.",
    tooLong: (what: string, characters: unknown, most: unknown) =>
      `The ${what.toLowerCase()} has ${characters} characters. The limit is ${most}.`,
    reader: (line: string) =>
      `“${line}” is not an e-mail address (ada@example.com), a domain (@example.com), a user name or a group (group:engineering).`,
    tag: (text: string) =>
      `“${text}” is not a tag. Use up to 64 lower-case letters, digits, and dots, hyphens or underscores between them.`,
    readerMatchesNoOne: (line: string, meant: unknown) => `“${line}” matches no one. Write ${meant}.`,
    readerTooLong: (most: unknown) => `One of the entries is too long. The limit is ${most} bytes.`,
    readersCount: (most: number) => `Name 1 to ${most} people, domains or groups.`,
    noVisibility: "Choose who can read it.",
    groupLine: (line: string) =>
      `Put each group on a line of its own. This line has more than one entry: “${line}”`,
    notAllowed: "This service does not allow this choice. Choose a more restricted one.",
    passcodeShort: (least: number) => `A passcode needs at least ${least} characters.`,
    passcodeLong: "The passcode is too long or contains invalid characters.",
    expiryDays: (most: number) => `Enter a number of days from 1 to ${most}.`,
    confirm: (slug: string) => `To delete the page, type ${slug}.`,
    noVersion: "Choose a version.",
    lastVersion: "This is the only version. To delete it, delete the page.",
    noFile: "Choose a file.",
    emptyFile: "That file is empty.",
    largeFile:
      "That file is too large to upload from a browser. Your agent can upload files of up to 25 MB with POST /api/blobs.",
    filename: "A name can have 1 to 200 characters: Latin letters, digits, dashes, dots and spaces.",
    fullPages:
      "Your pages have reached their storage limit. Delete a version, or permanently delete a page in the trash.",
    manyVersions: "The page has reached its version limit. Delete a version first.",
    fullBlobs: "Your files have reached their limit. Delete a file first.",
    secrets:
      "Nothing was uploaded. There may be a secret in the file, such as a password or key. Take it out. If it is meant to be read, upload the file with the API or your agent, and give a reason.",
    secretsInVersion:
      "Nothing was published. There may be a secret in this version, such as a password or key. If it is meant to be read, restore the version with the API or your agent, and give a reason.",
    sentBefore: "This form was already sent with another file. Choose the file again.",
    confirmFile: "To delete the file, tick the box.",
    confirmAnswers: "To delete all answers, tick the box.",
    moreAnswers:
      "Nothing was deleted: the number of answers has changed since this form was shown. Check the answers, then delete them.",
    confirmPurge: "To delete the page permanently, tick the box.",
    noReceiver: "You can’t publish for that account any more. Choose another.",
    fullReceiver: "That account has no room for this page. Delete a page there first, and empty its trash.",
    fullDrops: "Your account has reached its page limit. Delete a page first.",
  },
} as const;
