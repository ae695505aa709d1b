import { accountCreation } from "../contract/audit.ts";
import type { Account, Identity } from "../domain/account.ts";
import type { Act } from "../domain/audit.ts";
import { createUserId, type RandomInt } from "../domain/identifiers.ts";
import { namespaceCandidate } from "../domain/namespace.ts";
import { auditWrite } from "./audit-trail.ts";
import { type Key, keys } from "./keys.ts";
import { accountSuspended, identityBanned, isSuspended } from "./suspension.ts";
import { getItem, type Item } from "./table.ts";
import { type TransactionWrite, transact } from "./transaction.ts";

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
   * The account of an identity; the first sign-in makes it and gives it a namespace for good.
   *
   * @throws ApiError `forbidden` where the identity is banned, or its account suspended.
   */
  async findOrCreate(identity: Identity, randomInt: RandomInt, act: Act): Promise<Account> {
    for (let attempt = 0; attempt < namespaceAttemptsMax; attempt += 1) {
      const existing = await findByIdentity(identity);
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

async function findByIdentity(identity: Identity): Promise<Account | undefined> {
  const item = await getItem(keys.identity(identity.provider, identity.id));
  if (item?.bannedAtMs !== undefined) throw identityBanned();
  if (item === undefined) return undefined;
  const userId = item.userId as string;
  const account = await getItem(keys.account(userId));
  if (isSuspended(account)) throw accountSuspended();
  return account && account.deletingAtMs === undefined ? toAccount(userId, account) : undefined;
}

function creation(identity: Identity, account: Account): TransactionWrite[] {
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
