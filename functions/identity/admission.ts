import { createHash } from "node:crypto";
import {
  type Identity,
  type IdentityKey,
  isSamePerson,
  membershipEndedAttribute,
  removedAttribute,
} from "../people/accounts.ts";
import {
  findStanding,
  isSameName,
  type MemberEntry,
  type MemberName,
  memberKey,
  provisionedNamesOf,
  type Standing,
} from "../people/members.ts";
import type { ProvisionedPerson, UnboundUser } from "../people/provisioned-person.ts";
import { foldUsername } from "../policies/access.ts";
import { type Act, readerActor, scimNameTaken } from "../table/audit.ts";
import { auditEnd, auditWrite } from "../table/audit-trail.ts";
import { type Key, keys } from "../table/keys.ts";
import { refusal } from "../table/suspension.ts";
import { getItems, type Item, RetryableError, retryConflicts } from "../table/table.ts";
import { type TransactionWrite, transact, updateItem } from "../table/table-writes.ts";

/** Result of `admit`: whether the person is a member. */
export type Admission =
  /**
   * `conditions` are added to the sign-in transaction, so that it fails if the operator removes the person in the meantime.
   * `identity` is the identity to store, including the ids of the person's SCIM users.
   */
  | { readonly isMember: true; readonly identity: Identity; readonly conditions: readonly TransactionWrite[] }
  | { readonly isMember: false; readonly identity: Identity; readonly isDeactivated: boolean };

/** Decides whether a person is a member. If a user name admits the person, the name is bound to their identity and then admits no one else. */
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
    return { isMember: true, identity, conditions: [notRemoved(identity), ...conditionsOf(seen, entry)] };
  });
}

/**
 * Checks the membership of a person who signs in, and binds unbound SCIM users to the identity. A SCIM user is bound to the first identity
 * that signs in with the user name, because people can change their user name (OpenID Connect Core 1.0, section 5.7). If a second identity
 * signs in with the name, writes an audit entry.
 */
async function findSigningIn(signedIn: Identity, act: Act): Promise<Standing> {
  const before = await findStanding(signedIn);
  if (before.provisioned === undefined && (await hasLeft(signedIn, before)))
    return { ...before, membership: { isMember: false, reason: "deactivated" } };
  if (before.provisioned?.isActive !== true) return before;
  const { unbound } = before.provisioned;
  await Promise.all(unbound.map((user) => bindUser(user, signedIn)));
  const standing = unbound.length === 0 ? before : await findStanding(signedIn);
  await Promise.all((standing.provisioned?.taken ?? []).map((id) => recordTakenName(id, signedIn, act)));
  return standing;
}

/** Checks whether one of the person's SCIM users is inactive, even if the person's name and addresses have changed. */
async function hasLeft(signedIn: IdentityKey, { items }: Standing): Promise<boolean> {
  const own = keys.identity(signedIn.provider, signedIn.id);
  const userId = items.find(({ pk }) => pk === own.pk)?.userId as string | undefined;
  const [account] = userId === undefined ? [] : await getItems([keys.account(userId)]);
  const { lastIdentity, provisionedAs = [] } = account ?? {};
  const { vouchedAs = [] } = (lastIdentity ?? {}) as Partial<Identity>;
  const users = await getItems([...(provisionedAs as Iterable<string>)].map(keys.provisionedUser));
  return users.some(({ id, active, boundTo }) => {
    const isOwn =
      vouchedAs.includes(String(id)) ||
      (boundTo !== undefined && isSamePerson(boundTo as IdentityKey, signedIn));
    return isOwn && active !== true;
  });
}

/** Binds a SCIM user to an identity. If several people sign in concurrently, only the first person is bound. */
async function bindUser(user: UnboundUser, signedIn: IdentityKey): Promise<void> {
  const earlier = user.isReleased ? undefined : await findFirstPerson(user);
  const { provider, id } = earlier ?? signedIn;
  await updateItem({
    key: keys.provisionedUser(user.id),
    update: "SET boundTo = :person REMOVE isReleased",
    condition: "userName = :seen AND active = :active AND attribute_not_exists(boundTo)",
    values: { ":person": { provider, id }, ":seen": user.userName, ":active": true },
  });
}

/** Finds the first person who signed in with a name before SCIM provisioned it. Prefers accounts that were created with the name. */
async function findFirstPerson({ userName, accounts }: UnboundUser): Promise<IdentityKey | undefined> {
  const isNamed = (name: unknown) =>
    typeof name === "string" && foldUsername(name) === foldUsername(userName);
  const isFromName = ({ username }: Item) => isNamed(username);
  const found = (await getItems(accounts.map(keys.account))).filter(
    (account) =>
      account.deletingAtMs === undefined &&
      (isFromName(account) || isNamed((account.lastIdentity as Partial<Identity> | undefined)?.username)),
  );
  const [first] = found.toSorted(
    (one, other) =>
      Number(isFromName(other)) - Number(isFromName(one)) ||
      (one.createdAtMs as number) - (other.createdAtMs as number),
  );
  return first && { provider: first.provider as string, id: first.providerId as string };
}

