import { environmentNames, findEnvironment } from "../core/environment.ts";
import { ApiError } from "../core/errors.ts";
import { requestDigest, respondOnce, type StoreResponse } from "../http/idempotency.ts";
import { created, type HttpResponse } from "../http/response.ts";
import { type TokenOperationInput, tokenOperation } from "../http/token-operation.ts";
import type { Reader } from "../people/find-reader.ts";
import type { Team } from "../people/team.ts";
import { requirePerson } from "../people/teams.ts";
import { presentReader, type ReaderRule, type TeamPeople, teamRoleOf } from "../policies/access.ts";
import { refusal } from "../table/suspension.ts";
import { presentTeam } from "./presenter.ts";
import { createTeamRoute } from "./rows.ts";
import { teams } from "./store.ts";

/** POST /api/teams: creates a team, if the operator allows members to do so. Without `owners`, the caller becomes the owner. */
export const createTeam = tokenOperation(createTeamRoute, (input) => {
  const { owners, editors, namespace } = input.body;
  if (findEnvironment(environmentNames.teamCreation) !== "members") throw forOperators();
  const request = {
    ...input,
    operation: createTeamRoute.id,
    digest: () => requestDigest({ namespace, owners, editors }),
  };
  return respondOnce(request, (keep) => create(input, keep));
});

async function create(
  { caller, body, site, randomInt, act }: TokenOperationInput<typeof createTeamRoute>,
  keep: StoreResponse,
): Promise<HttpResponse> {
  const person = await requirePerson(caller);
  const people = toPeople(body.owners ?? [ruleOf(person)], body.editors ?? []);
  if (teamRoleOf(people, person) !== "owner") throw withoutCreator(person);
  const present = (team: Team) => created(presentTeam(site, team, "owner"));
  const team = await teams.create(
    { namespace: body.namespace, people, creatorId: person.userId },
    randomInt,
    act,
    { keep: (one) => keep(present(one)) },
  );
  return present(team);
}

/** Combines the request's lists of owners and editors. People in both lists become owners. */
function toPeople(owners: readonly ReaderRule[], editors: readonly ReaderRule[]): TeamPeople {
  const owning = new Set(owners.map(presentReader));
  return [
    ...owners.map((rule) => ({ rule, role: "owner" }) as const),
    ...editors
      .filter((rule) => !owning.has(presentReader(rule)))
      .map((rule) => ({ rule, role: "editor" }) as const),
  ];
}

/** Returns the reader rule for a person. Prefers a verified address to the user name, which another person may receive later. */
function ruleOf({ identity: { emails, username } }: Reader): ReaderRule {
  const [email] = emails;
  return email === undefined ? { kind: "username", username } : { kind: "email", email };
}

function forOperators(): ApiError {
  return refusal("teams_by_operator", "Only an operator can create teams here.");
}

function withoutCreator(person: Reader): ApiError {
  return new ApiError("invalid_arg", {
    message: `You would not be an owner of this team. Add ${JSON.stringify(presentReader(ruleOf(person)))} to owners, or omit owners.`,
    details: { field: "owners" },
  });
}
