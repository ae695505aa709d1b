import { ApiError } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import { requireTeamRole } from "../http/route.ts";
import { type Account, accountWrites, namespaceProblem } from "../people/accounts.ts";
import { type Team, teamProvider } from "../people/team.ts";
import { findTeam } from "../people/teams.ts";
import {
  presentReader,
  type ReaderRights,
  type ReaderRule,
  type TeamPeople,
  type TeamRole,
  teamRoleOf,
} from "../policies/access.ts";
import type { Act } from "../table/audit.ts";
import { auditWrite, type StoredResponse, transactOnce } from "../table/audit-trail.ts";
import { createTeamId, type RandomInt } from "../table/identifiers.ts";
import { keys } from "../table/keys.ts";
import { isNotSuspended } from "../table/suspension.ts";
import { RetryableError, retryConflicts } from "../table/table.ts";
import { type TransactionWrite, transact } from "../table/table-writes.ts";

/** Stores teams and their members. Accounts, drops and tokens of teams are stored like those of people. */
export const teams = {
  /**
   * Creates a team's account with its permanent namespace and its members, in one transaction.
   *
   * @param namespace as entered and not normalized. Also becomes part of the team's host name
   * @param creatorId account id of the person who creates the team. @default - an operator creates the team
   * @throws ApiError `invalid_arg` for a namespace that is taken, reserved or not a DNS label, for a team without an
   * owner, and for too many members; `quota_exceeded` for a person who has created too many teams
   */
  async create(
    { namespace, people, creatorId }: Pick<Team, "namespace" | "people" | "creatorId">,
    randomInt: RandomInt,
    act: Act,
    { keep }: { readonly keep?: (team: Team) => StoredResponse | undefined } = {},
  ): Promise<Team> {
    const problem = namespaceProblem(namespace);
    if (problem !== undefined) throw namespaceRefused(namespace, problem);
    requirePeople(people);
    const userId = createTeamId(randomInt);
    const team: Team = { userId, namespace, people, revision: 1, createdAtMs: act.atMs, creatorId };
    const account: Account = {
      userId,
      namespace,
      // Includes a colon, so that no reader rule can match a team.
      username: `${teamProvider}:${namespace}`,
      createdAtMs: act.atMs,
      dropCount: 0,
      pageBytes: 0,
      blobCount: 0,
      blobBytes: 0,
    };
    const outcome = await transactOnce(
      {
        ...accountWrites({ provider: teamProvider, id: userId, username: account.username }, account),
        team: { put: toItem(team), condition: "attribute_not_exists(pk)" },
        rules: people.map(({ rule }) => naming(rule, userId, "ADD")),
        creator: creatorId === undefined ? undefined : creationCount(creatorId),
      },
      { act, subject: { ownerId: userId }, kept: keep?.(team) },
    );
    if (outcome.committed) return team;
    if (outcome.failed.has("creator")) throw tooManyTeams();
    if (outcome.failed.has("namespace")) throw namespaceRefused(namespace, "taken");
    throw new Error("The new team's id is already in use.");
  },

  /**
   * Sets the role of a member entry, or removes the entry. Concurrent changes cannot overwrite each other.
   *
   * @param role new role. If undefined, the entry is removed.
   * @param changer person who makes the change, and must be an owner of the team at the time of the write. @default - an operator makes the
   * change
   * @returns the changed team, or undefined if the team no longer exists
   * @throws ApiError `last_owner_cannot_leave`; `invalid_arg` for too many members; `not_found` if the entry to remove does not exist;
   * `forbidden` if the changer is not an owner
   */
  setRole(
    userId: string,
    rule: ReaderRule,
    role: TeamRole | undefined,
    act: Act,
    changer?: ReaderRights,
  ): Promise<Team | undefined> {
    const name = presentReader(rule);
    return change(userId, act, (team) => {
      requireOwner(team, changer);
      const others = team.people.filter((one) => presentReader(one.rule) !== name);
      const isKnown = others.length < team.people.length;
      if (role === undefined && !isKnown) throw noSuchPerson(name, team);
      const people = role === undefined ? others : [...others, { rule, role }];
      requirePeople(people);
      const verb = role === undefined ? "DELETE" : "ADD";
      return { team: { ...team, people }, writes: [naming(rule, userId, verb)] };
    });
  },

  /** Sets the metadata key that groups the drops on the team's page. @throws ApiError `forbidden` if the changer is not an owner */
  setGroupBy(
    userId: string,
    groupBy: string | undefined,
    act: Act,
    changer: ReaderRights,
  ): Promise<Team | undefined> {
    return change(userId, act, (team) => {
      requireOwner(team, changer);
      return { team: { ...team, groupBy }, writes: [] };
    });
  },

  /** Builds the writes that restore the index entries of a team's members, for a team whose account was restored. */
  index: ({ userId, people }: Team): TransactionWrite[] =>
    people.map(({ rule }) => naming(rule, userId, "ADD")),

  /** Builds the writes that remove the members of a team whose account is deleted. */
  removal({ userId, people, creatorId }: Team): TransactionWrite[] {
    return [
      { remove: keys.team(userId) },
      ...people.map(({ rule }) => naming(rule, userId, "DELETE")),
      ...(creatorId === undefined ? [] : [creationRefund(creatorId)]),
    ];
  },
};

