import { type ReaderRights, teamRoleOf } from "../policies/access.ts";
import { isTeamId } from "../table/identifiers.ts";
import { keys } from "../table/keys.ts";
import { bannedAttribute, isSuspended, sessionsEndedAttribute } from "../table/suspension.ts";
import { getItem, type Item } from "../table/table.ts";
import { type Identity, lastIdentityOf } from "./accounts.ts";
import { findStanding, type Membership, memberRules } from "./members.ts";
import { toTeam } from "./team.ts";

/** A signed-in reader with current access rights. */
export interface Reader extends ReaderRights {
  readonly identity: Identity;
  /** Namespace of the account. @default - the reader has no account */
  readonly namespace?: string | undefined;
  /** True if the reader was deactivated after the sign-in and is active again. Signing in again then restores access. @default false */
  readonly isSessionOver?: boolean;
}

/** Reason why the operator or SCIM denies a reader access. */
export type ReaderBar = "removed" | "deactivated" | "session over" | "banned" | "suspended";

/** A reader, with the reasons why the person is a member or is denied access. */
export interface FoundReader extends Reader {
  readonly membership: Membership;
  /** Reasons why the reader is denied access. Empty if access is allowed. */
  readonly bars: readonly ReaderBar[];
}

/** A sign-in, with its time. */
export interface SignIn {
  /** Identity at the sign-in. */
  readonly identity: Identity;
  /** Id of the person's account at the sign-in, if there was one. */
  readonly userId: string | undefined;
  /** Time of the sign-in. @default - now */
  readonly createdAtMs?: number;
}

/**
 * Finds the reader of a session with current rights. Memberships, bans, accounts and SCIM records may have changed
 * since the sign-in. Needs one DynamoDB request. A second request is needed for an account younger than the session,
 * and in the cases of `findStanding`.
 */
export async function findReader(
  { identity: signedIn, userId, createdAtMs }: SignIn,
  {
    ownerId,
    grantedAtMs = createdAtMs,
  }: {
    /** Owner of the requested drop or file. A team's members are read in the same request. @default - none */
    readonly ownerId?: string | undefined;
    /** Time when the access in use was granted. A later deactivation ends the access. @default - the sign-in */
    readonly grantedAtMs?: number | undefined;
  } = {},
): Promise<FoundReader> {
  const own = keys.identity(signedIn.provider, signedIn.id);
  const teamId = ownerId !== undefined && isTeamId(ownerId) ? ownerId : undefined;
  const { identity, membership, provisioned, items } = await findStanding(signedIn, {
    alsoRead: [
      ...(userId === undefined ? [] : [keys.account(userId)]),
      ...(teamId === undefined ? [] : [keys.team(teamId)]),
    ],
    signedInAtMs: createdAtMs,
  });
  const itself = items.find(({ pk }) => pk === own.pk);
  const owned = await findAccount(itself?.userId as string | undefined, items);
  const isOut = !membership.isMember && membership.reason !== "unknown";
  const endedAtMs = itself?.[sessionsEndedAttribute] as number | undefined;
  const isSessionOver =
    (grantedAtMs !== undefined &&
      provisioned?.endedAtMs !== undefined &&
      grantedAtMs <= provisioned.endedAtMs) ||
    (createdAtMs !== undefined && endedAtMs !== undefined && createdAtMs <= endedAtMs);
  const isLeaving = owned?.deletingAtMs !== undefined;
  const bars: ReaderBar[] = [
    ...(isOut ? [membership.reason] : []),
    ...(isSessionOver ? (["session over"] as const) : []),
    ...(itself?.[bannedAttribute] === undefined ? [] : (["banned"] as const)),
    ...(isSuspended(owned) ? (["suspended"] as const) : []),
  ];
  const reader = {
    identity,
    userId: isLeaving ? undefined : (itself?.userId as string | undefined),
    namespace: isLeaving ? undefined : (owned?.namespace as string | undefined),
    isMember: membership.isMember,
    isInTeam: membership.isMember && memberRules() !== "anyone",
    membership,
    isBarred: bars.length > 0,
    bars,
    isSessionOver: isSessionOver && !isOut,
  };
  if (teamId === undefined) return reader;
  const team = items.flatMap((item) => toTeam(item) ?? []).find(({ userId: id }) => id === teamId);
  const isInTeam = team !== undefined && teamRoleOf(team.people, reader) !== undefined;
  return isInTeam ? { ...reader, teamIds: new Set([teamId]) } : reader;
}

/**
 * Returns an account's owner as a reader, with the identity of the last sign-in. Returns undefined if the account does
 * not exist.
 *
 * @param grantedAtMs time when the access in use was granted. @default - earlier deactivations are ignored
 */
export async function findAccountReader(
  userId: string,
  grantedAtMs?: number | undefined,
): Promise<Reader | undefined> {
  const account = await getItem(keys.account(userId));
  if (account === undefined) return undefined;
  return isTeamId(userId)
    ? teamReader(userId, account)
    : findReader({ identity: lastIdentityOf(account), userId }, { grantedAtMs });
}

/**
 * Returns true if the account's owner has left: an operator removed the membership, or SCIM deactivated the person.
 * Returns false for a suspended account, whose pages stay with the operator.
 */
export async function hasLeft(userId: string): Promise<boolean> {
  const account = isTeamId(userId) ? undefined : await getItem(keys.account(userId));
  if (account === undefined || isSuspended(account) || account.deletingAtMs !== undefined) return false;
  const { bars } = await findReader({ identity: lastIdentityOf(account), userId });
  return bars.includes("removed") || bars.includes("deactivated");
}

/** Returns a team as a reader. The team is a member, but matches no reader rule. */
function teamReader(userId: string, account: Item): Reader {
  const { provider, id } = lastIdentityOf(account);
  return {
    identity: { provider, id, username: "", emails: [], groups: [], organizations: [] },
    userId,
    namespace: account.namespace as string,
    isMember: true,
    isInTeam: memberRules() !== "anyone",
    isBarred: isSuspended(account) || account.deletingAtMs !== undefined,
  };
}

/** Finds the id of a person's account when the person signs in as a reader. Returns undefined if the person has no account. */
export async function findUserId({ provider, id }: Identity): Promise<string | undefined> {
  return (await getItem(keys.identity(provider, id)))?.userId as string | undefined;
}

async function findAccount(userId: string | undefined, seen: readonly Item[]): Promise<Item | undefined> {
  if (userId === undefined) return undefined;
  const { pk } = keys.account(userId);
  return seen.find((item) => item.pk === pk) ?? getItem(keys.account(userId));
}
