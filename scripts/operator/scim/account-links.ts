import pLimit from "p-limit";
import { lastIdentityOf } from "../../../functions/identity/accounts.ts";
import { provisionedNamesOf } from "../../../functions/identity/members.ts";
import { keys } from "../../../functions/table/keys.ts";
import type { Item } from "../../../functions/table/table.ts";
import { transact } from "../../../functions/table/table-writes.ts";
import { findItems } from "../table-reads.ts";
import { userIdOf } from "../users.ts";

const accountsAtOnce = 16;

/**
 * Links accounts with the names by which SCIM may come to know their people, as each sign-in does. An account from before the setting
 * `scim` lacks the claim that the setting names, so that only its next sign-in can link it.
 *
 * @param setting the setting as JSON; undefined without one
 */
export async function linkAccounts(
  setting: string | undefined,
): Promise<{ readonly linked: number; readonly left: number }> {
  const needsClaim = setting !== undefined && (JSON.parse(setting) as { claim?: string }).claim !== undefined;
  const found = await findItems(
    "sk = :account AND attribute_not_exists(deletingAtMs)",
    { ":account": keys.account("").sk },
    { isConsistent: true },
  );
  const isKnown = (account: Item) => !needsClaim || lastIdentityOf(account).provisionedNames !== undefined;
  const unlinked = found.filter((account) => account.provisionedAs === undefined && isKnown(account));
  await pLimit(accountsAtOnce).map(unlinked, linkAccount);
  const left = found.filter((account) => account.provisionedAs === undefined && !isKnown(account)).length;
  return { linked: found.length - left, left };
}

async function linkAccount(account: Item): Promise<void> {
  const values = { ":account": new Set([userIdOf(account)]) };
  for (const name of provisionedNamesOf(lastIdentityOf(account)))
    await transact([{ key: keys.provisionedName(name), update: "ADD accounts :account", values }]);
}
