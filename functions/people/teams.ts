import { ApiError } from "../core/errors.ts";
import { type ReaderRights, readerNamesOf, type TeamRole, teamRoleOf } from "../policies/access.ts";
import type { PublishingAccount } from "../policies/moves.ts";
import { isTeamId } from "../table/identifiers.ts";
import { keys } from "../table/keys.ts";
import { isSuspended } from "../table/suspension.ts";
import { getItem, getItems } from "../table/table.ts";
import type { Caller } from "../table/tokens.ts";
import { findAccountReader, type Reader } from "./find-reader.ts";
import { type Team, toTeam } from "./team.ts";

/** A team that a person may act for, with the person's role. */
export interface TeamOfPerson {
  readonly userId: string;
  readonly namespace: string;
  readonly role: TeamRole;
}

/** A person with an account. */
export interface Person extends Reader {
  readonly userId: string;
}

/** Finds a team by its user id. Returns undefined if it does not exist or is being deleted. */
export async function findTeam(userId: string): Promise<Team | undefined> {
  return isTeamId(userId) ? toTeam(await getItem(keys.team(userId))) : undefined;
}

/** Finds a team by its namespace. Returns undefined for a person's namespace or an unused namespace. */
export async function findTeamByNamespace(namespace: string): Promise<Team | undefined> {
  const item = await getItem(keys.namespace(namespace));
  return item?.userId === undefined ? undefined : findTeam(item.userId as string);
}

/** Finds the teams that a reader may act for, sorted by name. Needs two DynamoDB requests, or one for a reader without a team. */
export async function findTeamsOf(reader: ReaderRights): Promise<readonly TeamOfPerson[]> {
  const rules = await getItems([...readerNamesOf(reader)].map(keys.teamsOf));
  const ids = new Set(rules.flatMap(({ teams = [] }) => [...(teams as Iterable<string>)]));
  const items = await getItems([...ids].flatMap((userId) => [keys.team(userId), keys.account(userId)]));
  const closed = new Set(
    items.filter((item) => isSuspended(item) || item.deletingAtMs !== undefined).map(({ pk }) => pk),
  );
  return items
    .filter(({ pk }) => !closed.has(pk))
    .flatMap((item) => toTeam(item) ?? [])
    .flatMap(({ userId, namespace, people }) => {
      const role = teamRoleOf(people, reader);
      return role === undefined ? [] : [{ userId, namespace, role }];
    })
    .toSorted((one, other) => (one.namespace < other.namespace ? -1 : 1));
}

/** Finds the accounts that a person may publish for: the person's own account, and the accounts of the person's teams. */
export async function findPublishingAccounts(person: Reader): Promise<readonly PublishingAccount[]> {
  const { userId, namespace } = person;
  const own = userId === undefined || namespace === undefined ? [] : [{ userId, namespace }];
  return [...own, ...(await findTeamsOf(person))];
}

/**
 * Finds the role of the person who uses a token for a team. The role depends on the person's current groups and the
 * team's current members.
 *
 * @throws ApiError `forbidden` if the person may no longer act for the team
 */
export async function findActingRole({ userId, token }: Caller, personId: string): Promise<TeamRole> {
  const { team, role } = await findTeamRole({ userId, personId, grantedAtMs: token.createdAtMs });
  if (role === undefined) throw leftTeam(team?.namespace);
  return role;
}

/** Finds a team, and a person's role in it. The person has no role if SCIM deactivated them after `grantedAtMs`. */
export async function findTeamRole({
  userId,
  personId,
  grantedAtMs,
}: {
  readonly userId: string;
  readonly personId: string;
  readonly grantedAtMs: number;
}): Promise<{ readonly team: Team | undefined; readonly role: TeamRole | undefined }> {
  const [team, reader] = await Promise.all([findTeam(userId), findAccountReader(personId, grantedAtMs)]);
  return { team, role: team && reader && teamRoleOf(team.people, reader) };
}

/**
 * Finds the person behind a call.
 *
 * @throws ApiError `forbidden` for a service token, which belongs to no person
 */
export async function requirePerson({ token, userId }: Caller): Promise<Person> {
  const personId = token.personId ?? userId;
  const person = isTeamId(personId) ? undefined : await findAccountReader(personId);
  if (person !== undefined) return { ...person, userId: personId };
  throw new ApiError("forbidden", {
    message: "This needs a person's token. A team's service token does not belong to a person.",
    details: { reason: "person_required" },
  });
}

/** Error for a person who may no longer act for a team. */
function leftTeam(namespace: string | undefined): ApiError {
  const team = namespace === undefined ? "this team" : `the team ${namespace}`;
  return new ApiError("forbidden", {
    message: `The person who signed in with this token may no longer publish for ${team}. Ask an owner of the team to add them, or sign in again.`,
    details: { reason: "not_in_team", ...(namespace === undefined ? {} : { team: namespace }) },
  });
}

/**
 * Finds the person behind a call, as a reader with teams. For a service token, returns the team itself. Returns
 * undefined if the account no longer exists.
 */
export async function findCallerReader({ token, userId }: Caller): Promise<Reader | undefined> {
  const reader = await findAccountReader(token.personId ?? userId);
  // With a token for a team, the team's drops count as the caller's own.
  if (reader !== undefined && token.personId !== undefined) return { ...reader, userId };
  if (reader === undefined || isTeamId(userId) || !reader.isMember) return reader;
  return { ...reader, teamIds: new Set((await findTeamsOf(reader)).map((team) => team.userId)) };
}
