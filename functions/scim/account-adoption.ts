import { keys } from "../table/keys.ts";
import { getItem } from "../table/table.ts";
import { type TransactionWrite, transact } from "../table/table-writes.ts";
import { nameKey, textsOf, type UniqueName } from "./name-claims.ts";

/**
 * Takes over the accounts of people who signed in under one of a user's names before SCIM knew it. Each is one transaction, and the
 * rest is done by the next change. Resolves to whether there were any.
 */
export async function adoptAccounts(id: string, names: readonly UniqueName[]): Promise<boolean> {
  let isAny = false;
  for (const name of names) {
    for (const accountId of await findLinkedAccounts(name)) {
      isAny = true;
      const adoption: TransactionWrite[] = [
        {
          key: keys.account(accountId),
          update: "ADD provisionedAs :ids",
          condition: "attribute_exists(pk)",
          values: { ":ids": new Set([id]) },
        },
        {
          key: keys.provisionedUser(id),
          update: "ADD accounts :account, accountsRevision :one",
          condition: "attribute_exists(pk)",
          values: { ":account": new Set([accountId]), ":one": 1 },
        },
        unlinkAccount(name, accountId),
      ];
      const outcome = await transact(adoption);
      // The account is gone.
      if (!outcome.committed && outcome.failed.has(0)) await transact([unlinkAccount(name, accountId)]);
    }
  }
  return isAny;
}

/** Accounts that have signed in under a name before SCIM knew it. */
async function findLinkedAccounts(name: UniqueName): Promise<readonly string[]> {
  return textsOf((await getItem(nameKey(name))) ?? {}, "accounts");
}

/** The write that forgets such an account. */
function unlinkAccount(name: UniqueName, accountId: string): TransactionWrite {
  return {
    key: nameKey(name),
    update: "DELETE accounts :account",
    condition: "attribute_exists(pk)",
    values: { ":account": new Set([accountId]) },
  };
}
