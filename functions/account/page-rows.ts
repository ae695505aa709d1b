import type { ErrorCode } from "../core/errors.ts";
import { errorCodes, type Grants, pageRoute, type Route, writeErrors } from "../http/route.ts";
import { doneQuery, listQuery, searchedListQuery } from "./list-page.ts";
import { ownDropQuery } from "./viewer-place.ts";

/** Items that identify the reader behind a session. */
export const sessionItems = ["IDP", "MEMBER", "READER", "SCIM", "TEAMRULE", "USER"] as const;

/** ADR that describes these pages. */
export const addition = "docs/adr/0045-account-pages.md";

/** ADR that describes acting for a team. */
export const teamsAddition = "docs/adr/0123-teams.md";

const trashAddition = "docs/adr/0093-expiry-and-trash.md";

/** A form of an owner's pages, with its differences from the other forms' rows. */
interface FormRow extends Pick<Route, "id" | "path" | "summary" | "memoryMegabytes" | "teamRole"> {
  /** Errors besides `forbidden` and those of every write. */
  readonly errors: readonly ErrorCode[];
  /**
   * Actions besides reads and updates.
   * @default - none
   */
  readonly actions?: readonly ("ConditionCheckItem" | "DeleteItem" | "PutItem")[];
  /**
   * Items besides the session's and the write limit's.
   * @default - none
   */
  readonly items?: readonly ("SLUG" | "TEAMRULE" | "TOKEN")[];
  /**
   * Settings besides `members`.
   * @default - none
   */
  readonly settings?: readonly (
    | "accessRequests"
    | "answers"
    | "expiry"
    | "leavers"
    | "pageBytesMax"
    | "secretScan"
    | "trashDays"
    | "visibility"
  )[];
  /** @default - none */
  readonly storage?: Pick<Grants, "blobs" | "pages">;
}

/** The row of a form with which a signed-in owner writes, and which redirects to a page. */
export function formRow<const Row extends FormRow>({
  actions = [],
  items = [],
  settings = [],
  storage,
  ...row
}: Row) {
  return pageRoute({
    ...row,
    resource: "account-pages",
    method: "POST",
    addition,
    caller: "session",
    countsAsWrite: true,
    body: "form",
    response: { status: 303 },
    errors: /* @__PURE__ */ errorCodes("forbidden", row.errors, writeErrors),
    grants: {
      table: {
        actions: ["BatchGetItem", "GetItem", "Query", "UpdateItem", ...actions],
        items: [...sessionItems, "LIMIT", ...items],
      },
      audit: true,
      secrets: ["cookieKey"],
      settings: ["members", ...settings],
      ...storage,
    },
  });
}

/** GET /account */
export const showAccountRoute = /* @__PURE__ */ pageRoute({
  id: "show-account",
  resource: "account-pages",
  method: "GET",
  path: "/account",
  addition,
  summary: "An owner's drops, for the owner",
  caller: "session",
  query: searchedListQuery,
  response: { status: 200, content: "html", alsoStatus: 302 },
  errors: ["forbidden", "rate_limited"],
  // Sorts up to 500 drops.
  memoryMegabytes: 1_024,
  grants: {
    table: {
      actions: ["BatchGetItem", "GetItem", "Query", "UpdateItem"],
      items: [...sessionItems, "INDEX", "LIMIT", "SLUG"],
    },
    searchIndex: ["GetObject"],
    secrets: ["cookieKey"],
    settings: ["accessRequests", "members", "renders"],
    cards: ["GetObject"],
  },
});

/** GET /account/drops/{slug} */
export const showOwnDropRoute = /* @__PURE__ */ pageRoute({
  id: "show-own-drop",
  resource: "account-pages",
  method: "GET",
  path: "/account/drops/{slug}",
  addition,
  summary: "An owner's drop, for the owner, and the forms that change it",
  caller: "session",
  query: ownDropQuery,
  response: { status: 200, content: "html", alsoStatus: 302 },
  errors: ["forbidden", "not_found"],
  grants: {
    table: {
      actions: ["BatchGetItem", "GetItem", "Query"],
      items: [...sessionItems, "SLUG", "GROUP", "TEAMRULE"],
    },
    readTrail: "Query",
    reports: ["GetObject"],
    secrets: ["cookieKey"],
    settings: ["accessRequests", "answers", "expiry", "members", "trashDays", "visibility"],
  },
});

/** POST /account/drops/{slug} */
export const editOwnDropRoute = /* @__PURE__ */ formRow({
  id: "edit-own-drop",
  path: "/account/drops/{slug}",
  summary: "The form by which an owner changes a drop's title and description",
  errors: [
    "invalid_arg",
    "title_required",
    "title_too_long",
    "description_too_long",
    "not_found",
    "precondition_failed",
  ],
  items: ["SLUG"],
  settings: ["accessRequests", "answers", "expiry", "trashDays", "visibility"],
});

/** POST /account/drops/{slug}/share */
export const shareOwnDropRoute = /* @__PURE__ */ formRow({
  id: "share-own-drop",
  path: "/account/drops/{slug}/share",
  summary: "The form by which an owner changes a drop's readers, and locks or unlocks it with a passcode",
  errors: ["invalid_arg", "passcode_required", "passcode_too_short", "not_found", "precondition_failed"],
  // A whole processor, for hashing a passcode.
  memoryMegabytes: 1_769,
  items: ["SLUG"],
  settings: ["accessRequests", "answers", "expiry", "trashDays", "visibility"],
});

