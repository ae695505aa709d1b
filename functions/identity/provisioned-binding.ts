import { createHash } from "node:crypto";
import { type Act, readerActor, scimNameTaken } from "../table/audit.ts";
import { auditEnd, auditWrite } from "../table/audit-trail.ts";
import { keys } from "../table/keys.ts";
import { getItems, type Item } from "../table/table.ts";
import { transact, updateItem } from "../table/table-writes.ts";
import type { Identity, IdentityKey } from "./accounts.ts";
import { findStanding, type Standing } from "./members.ts";
import { isSameUserName, type UnboundUser } from "./provisioning.ts";

/**
 * Finds the standing of a person who signs in, after it has bound SCIM users to their first identity. A user name is a claim that people
 * may edit, so that a user of SCIM belongs to the first identity that signs in with it (OpenID Connect Core 1.0, section 5.7). A second
 * one leaves a line in the audit trail.
 */
export async function findSigningIn(signedIn: Identity, act: Act): Promise<Standing> {
  const before = await findStanding(signedIn);
  if (before.provisioned?.isActive !== true) return before;
  const { unbound } = before.provisioned;
  await Promise.all(unbound.map((user) => bind(user, signedIn)));
  const standing = unbound.length === 0 ? before : await findStanding(signedIn);
  await Promise.all((standing.provisioned?.taken ?? []).map((id) => recordTakenName(id, signedIn, act)));
  return standing;
}

/** Of concurrent people the first succeeds. */
async function bind(user: UnboundUser, signedIn: IdentityKey): Promise<void> {
  const earlier = user.isReleased ? undefined : await findFirstPerson(user);
  const { provider, id } = earlier ?? signedIn;
  await updateItem({
    key: keys.provisionedUser(user.id),
    update: "SET boundTo = :person REMOVE isReleased",
    condition: "userName = :seen AND active = :active AND attribute_not_exists(boundTo)",
    values: { ":person": { provider, id }, ":seen": user.userName, ":active": true },
  });
}

/** Finds who signed in with the name before SCIM knew it: accounts that were created under it come first, the oldest of them. */
async function findFirstPerson({ userName, accounts }: UnboundUser): Promise<IdentityKey | undefined> {
  const isNamed = (name: unknown) => typeof name === "string" && isSameUserName(name, userName);
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

/** Writes one line for each user and identity, however often the identity signs in, for as long as the line is stored. */
async function recordTakenName(userId: string, identity: IdentityKey, act: Act): Promise<void> {
  const { provider, id } = identity;
  const hash = createHash("sha256").update(`${provider}#${id}`).digest("base64url");
  await transact([
    {
      put: { ...keys.provisionedRefusal(userId, hash), ttl: auditEnd(act.atMs) },
      condition: "attribute_not_exists(pk)",
    },
    auditWrite({ ...act, action: scimNameTaken, actor: readerActor(identity) }, { provisionedId: userId }),
  ]);
}
