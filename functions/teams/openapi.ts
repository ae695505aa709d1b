import { limits } from "../core/limits.ts";
import {
  type DescribedPathParameters,
  exampleCreatedAtMs,
  exampleToken,
  type OperationExamples,
} from "../core/openapi.ts";
import type { DocumentSite } from "../core/written-site.ts";
import { patterns } from "../http/schemas.ts";
import type { TeamListResponse, TeamResponse, TeamTokenResponse } from "./schemas.ts";

/** Descriptions of the schemas and their fields, keyed by schema name and field path. */
export const fields: Readonly<Record<string, string>> = {
  Team: "An account that several people publish for.",
  "Team.namespace": "The team's permanent name. The address of its public page begins with this name.",
  "Team.url": "The team's page.",
  "Team.owners": "People who may publish, edit and delete drops, and manage the team's members and tokens.",
  "Team.editors": "People who may publish and edit drops.",
  "Team.role": "Your role. Absent for a service token of the team.",
  "Team.group_by": "Metadata key that groups the drops on the team's page. null if drops are not grouped.",
  "Team.created_at": "Creation time.",
  TeamList: "The teams that you may publish for.",
  "TeamList.teams": "The teams, sorted by namespace.",
  "TeamList.teams.namespace": "The team's name.",
  "TeamList.teams.url": "The team's page.",
  "TeamList.teams.role": "Your role in the team.",
  CreateTeam: "A team to create.",
  "CreateTeam.namespace": `The team's permanent name: up to ${limits.namespaceCharactersMax} lower-case letters, digits and single hyphens.`,
  "CreateTeam.owners":
    "Owners, written like a drop's `readers`: addresses, domains, user names or groups. Default: you.",
  "CreateTeam.editors": "Editors, written like `owners`. Default: none.",
  SetTeamRole: "The role of people in a team.",
  "SetTeamRole.role": "`owner` or `editor`.",
  CreateTeamToken: "A service token to create.",
  "CreateTeamToken.label": `The token's purpose, such as the program that uses it: 1 to ${limits.labelCodePointsMax} characters.`,
  "CreateTeamToken.scope": "The scope of the token. Default: `all`.",
  "CreateTeamToken.expires_in_days":
    "Days until the token expires. Default: it is valid until it is revoked.",
  CreateTeamTokenResponse: "The new token. No other response contains it.",
  "CreateTeamTokenResponse.api_token": "The token, shown only once.",
  "CreateTeamTokenResponse.id": "The token's id. Use it to revoke the token.",
  "CreateTeamTokenResponse.label": "The token's purpose.",
  "CreateTeamTokenResponse.scope": "The scope of the token.",
  "CreateTeamTokenResponse.expires_at": "Expiry time. null if the token does not expire.",
  "CreateTeamTokenResponse.created_at": "Creation time.",
  EditTeam: "A change to a team.",
  "EditTeam.group_by": "Metadata key that groups the drops on the team's page. null to stop grouping.",
};

/** Descriptions of path parameters. */
export const pathParameters: DescribedPathParameters = {
  "teams namespace": {
    description: "The team's namespace.",
    schema: { type: "string", pattern: patterns.namespace.source },
    example: "growth",
  },
  reader: {
    description:
      "People, written like a drop's `readers` and percent-encoded: an address, `@domain`, a user name, or `group:` followed by a group.",
    schema: { type: "string", maxLength: limits.readerBytesMax },
    example: "ada@example.com",
  },
};

/** Descriptions of operations that need more than a summary. */
export const notes: Readonly<Record<string, string>> = {
  "create-team":
    "Operators create teams with `npm run operator -- teams add`. Members may create teams if the operator has set `teams` to `members`.",
  "create-team-token":
    "Only owners of the team may create tokens. The token belongs to no person, so it stays valid when people leave. `GET /api/tokens` with a token of the team lists it. If the response is lost, revoke the token and create another.",
  "set-team-role":
    "Only owners of the team may set roles. People in a group or domain get the highest role of all entries that match them.",
  "remove-team-role":
    "Only owners of the team may remove people. The removed people's tokens for the team stop working at once. The last owner cannot leave.",
};

/** Example calls and responses. */
export const examples = (site: DocumentSite) => {
  const url = site.ownerUrl("growth");
  const team = {
    namespace: "growth",
    url,
    owners: ["ada@example.com"],
    editors: ["group:growth"],
    role: "owner",
    group_by: null,
    created_at: exampleCreatedAtMs,
  } satisfies TeamResponse;
  return {
    "list-teams": {
      response: { teams: [{ namespace: "growth", url, role: "owner" }] } satisfies TeamListResponse,
    },
    "create-team": {
      body: { namespace: "growth", editors: ["group:growth"] },
      response: team,
    },
    "get-team": { response: team },
    "edit-team": { body: { group_by: "project" }, response: { ...team, group_by: "project" } },
    "create-team-token": {
      body: { label: "Nightly report", scope: "publish", expires_in_days: 90 },
      response: {
        api_token: exampleToken,
        id: "Ab3dE6gH9jK2",
        label: "Nightly report",
        scope: "publish",
        expires_at: exampleCreatedAtMs + 90 * 86_400_000,
        created_at: exampleCreatedAtMs,
      } satisfies TeamTokenResponse,
    },
    "set-team-role": { body: { role: "editor" }, response: team },
  } satisfies OperationExamples;
};
