import { endMembershipOf, membershipEndedAttribute } from "../identity/accounts.ts";
import type { Act } from "../table/audit.ts";
import { keys, ranges } from "../table/keys.ts";
import { getItem, queryAll } from "../table/table.ts";
import { isUnchanged, type TransactionWrite } from "../table/table-writes.ts";
import { tokenIdOf, tokenRemoval, tokens } from "../table/tokens.ts";
import { textsOf } from "./name-claims.ts";

/** Tokens that one transaction revokes: two items each, of the 100 that it may have. */
const tokensAtOnceMax = 40;

/**
 * Builds the writes that end the access of a SCIM user's accounts. Afterwards no account has a token, and none gets one
 * before its person has signed in again.
 *
 * The writes belong in the transaction that deactivates the user. They fail when an account gets or renews a token
 * meanwhile. The list is empty when all access has ended already. Tokens beyond the limit of one transaction are revoked
 * before this returns.
 */
export async function accessEndWrites(
  { id, accounts }: { readonly id: string; readonly accounts: readonly string[] },
  act: Act,
): Promise<TransactionWrite[]> {
  const writes: TransactionWrite[] = [];
  let tokensLeft = tokensAtOnceMax;
  for (const accountId of accounts) {
    // The account comes first: a token that it gets after that changes its revision.
    const account = await getItem(keys.account(accountId));
    // Whoever has signed in since as somebody else of the directory is not this one.
    if (account === undefined || !textsOf(account, "provisionedAs").includes(id)) continue;
    const rows = await queryAll(ranges.tokenRows(accountId));
    for (const row of rows.slice(tokensLeft))
      await tokens.revoke(accountId, tokenIdOf(row), { ...act, action: "revoke-token" });
    const last = rows.slice(0, tokensLeft);
    tokensLeft -= last.length;
    if (last.length === 0 && account[membershipEndedAttribute] !== undefined) continue;
    const mark = endMembershipOf(accountId, act.atMs);
    writes.push(
      {
        ...mark,
        condition: `${mark.condition} AND ${isUnchanged("tokensRevision", account.tokensRevision)}`,
        values: { ...mark.values, ":seen": account.tokensRevision },
      },
      ...last.flatMap(tokenRemoval),
    );
  }
  return writes;
}
