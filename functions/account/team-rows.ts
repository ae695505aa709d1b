import { doneQuery } from "./list-page.ts";
import { formRow, ownerPageRow } from "./page-rows.ts";

const addition = "docs/adr/0123-teams.md";

export const switchAccountRoute = /* @__PURE__ */ ownerPageRow("POST /account/switch", {
  id: "switch-account",
  addition,
  summary: "The form to choose the account that a team's member publishes as in this browser",
  body: "form",
  response: { status: 303 },
  errors: ["invalid_arg"],
  grants: { table: { actions: ["UpdateItem"] }, audit: true },
});

export const showOwnTeamRoute = /* @__PURE__ */ ownerPageRow("GET /account/team", {
  id: "show-own-team",
  addition,
  summary: "The page with a team's members, and forms to change them",
  query: doneQuery,
});

export const editOwnTeamRoute = /* @__PURE__ */ formRow("POST /account/team", {
  id: "edit-own-team",
  summary: "The team owner's forms to change members, and the tag that groups the team's page",
  teamRole: "owner",
  errors: ["invalid_arg", "not_found", "last_owner_cannot_leave"],
  grants: { table: { actions: ["ConditionCheckItem", "PutItem"] } },
});