/** Writes an audit entry, unless the table already has an unexpired entry for the same SCIM user and identity. */
async function recordTakenName(userId: string, identity: IdentityKey, act: Act): Promise<void> {
  const { provider, id } = identity;
  const hash = createHash("sha256").update(`${provider}#${id}`).digest("base64url");
  await transact([
    {
      put: { ...keys.provisionedRefusal(userId, hash), ttl: auditEnd(act.atMs) },
      condition: "attribute_not_exists(pk)",
    },
    auditWrite(
      { ...act, action: scimNameTaken, actor: readerActor({ identity }) },
      { provisionedId: userId },
    ),
  ]);
}

/** Builds the identity to store. Omits the person's SCIM groups, because they are read at each request. */
function toStoredIdentity(identity: Identity, person: ProvisionedPerson | undefined): Identity {
  if (person === undefined) return { ...identity, vouchedAs: identity.vouchedAs ?? [] };
  const { ids, vouchedAs, endedGroups } = person;
  const groups = identity.groups.filter((group) => !endedGroups.has(group));
  return { ...identity, groups, provisionedAs: ids, vouchedAs };
}

/** Binds a user name in the list of members to an identity. Returns false if the name is already bound, barred or removed. */
async function bind(name: MemberName, { provider, id }: Identity): Promise<boolean> {
  const outcome = await updateItem({
    key: memberKey(name),
    update: "SET boundTo = :own",
    condition: `${isAdmitting} AND attribute_not_exists(boundTo)`,
    values: { ":own": { provider, id } },
  });
  return outcome.updated;
}

function notRemoved({ provider, id }: Identity): TransactionWrite {
  return { check: keys.identity(provider, id), condition: `attribute_not_exists(${removedAttribute})` };
}

const isAdmitting = "attribute_exists(pk) AND attribute_not_exists(deniedAtMs)";

/** Returns the conditions for an admission: the admitting entry still exists, and the person's user name and addresses are not barred. */
function conditionsOf({ names, entries }: Standing, entry: MemberEntry | undefined): TransactionWrite[] {
  const isOthers = (name: MemberName) =>
    entries.some((one) => isSameName(one, name) && one.boundTo !== undefined);
  const isEntry = (name: MemberName) => entry !== undefined && isSameName(name, entry);
  return [
    ...(entry === undefined ? [] : [{ check: memberKey(entry), condition: isAdmitting }]),
    ...names
      .filter((name) => name.kind !== "group" && !isEntry(name) && !isOthers(name))
      .map((name) => ({ check: memberKey(name), condition: "attribute_not_exists(deniedAtMs)" })),
  ];
}

/** Update of a person's account with data from the identity provider. */
interface IdentityUpdate {
  readonly key: Key;
  readonly update: string;
  readonly condition: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/**
 * Returns writes that store the provider's data about a person, by which operators and SCIM find the person. Add the writes to the sign-in
 * transaction. They fail if the account is being deleted or the person was deactivated.
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

/**
 * Returns writes that link a session with the person's SCIM users, for the transaction that starts the session. The writes fail if SCIM has
 * deactivated one of these users in the meantime.
 */
export function sessionLinks(
  { provisionedAs = [] }: Identity,
  { reference, expiresAtMs }: { readonly reference: string; readonly expiresAtMs: number },
): TransactionWrite[] {
  const ttl = Math.ceil(expiresAtMs / 1000);
  return provisionedAs.flatMap((id) => [
    {
      key: keys.provisionedUser(id),
      // Makes a concurrent deactivation fail and retry if it listed the sessions before this write.
      update: "ADD accountsRevision :one",
      condition: isActive.condition,
      values: { ...isActive.values, ":one": 1 },
    },
    { put: { ...keys.provisionedSession(id, reference), reference, ttl } },
  ]);
}

/**
 * Returns writes that link a person's account to the person's SCIM users. A person without a SCIM user is linked to the names that SCIM may
 * use for them later. The writes fail if the person was deactivated or provisioned in the meantime.
 */
function provisioningLinks(userId: string, identity: Identity): TransactionWrite[] {
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

/** Error for a person whom SCIM has deactivated. */
export function accountDeactivated(): Error {
  return refusal("account_deactivated", "Your organization has deactivated your access to this service.");
}
