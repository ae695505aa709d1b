import { expect } from "vitest";
import { limits } from "../../../functions/core/limits.ts";
import type { DropResponse } from "../../../functions/drops/schemas.ts";
import type { TeamRole } from "../../../functions/policies/access.ts";
import type { TokenScope } from "../../../functions/table/identifiers.ts";
import type { TeamResponse, TeamTokenResponse } from "../../../functions/teams/schemas.ts";
import { expectError } from "../../support/expect-error.ts";
import type { Observation } from "../call.ts";
import { Between, exactly } from "../range.ts";
import {
  type AccountState,
  type DropState,
  findDrop,
  nothing,
  ownerAddress,
  type PersonState,
  personOf,
  type TeamState,
} from "../state.ts";
import { requireToken } from "./account-rules.ts";
import { byPublication, learn, presented } from "./drop-rules.ts";
import { isMatched, outdated, refuseUnmatched, told } from "./entity-tags.ts";
import { isHeld, refuseHeld } from "./hold-rule.ts";
import { during, expectJson, expectNoContent } from "./rule.ts";
import { withWriteRefunded } from "./visibility-rule.ts";

/** All accounts of a run, of people and teams. Immutable: each step returns a new value. */
export type Accounts = readonly AccountState[];

/** Model of an operation on several accounts. `caller` is the account of the call's token. */
export type TeamRule = (accounts: Accounts, caller: AccountState, observation: Observation) => Accounts;

/** A team's account. */
type TeamAccount = AccountState & { readonly team: TeamState };

/** Replaces the account with the same namespace. */
export function withAccount(accounts: Accounts, changed: AccountState): Accounts {
  return accounts.map((one) => (one.namespace === changed.namespace ? changed : one));
}

/** A person, or null for a service token. */
type AnyPerson = PersonState | null;

function callerPerson(caller: AccountState, { call }: Observation): AnyPerson {
  return personOf(caller, requireToken(caller, call));
}

/** Wraps a rule for people, which refuses service tokens. */
function forPeople(
  rule: (accounts: Accounts, caller: AccountState, person: PersonState, observation: Observation) => Accounts,
): TeamRule {
  return (accounts, caller, observation) => {
    const person = callerPerson(caller, observation);
    if (person !== null) return rule(accounts, caller, person, observation);
    expectForbidden(observation, "person_required");
    return accounts;
  };
}

/** Wraps a rule for a team of the caller. Other teams are `not_found`. A service token has no role. */
function onTeam(
  rule: (
    accounts: Accounts,
    team: TeamAccount,
    role: TeamRole | undefined,
    observation: Observation,
  ) => Accounts,
): TeamRule {
  return (accounts, caller, observation) => {
    const team = accounts.find(({ namespace }) => namespace === observation.call.params?.namespace);
    const person = callerPerson(caller, observation);
    const role = person === null ? undefined : team?.team?.people[person.name];
    const isServiceToken = person === null && team === caller;
    if (isTeam(team) && (role !== undefined || isServiceToken))
      return rule(accounts, team, role, observation);
    expectError(observation.response, "not_found");
    return accounts;
  };
}

/** Wraps a rule for the team's owners, which refuses editors and service tokens. */
function onOwnTeam(
  rule: (accounts: Accounts, team: TeamAccount, observation: Observation) => Accounts,
): TeamRule {
  return onTeam((accounts, team, role, observation) => {
    if (role === "owner") return rule(accounts, team, observation);
    expectForbidden(observation, "not_team_owner");
    return accounts;
  });
}

/** Wraps a rule for people named in the path. An invalid name is refused before the team is looked up. */
function onPeople(rule: TeamRule): TeamRule {
  return (accounts, caller, observation) => {
    if (!namesNobody(String(observation.call.params?.reader))) return rule(accounts, caller, observation);
    return refuseInvalid(accounts, caller, observation, {});
  };
}

/** Invalid names of readers. */
export const nobody = ["everyone", "me", "example.com"];

function namesNobody(reader: string): boolean {
  return nobody.includes(reader);
}

/** GET /api/teams */
export const listTeams: TeamRule = forPeople((accounts, _, person, observation) => {
  const teams = accounts.filter(isTeam).flatMap(({ team, ...account }) => {
    const role = team.people[person.name];
    const { namespace } = account;
    return role === undefined ? [] : [{ namespace, url: `${ownerAddress(account)}/`, role }];
  });
  const byName = teams.toSorted((one, other) => (one.namespace < other.namespace ? -1 : 1));
  expectJson(observation, { teams: byName });
  return accounts;
});

