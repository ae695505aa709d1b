import type { Act } from "../../../functions/table/audit.ts";
import { auditWrite } from "../../../functions/table/audit-trail.ts";
import { keys } from "../../../functions/table/keys.ts";
import { getItem } from "../../../functions/table/table.ts";
import { transact } from "../../../functions/table/table-writes.ts";
import { findUser, type User } from "../users.ts";

/** Identity at the provider. */
type Identity = User["identity"];

/**
 * Bans an account's identity: sign-ins with it are refused, even after the account is deleted.
 *
 * @throws Error if the identity no longer belongs to the account
 */
export async function banIdentity({ userId, namespace, identity }: User, act: Act): Promise<void> {
  const ban = {
    key: keys.identity(identity.provider, identity.id),
    update: "SET bannedAtMs = if_not_exists(bannedAtMs, :now), #namespace = :namespace",
    condition: "userId = :userId",
    names: { "#namespace": "namespace" },
    values: { ":now": act.atMs, ":namespace": namespace, ":userId": userId },
  };
  const outcome = await transact([ban, auditWrite(act, { ownerId: userId })]);
  if (!outcome.committed)
    throw new Error(`${namespace} is being deleted: go on with delete-account ${userId} --ban.`);
}

/** Reads the ban of an account's person. */
export async function isBanned({ identity }: Pick<User, "identity">): Promise<boolean> {
  return (await getItem(keys.identity(identity.provider, identity.id)))?.bannedAtMs !== undefined;
}

/** Outcome of lifting a ban. */
export interface LiftedBan {
  /** A ban was lifted. */
  readonly isLifted: boolean;
  /** Account of the person. @default - the account is deleted */
  readonly user?: User;
}

/**
 * Lifts the ban of the person whose account has a user id or a namespace, or had that namespace before it was deleted.
 *
 * @throws Error when there is and was no such account
 */
export async function unbanIdentity(name: string, act: Act): Promise<LiftedBan> {
  const deleted = await getItem(keys.namespace(name.toLowerCase()));
  const left = deleted?.bannedIdentity as Identity | undefined;
  if (left !== undefined) return { isLifted: await forgetBanned(name.toLowerCase(), left, act) };
  const user = await findUser(name);
  const { userId, identity } = user;
  const lifting = {
    key: keys.identity(identity.provider, identity.id),
    update: "REMOVE bannedAtMs",
    condition: "attribute_exists(bannedAtMs) AND userId = :userId",
    values: { ":userId": userId },
  };
  const outcome = await transact([lifting, auditWrite(act, { ownerId: userId })]);
  return { isLifted: outcome.committed, user };
}

/** Removes the identity of a deleted account, so that the next sign-in creates a new one. */
async function forgetBanned(namespace: string, { provider, id }: Identity, act: Act): Promise<boolean> {
  const outcome = await transact([
    { remove: keys.identity(provider, id), condition: "attribute_not_exists(userId)" },
    {
      key: keys.namespace(namespace),
      update: "REMOVE bannedIdentity",
      condition: "attribute_exists(bannedIdentity)",
    },
    // The owner is no longer known.
    auditWrite(act, {}),
  ]);
  return outcome.committed;
}
