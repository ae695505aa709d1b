import { type Act, accountCreation, signInRefusal } from "../platform/audit.ts";
import { appendToAudit, auditWrite } from "../platform/audit-trail.ts";
import { ApiError } from "../platform/errors.ts";
import { createUserId, type RandomInt } from "../platform/identifiers.ts";
import { type Key, keys } from "../platform/keys.ts";
import { accountSuspended, identityBanned, isSuspended } from "../platform/suspension.ts";
import { getItem, type Item } from "../platform/table.ts";
import { type TransactionWrite, transact } from "../platform/table-writes.ts";
import type { Caller } from "../platform/token-store.ts";
import { type Identity, membershipEndedAttribute } from "./identity.ts";
import { namespaceCandidate } from "./namespace.ts";

/** A person, by the identity provider's permanent id; section "What the service does" of the specification. */
export interface Account {
  readonly userId: string;
  readonly namespace: string;
  /** The user name that the provider gave when the account was made. */
  readonly username: string;
  readonly createdAtMs: number;
  readonly dropCount: number;
  /** Of the pages of all versions, without contexts. */
  readonly pageBytes: number;
  readonly blobCount: number;
  readonly blobBytes: number;
}

/** What of an identity makes an account. */
type AccountIdentity = Pick<Identity, "provider" | "id" | "username">;

/** Names that a newcomer's user name is tried with before sign-in gives up; the last ones are random. */
const namespaceAttemptsMax = 16;

/** Accounts: one for each identity of the provider. */
export const accounts = {
  /** The account, or undefined where there is none, or none any more. */
  async find(userId: string): Promise<Account | undefined> {
    const item = await getItem(keys.account(userId));
    return item && item.deletingAtMs === undefined ? toAccount(userId, item) : undefined;
  },

  /**
   * The account of an identity, or undefined where there is none, or none any more.
   *
   * @throws ApiError `forbidden` where the identity is banned, or its account suspended.
   */
  async findByIdentity(identity: AccountIdentity, act: Act): Promise<Account | undefined> {
    const tell = (ownerId: unknown) =>
      appendToAudit({ ...act, action: signInRefusal }, { ownerId: ownerId as string | undefined });
    const item = await getItem(keys.identity(identity.provider, identity.id));
    if (item?.bannedAtMs !== undefined) {
      await tell(item.userId);
      throw identityBanned();
    }
    if (item === undefined) return undefined;
    const userId = item.userId as string;
    const account = await getItem(keys.account(userId));
    if (isSuspended(account)) {
      await tell(userId);
      throw accountSuspended();
    }
    return account && account.deletingAtMs === undefined ? toAccount(userId, account) : undefined;
  },

  /**
   * The account of an identity; the first sign-in makes it and gives it a namespace for good.
   *
   * @throws ApiError `forbidden` where the identity is banned, or its account suspended.
   */
  async findOrCreate(identity: AccountIdentity, randomInt: RandomInt, act: Act): Promise<Account> {
    for (let attempt = 0; attempt < namespaceAttemptsMax; attempt += 1) {
      const existing = await accounts.findByIdentity(identity, act);
      if (existing) return existing;
      const account: Account = {
        userId: createUserId(randomInt),
        namespace: namespaceCandidate(identity.username, attempt, randomInt),
        username: identity.username,
        createdAtMs: act.atMs,
        dropCount: 0,
        pageBytes: 0,
        blobCount: 0,
        blobBytes: 0,
      };
      // The sign-in that it is for may yet come to nothing.
      const creating = auditWrite({ ...act, action: accountCreation }, { ownerId: account.userId });
      const outcome = await transact([...creation(identity, account), creating]);
      if (outcome.committed) return account;
    }
    throw new Error("No namespace was free for a new account.");
  },
};

/**
 * The write that keeps what the provider says of an account's person, in the transaction that lets them in: an operator who
 * removes somebody finds them by it. Fails where the account is being deleted.
 */
export function keepIdentity(userId: string, { username, emails, groups, organizations }: Identity) {
  return {
    key: keys.account(userId),
    update: `SET lastIdentity = :identity REMOVE ${membershipEndedAttribute}`,
    condition: "attribute_exists(pk) AND attribute_not_exists(deletingAtMs)",
    values: { ":identity": { username, emails, groups, organizations } },
  };
}

/** What the provider said of an account's person last; of whom has not been back since members came, the name of then. */
export function lastIdentityOf(account: Item): Identity {
  const { provider, providerId: id, username = "", lastIdentity } = account;
  const before = { username, emails: [], groups: [], organizations: [] };
  return { provider, id, ...((lastIdentity as object | undefined) ?? before) } as Identity;
}

function creation(identity: AccountIdentity, account: Account): TransactionWrite[] {
  const { userId, ...profile } = account;
  const put = (key: Key, item: Item) => ({ put: { ...key, ...item }, condition: "attribute_not_exists(pk)" });
  return [
    put(keys.identity(identity.provider, identity.id), { userId, createdAtMs: account.createdAtMs }),
    put(keys.namespace(account.namespace), { userId, createdAtMs: account.createdAtMs }),
    put(keys.account(userId), { ...profile, provider: identity.provider, providerId: identity.id }),
  ];
}

function toAccount(userId: string, item: Item): Account {
  return {
    userId,
    namespace: item.namespace as string,
    username: item.username as string,
    createdAtMs: item.createdAtMs as number,
    dropCount: item.dropCount as number,
    pageBytes: (item.pageBytes ?? 0) as number,
    blobCount: item.blobCount as number,
    blobBytes: item.blobBytes as number,
  };
}

/**
 * The account of a caller.
 *
 * @throws ApiError `unauthorized` when the account was deleted and only its token is left.
 */
export async function requireAccount(caller: Caller): Promise<Account> {
  const account = await accounts.find(caller.userId);
  if (account === undefined) throw new ApiError("unauthorized");
  return account;
}
