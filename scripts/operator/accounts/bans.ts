import type { Act } from "../../../functions/table/audit.ts";
import { auditWrite } from "../../../functions/table/audit-trail.ts";
import { keys } from "../../../functions/table/keys.ts";
import { getItem } from "../../../functions/table/table.ts";
import { transact } from "../../../functions/table/table-writes.ts";
import { findUser, type User } from "../table-reads.ts";

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

/**
 * Lifts the ban of the person whose account has a user id or a namespace, or had that namespace before it was deleted. Returns no user if
 * the account is deleted.
 *
 * @throws Error when there is and was no such account
 */
export async function unbanIdentity(name: string, act: Act): Promise<{ isLifted: boolean; user?: User }> {
  const namespace = name.toLowerCase();
  const left = (await getItem(keys.namespace(namespace)))?.bannedIdentity as User["identity"] | undefined;
  if (left !== undefined) {
    // The next sign-in creates a new account. The owner of the deleted one is no longer known.
    const { committed } = await transact([
      { remove: keys.identity(left.provider, left.id), condition: "attribute_not_exists(userId)" },
      {
        key: keys.namespace(namespace),
        update: "REMOVE bannedIdentity",
        condition: "attribute_exists(bannedIdentity)",
      },
      auditWrite(act, {}),
    ]);
    return { isLifted: committed };
  }
  const user = await findUser(name);
  const { userId, identity } = user;
  const lifting = {
    key: keys.identity(identity.provider, identity.id),
    update: "REMOVE bannedAtMs",
    condition: "attribute_exists(bannedAtMs) AND userId = :userId",
    values: { ":userId": userId },
  };
  const { committed } = await transact([lifting, auditWrite(act, { ownerId: userId })]);
  return { isLifted: committed, user };
}