/** GET /api/teams/{namespace} */
export const getTeam: TeamRule = onTeam((accounts, team, role, observation) => {
  expectJson(observation, presentedTeam(team, role));
  return accounts;
});

/** POST /api/teams */
export const createTeam: TeamRule = forPeople((accounts, caller, person, observation) => {
  const body = observation.call.body as {
    readonly namespace: string;
    readonly owners?: readonly string[];
    readonly editors?: readonly string[];
  };
  const { namespace, owners = [person.name], editors = [] } = body;
  const people = Object.fromEntries<TeamRole>([
    ...editors.map((name) => [name, "editor"] as const),
    ...owners.map((name) => [name, "owner"] as const),
  ]);
  if (people[person.name] !== "owner")
    return refuseInvalid(accounts, caller, observation, { field: "owners" });
  const reason = namespaceProblem(namespace);
  if (reason !== undefined)
    return refuseInvalid(accounts, caller, observation, { field: "namespace", reason });
  const { teamsPerPersonMax: most } = limits;
  if (accounts.filter(({ team }) => team?.creatorId === person.userId).length >= most) {
    expect(expectError(observation.response, "quota_exceeded").details).toEqual({ teams_max: most });
    return accounts;
  }
  if (accounts.some((one) => one.namespace === namespace))
    return refuseInvalid(accounts, caller, observation, { field: "namespace", reason: "taken" });
  const { baseUrl } = caller;
  const teamWith = (createdAtMs: number): TeamAccount => ({
    ...{ ...nothing, baseUrl, namespace, userId: "", tokens: [] },
    team: { people, groupBy: null, createdAtMs, creatorId: person.userId },
  });
  const { created_at } = expectJson<TeamResponse>(observation, {
    ...presentedTeam(teamWith(0), "owner"),
    created_at: new Between(during(observation)),
  });
  return [...accounts, teamWith(created_at)];
});

/** PATCH /api/teams/{namespace} */
export const editTeam: TeamRule = onOwnTeam((accounts, account, observation) => {
  const { group_by: groupBy } = observation.call.body as { readonly group_by: string | null };
  const changed = { ...account, team: { ...account.team, groupBy } };
  expectJson(observation, presentedTeam(changed, "owner"));
  return withAccount(accounts, changed);
});

/** PUT /api/teams/{namespace}/members/{reader}: the last owner cannot become an editor. */
export const setTeamRole: TeamRule = onPeople((accounts, caller, observation) =>
  onOwnTeam((_, account) => {
    const { role } = observation.call.body as { readonly role: TeamRole };
    const people = { ...account.team.people, [String(observation.call.params?.reader)]: role };
    if (!hasOwner(people)) return refuseLastOwner(accounts, observation);
    const changed = { ...account, team: { ...account.team, people } };
    const person = callerPerson(caller, observation);
    expectJson(observation, presentedTeam(changed, person === null ? undefined : people[person.name]));
    return withAccount(accounts, changed);
  })(accounts, caller, observation),
);

/** DELETE /api/teams/{namespace}/members/{reader} */
export const removeTeamRole: TeamRule = onPeople(
  onOwnTeam((accounts, account, observation) => {
    const { [String(observation.call.params?.reader)]: removed, ...people } = account.team.people;
    if (removed === undefined) {
      expectError(observation.response, "not_found");
      return accounts;
    }
    if (!hasOwner(people)) return refuseLastOwner(accounts, observation);
    expectNoContent(observation);
    return withAccount(accounts, { ...account, team: { ...account.team, people } });
  }),
);

/** POST /api/teams/{namespace}/tokens */
export const createTeamToken: TeamRule = onOwnTeam((accounts, account, observation) => {
  const body = observation.call.body as {
    readonly label: string;
    readonly scope?: TokenScope;
    readonly expires_in_days?: number;
  };
  const { label, scope = "all", expires_in_days: days } = body;
  const { from, to } = during(observation);
  const lifeMs = (days ?? 0) * 86_400_000;
  const made = expectJson<TeamTokenResponse>(observation, {
    api_token: expect.stringMatching(/^hb_\w{36}$/),
    id: expect.any(String),
    label,
    scope,
    expires_at: days === undefined ? null : new Between({ from: from + lifeMs, to: to + lifeMs }),
    created_at: new Between({ from, to }),
  });
  const times = { createdAtMs: exactly(made.created_at), lastUsedAtMs: exactly(made.created_at) };
  const { id, api_token: plaintext, expires_at: end } = made;
  const facts = { plaintext, id, label, scope, ...times, expiresAtMs: end ?? undefined };
  const token = { ...facts, minute: undefined, isRevoked: false, person: null };
  return withAccount(accounts, { ...account, tokens: [...account.tokens, token] });
});

