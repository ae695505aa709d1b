import { pageRows } from "../http/route.ts";
import { doneQuery, listQuery, searchedListQuery } from "./list-page.ts";
import { ownDropQuery } from "./viewer-place.ts";

/** ADR that describes the account pages. */
const addition = "docs/adr/0045-account-pages.md";

/** Defines an operation that shows a page to a signed-in owner. */
export const ownerPageRow = /* @__PURE__ */ pageRows({
  resource: "account-pages",
  addition,
  caller: "session",
  response: { status: 200, content: "html", alsoStatus: 302 },
  grants: { table: { items: ["TEAMRULE"] } },
});

const formColumns = {
  resource: "account-pages",
  addition,
  caller: "session",
  countsAsWrite: true,
  body: "form",
  response: { status: 303 },
} as const;

/** Defines an operation for a signed-in owner's form, which makes a change and redirects to a page. */
export const formRow = /* @__PURE__ */ pageRows({
  ...formColumns,
  grants: { table: { actions: ["Query", "UpdateItem"], items: ["LIMIT", "TEAMRULE"] }, audit: true },
});

/** Defines an operation for a form on a drop's page. If the form is refused, the page is shown again. */
const dropFormRow = /* @__PURE__ */ pageRows({
  ...formColumns,
  grants: {
    table: { actions: ["Query", "UpdateItem"], items: ["LIMIT", "SLUG", "TEAMRULE"] },
    audit: true,
    settings: ["accessRequests", "answers", "expiry", "trashDays", "visibility"],
  },
});

export const showAccountRoute = /* @__PURE__ */ ownerPageRow("GET /account", {
  id: "show-account",
  summary: "The signed-in owner's drops",
  query: searchedListQuery,
  errors: ["rate_limited"],
  // Enough memory to sort up to 500 drops.
  memoryMegabytes: 1_024,
  grants: {
    table: { actions: ["Query", "UpdateItem"], items: ["INDEX", "LIMIT", "SLUG"] },
    searchIndex: ["GetObject"],
    settings: ["accessRequests", "renders"],
    cards: ["GetObject"],
  },
});

export const showOwnDropRoute = /* @__PURE__ */ ownerPageRow("GET /account/drops/{slug}", {
  id: "show-own-drop",
  summary: "The signed-in owner's drop, with forms to change it",
  query: ownDropQuery,
  grants: {
    table: { actions: ["Query"], items: ["GROUP", "SLUG"] },
    readTrail: "Query",
    reports: ["GetObject"],
    settings: ["accessRequests", "answers", "expiry", "trashDays", "visibility"],
  },
});

export const editOwnDropRoute = /* @__PURE__ */ dropFormRow("POST /account/drops/{slug}", {
  id: "edit-own-drop",
  summary: "The owner's form to change a drop's title and description",
  errors: ["invalid_arg", "title_required", "title_too_long", "description_too_long", "precondition_failed"],
});

export const shareOwnDropRoute = /* @__PURE__ */ dropFormRow("POST /account/drops/{slug}/share", {
  id: "share-own-drop",
  summary: "The owner's form to change a drop's readers, passcode and other sharing settings",
  // With this amount of memory, the function has a whole vCPU, which makes hashing a passcode faster.
  memoryMegabytes: 1_769,
  errors: ["invalid_arg", "passcode_required", "passcode_too_short", "precondition_failed"],
});

export const moveOwnDropRoute = /* @__PURE__ */ formRow("POST /account/drops/{slug}/move", {
  id: "move-own-drop",
  summary: "The owner's form to move a drop to a team or out of one",
  errors: ["invalid_arg", "quota_exceeded"],
  grants: {
    table: { actions: ["ConditionCheckItem", "DeleteItem", "PutItem"], items: ["SLUG"] },
    settings: ["answers", "expiry", "leavers", "pageBytesMax", "trashDays", "visibility"],
  },
});

export const deleteOwnDropRoute = /* @__PURE__ */ dropFormRow("POST /account/drops/{slug}/delete", {
  id: "delete-own-drop",
  summary: "The owner's form to delete a drop and all its versions",
  teamRole: "owner",
  errors: ["invalid_arg", "precondition_failed"],
  grants: { table: { actions: ["DeleteItem", "PutItem"] } },
});

export const deleteOwnVersionRoute = /* @__PURE__ */ dropFormRow("POST /account/drops/{slug}/versions", {
  id: "delete-own-version",
  summary: "The owner's form to delete a version of a drop, except the last one",
  teamRole: "owner",
  errors: ["invalid_arg", "last_version_cannot_be_deleted"],
  grants: { table: { actions: ["DeleteItem"] } },
});

export const restoreOwnVersionRoute = /* @__PURE__ */ dropFormRow("POST /account/drops/{slug}/restore", {
  id: "restore-own-version",
  summary: "The owner's form to restore an earlier version of a drop as the latest",
  memoryMegabytes: 1_024,
  errors: ["invalid_arg", "precondition_failed", "secrets_found", "version_limit_reached", "quota_exceeded"],
  grants: {
    table: { actions: ["ConditionCheckItem", "PutItem"] },
    settings: ["pageBytesMax", "secretScan"],
    pages: ["GetObject", "PutObject"],
  },
});

export const decideAccessRequestRoute = /* @__PURE__ */ dropFormRow("POST /account/drops/{slug}/access", {
  id: "decide-access-request",
  summary: "The owner's form to decide on an access request",
  errors: ["invalid_arg"],
  grants: { table: { actions: ["ConditionCheckItem", "DeleteItem"] } },
});

export const showOwnTrashRoute = /* @__PURE__ */ ownerPageRow("GET /account/trash", {
  id: "show-own-trash",
  addition: "docs/adr/0093-expiry-and-trash.md",
  summary: "The signed-in owner's deleted and expired drops",
  query: listQuery,
  grants: { table: { actions: ["Query"] } },
});

export const undeleteOwnDropRoute = /* @__PURE__ */ formRow("POST /account/trash/{slug}/undelete", {
  id: "undelete-own-drop",
  summary: "The owner's form to restore a drop from the trash",
  errors: ["quota_exceeded"],
  grants: {
    table: { actions: ["ConditionCheckItem", "DeleteItem", "PutItem"], items: ["SLUG"] },
    settings: ["expiry"],
  },
});

export const purgeOwnDropRoute = /* @__PURE__ */ formRow("POST /account/trash/{slug}/purge", {
  id: "purge-own-drop",
  summary: "The owner's form to permanently delete a drop in the trash",
  teamRole: "owner",
  errors: ["invalid_arg"],
  grants: { table: { actions: ["DeleteItem"] } },
});

export const showOwnTokensRoute = /* @__PURE__ */ ownerPageRow("GET /account/tokens", {
  id: "show-own-tokens",
  summary: "The signed-in owner's tokens",
  query: doneQuery,
  grants: { table: { actions: ["Query"], items: ["TOKEN"] } },
});

export const revokeOwnTokenRoute = /* @__PURE__ */ formRow("POST /account/tokens/{id}/revoke", {
  id: "revoke-own-token",
  summary: "The owner's form to revoke a token",
  teamRole: "owner",
  grants: { table: { actions: ["DeleteItem"], items: ["TOKEN"] } },
});
