import { apiRows } from "../http/route.ts";
import {
  createTeamBody,
  createTeamTokenBody,
  editTeamBody,
  setTeamRoleBody,
  teamListResponse,
  teamResponse,
  teamTokenResponse,
} from "./schemas.ts";

// Operations for teams, which are accounts that several people may publish for. Not part of the specification.

const apiRow = /* @__PURE__ */ apiRows({
  resource: "teams",
  addition: "docs/adr/0123-teams.md",
  errors: ["forbidden"],
  grants: {
    table: {
      actions: ["BatchGetItem", "GetItem"],
      items: ["IDP", "MEMBER", "NS", "SCIM", "TEAMRULE", "USER"],
    },
    settings: ["members"],
  },
});

const changeGrants = { table: { actions: ["ConditionCheckItem", "PutItem"] }, audit: true } as const;

export const listTeamsRoute = /* @__PURE__ */ apiRow("GET /api/teams", {
  id: "list-teams",
  summary: "Teams that you may publish for",
  response: { status: 200, json: teamListResponse },
});

export const createTeamRoute = /* @__PURE__ */ apiRow("POST /api/teams", {
  id: "create-team",
  summary: "Create a team",
  headers: ["Idempotency-Key"],
  body: { json: createTeamBody, required: true },
  response: { status: 201, json: teamResponse },
  errors: ["not_found", "quota_exceeded"],
  grants: { ...changeGrants, settings: ["teams"] },
});

export const getTeamRoute = /* @__PURE__ */ apiRow("GET /api/teams/{namespace}", {
  id: "get-team",
  summary: "A team and its people",
  response: { status: 200, json: teamResponse },
});

export const editTeamRoute = /* @__PURE__ */ apiRow("PATCH /api/teams/{namespace}", {
  id: "edit-team",
  summary: "Choose the metadata key that groups the team's page",
  body: { json: editTeamBody, required: true },
  response: { status: 200, json: teamResponse },
  grants: changeGrants,
});

export const setTeamRoleRoute = /* @__PURE__ */ apiRow("PUT /api/teams/{namespace}/members/{reader}", {
  id: "set-team-role",
  summary: "Add people to a team, or change their role",
  teamRole: "owner",
  body: { json: setTeamRoleBody, required: true },
  response: { status: 200, json: teamResponse },
  errors: ["last_owner_cannot_leave"],
  grants: changeGrants,
});

export const removeTeamRoleRoute = /* @__PURE__ */ apiRow("DELETE /api/teams/{namespace}/members/{reader}", {
  id: "remove-team-role",
  summary: "Remove people from a team",
  response: { status: 204 },
  errors: ["invalid_arg", "last_owner_cannot_leave"],
  grants: changeGrants,
});

export const createTeamTokenRoute = /* @__PURE__ */ apiRow("POST /api/teams/{namespace}/tokens", {
  id: "create-team-token",
  summary: "Create a service token of a team",
  teamRole: "owner",
  body: { json: createTeamTokenBody, required: true },
  response: { status: 201, json: teamTokenResponse },
  errors: ["quota_exceeded"],
  grants: {
    audit: true,
    table: { actions: ["ConditionCheckItem", "PutItem", "Query"] },
    settings: ["tokensPerAccountMax"],
  },
});
