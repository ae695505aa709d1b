import { pageRoute } from "../http/route.ts";
import { doneQuery } from "./list-page.ts";
import { formRow, sessionItems, teamsAddition } from "./page-rows.ts";

/** POST /account/switch */
export const switchAccountRoute = /* @__PURE__ */ pageRoute({
  id: "switch-account",
  resource: "account-pages",
  method: "POST",
  path: "/account/switch",
  addition: teamsAddition,
  summary: "The buttons by which a person in a team chooses the account that they publish as in this browser",
  caller: "session",
  body: "form",
  response: { status: 303 },
  errors: ["forbidden", "invalid_arg"],
  grants: {
    table: { actions: ["BatchGetItem", "GetItem", "UpdateItem"], items: sessionItems },
    audit: true,
    secrets: ["cookieKey"],
    settings: ["members"],
  },
});

/** GET /account/team */
export const showOwnTeamRoute = /* @__PURE__ */ pageRoute({
  id: "show-own-team",
  resource: "account-pages",
  method: "GET",
  path: "/account/team",
  addition: teamsAddition,
  summary: "A team's people, for the people in it, and the forms that change them",
  caller: "session",
  query: doneQuery,
  response: { status: 200, content: "html", alsoStatus: 302 },
  errors: ["forbidden"],
  grants: {
    table: { actions: ["BatchGetItem", "GetItem"], items: sessionItems },
    secrets: ["cookieKey"],
    settings: ["members"],
  },
});

/** POST /account/team */
export const editOwnTeamRoute = /* @__PURE__ */ formRow({
  id: "edit-own-team",
  path: "/account/team",
  summary: "The forms by which an owner of a team changes its people, and the tag that groups its page",
  teamRole: "owner",
  errors: ["invalid_arg", "not_found", "last_owner_cannot_leave"],
  actions: ["ConditionCheckItem", "PutItem"],
});