/** Reads a team, and writes the changed team. Retries if the revision has changed in the meantime, so that no concurrent change is lost. */
async function change(
  userId: string,
  act: Act,
  toNext: (team: Team) => { readonly team: Team; readonly writes: readonly TransactionWrite[] },
): Promise<Team | undefined> {
  return retryConflicts(async () => {
    const before = await findTeam(userId);
    if (before === undefined) return undefined;
    const { team, writes } = toNext(before);
    const next = { ...team, revision: before.revision + 1 };
    const outcome = await transact({
      team: { put: toItem(next), condition: "revision = :seen", values: { ":seen": before.revision } },
      account: {
        check: keys.account(userId),
        condition: `attribute_exists(pk) AND attribute_not_exists(deletingAtMs) AND ${isNotSuspended}`,
      },
      writes,
      line: auditWrite(act, { ownerId: userId }),
    });
    if (outcome.committed) return next;
    if (outcome.failed.has("team")) throw new RetryableError();
    return undefined;
  });
}

/**
 * Requires that the person who makes the change is an owner. Checks this at each attempt, because another owner may have removed the person
 * in the meantime. @throws ApiError `forbidden`
 */
function requireOwner({ people }: Team, changer: ReaderRights | undefined): void {
  if (changer === undefined) return;
  requireTeamRole(teamRoleOf(people, changer) ?? "editor", { method: "PUT", teamRole: "owner" });
}

function toItem({ userId, people, ...team }: Team) {
  const roles = Object.fromEntries(people.map(({ rule, role }) => [presentReader(rule), role]));
  return { ...keys.team(userId), ...team, people: roles };
}

/** Builds the write that adds a team to the index of teams by reader rule, or removes the team from this index. */
function naming(rule: ReaderRule, userId: string, verb: "ADD" | "DELETE"): TransactionWrite {
  return {
    key: keys.teamsOf(presentReader(rule)),
    update: `${verb} teams :team`,
    values: { ":team": new Set([userId]) },
  };
}

function creationCount(creatorId: string): TransactionWrite {
  return {
    key: keys.account(creatorId),
    update: "ADD teamCount :one",
    condition: "attribute_exists(pk) AND (attribute_not_exists(teamCount) OR teamCount < :most)",
    values: { ":one": 1, ":most": limits.teamsPerPersonMax },
  };
}

function creationRefund(creatorId: string): TransactionWrite {
  return {
    key: keys.account(creatorId),
    update: "ADD teamCount :less",
    // Allows a missing item, because the creator's account may have been deleted.
    condition: "attribute_not_exists(pk) OR teamCount > :none",
    values: { ":less": -1, ":none": 0 },
  };
}

/** @throws ApiError `last_owner_cannot_leave`; `invalid_arg` for too many members */
function requirePeople(people: TeamPeople): void {
  if (!people.some(({ role }) => role === "owner")) throw new ApiError("last_owner_cannot_leave");
  const most = limits.teamPeopleMax;
  if (people.length <= most) return;
  throw new ApiError("invalid_arg", {
    message: `A team can have at most ${most} entries. Add a group or a domain instead of single people.`,
    details: { people_max: most },
  });
}

function namespaceRefused(namespace: string, problem: "shape" | "reserved" | "taken"): ApiError {
  const why = {
    shape: `namespace must be 1 to 40 lower-case letters and digits, with single hyphens between them, not ${JSON.stringify(namespace)}.`,
    reserved: `The namespace ${JSON.stringify(namespace)} is reserved. Choose another.`,
    taken: `The namespace ${JSON.stringify(namespace)} belongs or belonged to another account. Choose another namespace.`,
  }[problem];
  return new ApiError("invalid_arg", { message: why, details: { field: "namespace", reason: problem } });
}

function tooManyTeams(): ApiError {
  const most = limits.teamsPerPersonMax;
  return new ApiError("quota_exceeded", {
    message: `You have created ${most} teams, which is the limit for one person. Ask an operator to remove one.`,
    details: { teams_max: most },
  });
}

function noSuchPerson(name: string, { namespace }: Team): ApiError {
  return new ApiError("not_found", {
    message: `${JSON.stringify(name)} is not among the people of the team ${namespace}. GET /api/teams/${namespace} lists them.`,
  });
}
