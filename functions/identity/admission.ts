import type { Act } from "../table/audit.ts";
import { type Key, keys } from "../table/keys.ts";
import { refusal } from "../table/suspension.ts";
import { RetryableError, retryConflicts } from "../table/table.ts";
import { type TransactionWrite, updateItem } from "../table/table-writes.ts";
import { type Identity, membershipEndedAttribute, removedAttribute } from "./accounts.ts";
import { isSameName, type MemberEntry, type MemberName, memberKey, type Standing } from "./members.ts";
import { findSigningIn } from "./provisioned-binding.ts";
import { provisionedNamesOf, toStoredIdentity } from "./provisioning.ts";

/** Outcome of an admission. */
export type Admission =
  /**
   * `holds` goes into the transaction that lets them in: it fails where they have been removed meanwhile. `identity` is the same as it
   * is stored, with the SCIM users of the person.
   */
  | { readonly isMember: true; readonly identity: Identity; readonly holds: readonly TransactionWrite[] }
  | { readonly isMember: false; readonly identity: Identity; readonly isDeactivated: boolean };

/** Decides an admission and binds the username to the identity: later holders of the name are other people. */
export async function admit(signedIn: Identity, act: Act): Promise<Admission> {
  return retryConflicts(async () => {
    const seen = await findSigningIn(signedIn, act);
    const { membership, provisioned } = seen;
    const identity = toStoredIdentity(signedIn, provisioned);
    if (!membership.isMember)
      return { isMember: false, identity, isDeactivated: membership.reason === "deactivated" };
    const { ground } = membership;
    const entry = ground.kind === "entry" ? ground.entry : undefined;
    const isBound = entry?.kind !== "username" || entry.boundTo !== undefined;
    if (!isBound && !(await bind(entry, identity))) throw new RetryableError();
    return { isMember: true, identity, holds: [notRemoved(identity), ...holdsOf(seen, entry)] };
  });
}

/**
 * Binds a name to an identity. Of two concurrent people the first succeeds; false for the other, and after the
 * operator's change.
 */
async function bind(name: MemberName, { provider, id }: Identity): Promise<boolean> {
  const outcome = await updateItem({
    key: memberKey(name),
    update: "SET boundTo = :own",
    condition: `${isLetIn} AND attribute_not_exists(boundTo)`,
    values: { ":own": { provider, id } },
  });
  return outcome.updated;
}

function notRemoved({ provider, id }: Identity): TransactionWrite {
  return { check: keys.identity(provider, id), condition: `attribute_not_exists(${removedAttribute})` };
}

const isLetIn = "attribute_exists(pk) AND attribute_not_exists(deniedAtMs)";

/** True if an entry still admits the person and no name bars them. Groups never bar anybody. */
function holdsOf({ names, entries }: Standing, entry: MemberEntry | undefined): TransactionWrite[] {
  const isOthers = (name: MemberName) =>
    entries.some((one) => isSameName(one, name) && one.boundTo !== undefined);
  const isEntry = (name: MemberName) => entry !== undefined && isSameName(name, entry);
  return [
    ...(entry === undefined ? [] : [{ check: memberKey(entry), condition: isLetIn }]),
    ...names
      .filter((name) => name.kind !== "group" && !isEntry(name) && !isOthers(name))
      .map((name) => ({ check: memberKey(name), condition: "attribute_not_exists(deniedAtMs)" })),
  ];
}

/** Update of an account with what the provider says of its person. */
interface IdentityUpdate {
  readonly key: Key;
  readonly update: string;
  readonly condition: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/**
 * The writes that keep what the provider says of an account's person, in the transaction that lets them in: an operator who
 * removes somebody finds them by it, and so does SCIM. They fail where the account is being deleted, or the person was deactivated.
 */
export function storeIdentity(
  userId: string,
  identity: Identity,
): readonly [IdentityUpdate, ...TransactionWrite[]] {
  const { username, emails, groups, organizations, provisionedNames, vouchedAs } = identity;
  const { provisionedAs = [] } = identity;
  const isProvisioned = provisionedAs.length > 0;
  return [
    {
      key: keys.account(userId),
      update: isProvisioned
        ? `SET lastIdentity = :identity, provisionedAs = :ids REMOVE ${membershipEndedAttribute}`
        : `SET lastIdentity = :identity REMOVE provisionedAs, ${membershipEndedAttribute}`,
      condition: "attribute_exists(pk) AND attribute_not_exists(deletingAtMs)",
      values: {
        ":identity": { username, emails, groups, organizations, provisionedNames, vouchedAs },
        ...(isProvisioned ? { ":ids": new Set(provisionedAs) } : {}),
      },
    },
    ...provisioningLinks(userId, identity),
  ];
}

/** Links a session with the SCIM users of its person, for the transaction that starts it. Fails where they were deactivated meanwhile. */
export function sessionLinks(
  { provisionedAs = [] }: Identity,
  { reference, expiresAtMs }: { readonly reference: string; readonly expiresAtMs: number },
): TransactionWrite[] {
  const ttl = Math.ceil(expiresAtMs / 1000);
  return provisionedAs.flatMap((id) => [
    {
      key: keys.provisionedUser(id),
      // A deactivation that has counted the sessions already is tried again.
      update: "ADD accountsRevision :one",
      condition: isActive.condition,
      values: { ...isActive.values, ":one": 1 },
    },
    { put: { ...keys.provisionedSession(id, reference), reference, ttl } },
  ]);
}

/**
 * Links a person's account with their SCIM user, or with the names by which SCIM may come to know them. Fails where they were
 * deactivated or provisioned meanwhile.
 */
export function provisioningLinks(userId: string, identity: Identity): TransactionWrite[] {
  const values = { ":account": new Set([userId]) };
  const { provisionedAs = [] } = identity;
  if (provisionedAs.length > 0)
    return provisionedAs.map((id) => ({
      key: keys.provisionedUser(id),
      update: "ADD accounts :account, accountsRevision :one",
      condition: isActive.condition,
      values: { ...isActive.values, ...values, ":one": 1 },
    }));
  return provisionedNamesOf(identity).map((name) => ({
    key: keys.provisionedName(name),
    update: "ADD accounts :account",
    condition: "attribute_not_exists(holder) OR isFree = :free",
    values: { ...values, ":free": true },
  }));
}

const isActive = { condition: "active = :active", values: { ":active": true } } as const;

/** The refusal of a person whom SCIM has deactivated. */
export function accountDeactivated(): Error {
  return refusal("account_deactivated", "Your organization has deactivated your access to this service.");
}
