import type { TokenScope } from "../table/identifiers.ts";

/** Texts of the pages for administrators. */
export const administrationText = {
  title: "Administration",
  parts: { label: "Administration", accounts: "Accounts", audit: "Audit trail" },

  signInAgain: {
    message: "You signed in more than 15 minutes ago. Nothing was changed. Sign in again to continue.",
    label: "Sign in again",
  },
  notConfirmed: (name: string) => `Type ${name} to confirm. Nothing was changed.`,

  /** Texts of the list of accounts, and of the search for an account or a page. */
  accounts: {
    heading: "Accounts",
    search: "Find an account or a page",
    searchNote: "A name, an e-mail address, a user id, or the address of a page or file",
    all: "Show all accounts",
    none: "No account, page or file matches.",
    empty: "There are no accounts yet.",
    further: "More accounts",
    label: "Pages of the list",
    created: "Created",
    pages: (formatted: string, count: number) => `${formatted} ${count === 1 ? "page" : "pages"}`,
    files: (formatted: string, count: number) => `${formatted} ${count === 1 ? "file" : "files"}`,
    team: "Team",
  },

  newTeam: {
    heading: "Create a team",
    namespace: "Name",
    namespaceNote: "The team’s address begins with this name. The name can’t be changed.",
    owner: "First owner",
    ownerNote: "An e-mail address, @domain, a user name, or group:name.",
    create: "Create team",
  },

  /** Labels for the states of an account or a page. */
  states: {
    suspended: "Suspended",
    banned: "Banned",
    held: "On legal hold",
    leaving: "Being deleted",
    trashed: "In the trash",
    expired: "Expired",
    locked: "Locked",
  },

  account: {
    userId: "User id",
    username: "User name",
    emails: "E-mail addresses",
    created: "Created",
    people: "People",
    teams: "Teams",
    requests: "Requests for access",
    holds: "Legal holds",
    tokens: "Tokens",
    contents: "Contents",
    audit: "Audit trail of this account",
    publicPage: "Public page",
    pagesHeading: "Pages",
    noPages: "This account has no pages.",
    /** Text shown instead of a title that the administrator may not read. */
    restricted: "Restricted page",
    updated: "Updated",
    lastUsed: "Last used",
    expires: "Expires",
    nameless: "Token without a label",
    scopes: {
      read: "reads",
      publish: "publishes",
      all: "full access",
    } satisfies Readonly<Record<TokenScope, string>>,
    role: { owner: "Owner", editor: "Editor" },
    file: "File",
  },

  /** Actions, with their effects. */
  actions: {
    heading: "Actions",
    suspend: {
      button: "Suspend",
      lead: "Pages, files and the public page return 404 to everyone, tokens are refused, and the person can’t sign in. Nothing is deleted.",
    },
    unsuspend: {
      button: "Lift the suspension",
      lead: "Pages, files, tokens and sign-in work again as before.",
    },
    ban: {
      button: "Ban",
      lead: "Suspends the account, and refuses the person at every sign-in, even after the account is deleted.",
    },
    unban: {
      button: "Lift the ban",
      lead: "The person can sign in again. The account stays suspended until you lift the suspension too.",
    },
    "add-hold": {
      button: "Put on legal hold",
      lead: "Nothing can be deleted here until the hold ends. The owner can still edit and publish.",
    },
    "remove-hold": {
      button: "End the legal hold",
      lead: "The owner can delete things here again. The usual rules for trash and retention apply.",
    },
    "end-sessions": {
      button: "End all sessions",
      lead: "Signs the person out of every browser. Tokens keep working.",
    },
    "revoke-tokens": {
      button: "Revoke all tokens",
      lead: "Refuses all further requests from agents and programs. The person can sign in to get new tokens.",
    },
    takedown: {
      button: "Take down",
      lead: "Deletes the page or file with all versions. This can’t be undone, and no copy is kept.",
    },
    /** Text before the name that the administrator must type. */
    confirm: "To confirm, type",
  },

  heldTakedown: "Nothing was deleted, because of a legal hold. End the hold first, or suspend the account.",
  ownAccount: "Nothing was changed, because this is your own account. Ask another administrator.",
  teamOnly: "Nothing was changed, because this account is a team. No one signs in as a team.",
  beingDeleted: "This account is being deleted. Nothing was changed.",
  unsuspendBanned: "The person is banned. Lift the ban first.",

  /** Notices after an action. The key is the redirect's `done` parameter. */
  done: {
    suspending: "The suspension has begun. It will be complete within two minutes.",
    unsuspending: "The suspension is being lifted. Reload this page to see when it has ended.",
    banning: "The ban and the suspension have begun. They will be complete within two minutes.",
    unbanned: "The person can sign in again.",
    held: "On legal hold.",
    released: "The legal hold has ended.",
    "sessions-ended": "All sessions have ended.",
    "tokens-revoked": "All tokens are revoked.",
    "taking-down": "The takedown has begun. It will be complete within two minutes.",
    "person-saved": "Saved.",
    "person-removed": "Removed.",
    "access-given": "Access given.",
    "access-dismissed": "Dismissed.",
    "team-created": "The team was created.",
  },

  drop: {
    slug: "Slug",
    owner: "Owner",
    readers: "Readers",
    versions: "Versions",
    state: "State",
    open: "Open the page",
    audit: "Audit trail of this page",
    noRequests: "No one is asking for access.",
  },

  audit: {
    heading: "Audit trail",
    ofAccount: (name: string) => `Audit trail of ${name}`,
    ofDrop: (slug: string) => `Audit trail of the page ${slug}`,
    about: "Actions by this person and on this account, newest first, in UTC.",
    aboutDrop: "Actions on this page, newest first, in UTC.",
    aboutAll: "All actions, newest first, in UTC.",
    columns: { at: "When", action: "Action", by: "By", account: "Account", about: "About" },
    none: "No actions in this period.",
    earlier: "Earlier",
    all: "Show all actions",
    label: "Pages of the audit trail",
    /** Descriptions of actors without a name. */
    actors: {
      token: "token",
      visitor: "visitor",
      reader: "reader",
      administrator: "administrator",
      scim: "SCIM",
      operator: "operator",
      service: "the service",
    },
  },
} as const;

/** Name of a completed action in `?done=`. */
export type CompletedAction = keyof typeof administrationText.done;
