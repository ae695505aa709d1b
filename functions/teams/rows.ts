import { apiRoute, errorCodes, type Route, writeErrors } from "../http/route.ts";
import {
  createTeamBody,
  createTeamTokenBody,
  editTeamBody,
  setTeamRoleBody,
  teamListResponse,
  teamResponse,
  teamTokenResponse,
} from "./schemas.ts";

// Additions to the specification: accounts that several people act for.

const decision = "docs/adr/0123-teams.md";

const changeErrors = /* @__PURE__ */ errorCodes(
  "unauthorized",
  "forbidden",
  "invalid_json",
  "invalid_arg",
  "not_found",
  writeErrors,
);

const changeGrants = {
  table: {
    actions: ["BatchGetItem", "ConditionCheckItem", "GetItem", "PutItem", "UpdateItem"],
    items: ["IDP", "MEMBER", "NS", "SCIM", "TEAMRULE", "TOKEN", "USER"],
  },
  audit: true,
  settings: ["members"],
} as const satisfies Route["grants"];

const readGrants = {
  table: {
    actions: ["BatchGetItem", "GetItem", "UpdateItem"],
    items: ["IDP", "MEMBER", "NS", "SCIM", "TEAMRULE", "TOKEN", "USER"],
  },
  settings: ["members"],
} as const satisfies Route["grants"];

/** GET /api/teams */
export const listTeamsRoute = /* @__PURE__ */ apiRoute({
  id: "list-teams",
  resource: "teams",
  method: "GET",
  path: "/api/teams",
  addition: decision,
  summary: "Teams that you may publish for",
  response: { status: 200, json: teamListResponse },
  errors: ["unauthorized", "forbidden"],
  grants: readGrants,
});

/** POST /api/teams */
export const createTeamRoute = /* @__PURE__ */ apiRoute({
  id: "create-team",
  resource: "teams",
  method: "POST",
  path: "/api/teams",
  addition: decision,
  summary: "Create a team",
  headers: ["Idempotency-Key"],
  body: { json: createTeamBody, required: true },
  response: { status: 201, json: teamResponse },
  errors: /* @__PURE__ */ errorCodes(changeErrors, "quota_exceeded"),
  grants: { ...changeGrants, settings: ["members", "teams"] },
});

/** GET /api/teams/{namespace} */
export const getTeamRoute = /* @__PURE__ */ apiRoute({
  id: "get-team",
  resource: "teams",
  method: "GET",
  path: "/api/teams/{namespace}",
  addition: decision,
  summary: "A team and its people",
  response: { status: 200, json: teamResponse },
  errors: ["unauthorized", "forbidden", "not_found"],
  grants: readGrants,
});

/** PATCH /api/teams/{namespace} */
export const editTeamRoute = /* @__PURE__ */ apiRoute({
  id: "edit-team",
  resource: "teams",
  method: "PATCH",
  path: "/api/teams/{namespace}",
  addition: decision,
  summary: "Choose the tag by which the team's page groups its drops",
  body: { json: editTeamBody, required: true },
  response: { status: 200, json: teamResponse },
  errors: changeErrors,
  grants: changeGrants,
});

/** PUT /api/teams/{namespace}/members/{reader} */
export const setTeamRoleRoute = /* @__PURE__ */ apiRoute({
  id: "set-team-role",
  resource: "teams",
  method: "PUT",
  path: "/api/teams/{namespace}/members/{reader}",
  addition: decision,
  summary: "Add people to a team, or change their role",
  teamRole: "owner",
  body: { json: setTeamRoleBody, required: true },
  response: { status: 200, json: teamResponse },
  errors: /* @__PURE__ */ errorCodes(changeErrors, "last_owner_cannot_leave"),
  grants: changeGrants,
});

/** DELETE /api/teams/{namespace}/members/{reader} */
export const removeTeamRoleRoute = /* @__PURE__ */ apiRoute({
  id: "remove-team-role",
  resource: "teams",
  method: "DELETE",
  path: "/api/teams/{namespace}/members/{reader}",
  addition: decision,
  summary: "Remove people from a team",
  response: { status: 204 },
  errors: /* @__PURE__ */ errorCodes(
    "unauthorized",
    "forbidden",
    "invalid_arg",
    "not_found",
    writeErrors,
    "last_owner_cannot_leave",
  ),
  grants: changeGrants,
});

/** POST /api/teams/{namespace}/tokens */
export const createTeamTokenRoute = /* @__PURE__ */ apiRoute({
  id: "create-team-token",
  resource: "teams",
  method: "POST",
  path: "/api/teams/{namespace}/tokens",
  addition: decision,
  summary: "Create a service token of a team",
  teamRole: "owner",
  body: { json: createTeamTokenBody, required: true },
  response: { status: 201, json: teamTokenResponse },
  errors: /* @__PURE__ */ errorCodes(changeErrors, "quota_exceeded"),
  grants: {
    ...changeGrants,
    table: { ...changeGrants.table, actions: [...changeGrants.table.actions, "Query"] },
    settings: ["members", "tokensPerAccountMax"],
  },
});