/** POST /account/drops/{slug}/move */
export const moveOwnDropRoute = /* @__PURE__ */ formRow({
  id: "move-own-drop",
  path: "/account/drops/{slug}/move",
  summary: "The form by which an owner gives a drop to a team, or takes it out of one",
  errors: ["invalid_arg", "not_found", "quota_exceeded"],
  actions: ["ConditionCheckItem", "DeleteItem", "PutItem"],
  items: ["SLUG", "TEAMRULE"],
  settings: ["answers", "expiry", "leavers", "pageBytesMax", "trashDays", "visibility"],
});

/** POST /account/drops/{slug}/delete */
export const deleteOwnDropRoute = /* @__PURE__ */ formRow({
  id: "delete-own-drop",
  path: "/account/drops/{slug}/delete",
  summary: "The form by which an owner deletes a drop and all its versions",
  teamRole: "owner",
  errors: ["invalid_arg", "not_found", "precondition_failed"],
  actions: ["DeleteItem", "PutItem"],
  items: ["SLUG"],
  settings: ["accessRequests", "answers", "expiry", "trashDays", "visibility"],
});

/** POST /account/drops/{slug}/versions */
export const deleteOwnVersionRoute = /* @__PURE__ */ formRow({
  id: "delete-own-version",
  path: "/account/drops/{slug}/versions",
  summary: "The form by which an owner deletes a version of a drop, never the last one",
  teamRole: "owner",
  errors: ["invalid_arg", "not_found", "last_version_cannot_be_deleted"],
  actions: ["DeleteItem"],
  items: ["SLUG"],
  settings: ["accessRequests", "answers", "expiry", "trashDays", "visibility"],
});

/** POST /account/drops/{slug}/restore */
export const restoreOwnVersionRoute = /* @__PURE__ */ formRow({
  id: "restore-own-version",
  path: "/account/drops/{slug}/restore",
  summary: "The buttons by which an owner restores an earlier version of a drop as the latest",
  errors: [
    "invalid_arg",
    "not_found",
    "precondition_failed",
    "secrets_found",
    "version_limit_reached",
    "quota_exceeded",
  ],
  memoryMegabytes: 1_024,
  actions: ["ConditionCheckItem", "PutItem"],
  items: ["SLUG"],
  settings: ["accessRequests", "answers", "expiry", "pageBytesMax", "secretScan", "trashDays", "visibility"],
  storage: { pages: ["GetObject", "PutObject"] },
});

/** POST /account/drops/{slug}/access */
export const decideAccessRequestRoute = /* @__PURE__ */ formRow({
  id: "decide-access-request",
  path: "/account/drops/{slug}/access",
  summary: "The buttons by which an owner gives a person access, or dismisses the request",
  errors: ["invalid_arg", "not_found"],
  actions: ["ConditionCheckItem", "DeleteItem"],
  items: ["SLUG"],
  settings: ["accessRequests", "answers", "expiry", "trashDays", "visibility"],
});

/** GET /account/trash */
export const showOwnTrashRoute = /* @__PURE__ */ pageRoute({
  id: "show-own-trash",
  resource: "account-pages",
  method: "GET",
  path: "/account/trash",
  addition: trashAddition,
  summary: "An owner's deleted and expired drops, for the owner",
  caller: "session",
  query: listQuery,
  response: { status: 200, content: "html", alsoStatus: 302 },
  errors: ["forbidden"],
  grants: {
    table: { actions: ["BatchGetItem", "GetItem", "Query"], items: sessionItems },
    secrets: ["cookieKey"],
    settings: ["members"],
  },
});

/** POST /account/trash/{slug}/undelete */
export const undeleteOwnDropRoute = /* @__PURE__ */ formRow({
  id: "undelete-own-drop",
  path: "/account/trash/{slug}/undelete",
  summary: "The button by which an owner restores a drop from the trash",
  errors: ["not_found", "quota_exceeded"],
  actions: ["ConditionCheckItem", "DeleteItem", "PutItem"],
  items: ["SLUG"],
  settings: ["expiry"],
});

/** POST /account/trash/{slug}/purge */
export const purgeOwnDropRoute = /* @__PURE__ */ formRow({
  id: "purge-own-drop",
  path: "/account/trash/{slug}/purge",
  summary: "The form by which an owner permanently deletes a drop in the trash",
  teamRole: "owner",
  errors: ["invalid_arg", "not_found"],
  actions: ["DeleteItem"],
});

/** GET /account/tokens */
export const showOwnTokensRoute = /* @__PURE__ */ pageRoute({
  id: "show-own-tokens",
  resource: "account-pages",
  method: "GET",
  path: "/account/tokens",
  addition,
  summary: "An owner's tokens, for the owner",
  caller: "session",
  query: doneQuery,
  response: { status: 200, content: "html", alsoStatus: 302 },
  errors: ["forbidden"],
  grants: {
    table: { actions: ["BatchGetItem", "GetItem", "Query"], items: [...sessionItems, "TOKEN"] },
    secrets: ["cookieKey"],
    settings: ["members"],
  },
});

/** POST /account/tokens/{id}/revoke */
export const revokeOwnTokenRoute = /* @__PURE__ */ formRow({
  id: "revoke-own-token",
  path: "/account/tokens/{id}/revoke",
  summary: "The button by which an owner revokes a token",
  teamRole: "owner",
  errors: ["not_found"],
  actions: ["DeleteItem"],
  items: ["TOKEN"],
});
