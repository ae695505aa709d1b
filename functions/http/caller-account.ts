import { ApiError } from "../contract/api-error.ts";
import type { Account } from "../domain/account.ts";
import { accounts } from "../store/accounts.ts";
import type { Caller } from "../store/tokens.ts";

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