/** POST /api/drops/{slug}/move: docs/adr/0048-ownership-transfer.md. A drop that the receiver already owns stays unchanged. */
export const moveDrop: TeamRule = forPeople((accounts, caller, person, observation) => {
  const { call, response } = observation;
  const { to } = call.body as { readonly to: string };
  const receiver = accounts.find((one) => one.namespace === to && mayPublishFor(one, person));
  const own = findDrop(caller, call.params?.slug);
  const there = receiver && findDrop(receiver, call.params?.slug);
  if (receiver !== undefined && there !== undefined)
    return withAccount(accounts, withMoved(receiver, there, observation));
  if (own === undefined) {
    expectError(response, "not_found");
    return accounts;
  }
  if (receiver === undefined) return refuseInvalid(accounts, caller, observation, { field: "to" });
  if (caller.team?.people[person.name] === "editor") {
    expectForbidden(observation, "not_team_owner");
    return accounts;
  }
  if (!isMatched(own, observation)) return withAccount(accounts, refuseUnmatched(caller, own, observation));
  if (isHeld(caller, own.slug)) return withAccount(accounts, refuseHeld(caller, observation));
  const moved = { ...own, namespace: own.namespace ?? caller.namespace, tags: outdated(own) };
  const isIts = ({ name, slug = name }: { readonly name?: string; readonly slug?: string }) =>
    slug === own.slug;
  const giver = {
    ...caller,
    drops: caller.drops.filter((drop) => drop !== own),
    cookies: caller.cookies.filter((one) => !isIts(one)),
    leftovers: caller.leftovers.filter((one) => !isIts(one)),
  };
  const getter = {
    ...receiver,
    drops: [...receiver.drops, moved].toSorted(byPublication),
    cookies: [...receiver.cookies, ...caller.cookies.filter(isIts)],
    leftovers: [...receiver.leftovers, ...caller.leftovers.filter(isIts)],
  };
  return withAccount(withAccount(accounts, giver), withMoved(getter, moved, observation));
});

/** Checks the response with the drop of the account after a move. */
function withMoved(state: AccountState, drop: DropState, observation: Observation): AccountState {
  const shown = expectJson<DropResponse>(observation, presented(state, drop));
  const seen = told(learn(drop, shown), observation);
  return { ...state, drops: state.drops.map((one) => (one.slug === drop.slug ? seen : one)) };
}

function mayPublishFor({ userId, team }: AccountState, person: PersonState): boolean {
  return team === undefined ? userId === person.userId : team.people[person.name] !== undefined;
}

function isTeam(account: AccountState | undefined): account is TeamAccount {
  return account?.team !== undefined;
}

/** Section "Team" of the API's document. */
function presentedTeam({ team, ...account }: TeamAccount, role: TeamRole | undefined): object {
  const { people, groupBy, createdAtMs } = team;
  const namesWith = (one: TeamRole) => Object.keys(people).filter((name) => people[name] === one);
  return {
    namespace: account.namespace,
    url: `${ownerAddress(account)}/`,
    owners: namesWith("owner").toSorted(),
    editors: namesWith("editor").toSorted(),
    ...(role === undefined ? {} : { role }),
    group_by: groupBy,
    created_at: createdAtMs,
  };
}

function namespaceProblem(namespace: string): "shape" | "reserved" | undefined {
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(namespace)) return "shape";
  return namespace === "admin" ? "reserved" : undefined;
}

function hasOwner(people: TeamState["people"]): boolean {
  return Object.values(people).includes("owner");
}

function refuseLastOwner(accounts: Accounts, { response }: Observation): Accounts {
  expectError(response, "last_owner_cannot_leave");
  return accounts;
}

function expectForbidden({ response }: Observation, reason: string): void {
  expect(expectError(response, "forbidden").details).toEqual({ reason });
}

/** Checks the refusal of input that is invalid in the current state. Its write is refunded. */
function refuseInvalid(
  accounts: Accounts,
  caller: AccountState,
  { call, response }: Observation,
  details: object,
): Accounts {
  expect(expectError(response, "invalid_arg").details).toEqual(details);
  return withAccount(accounts, withWriteRefunded(caller, call));
}
