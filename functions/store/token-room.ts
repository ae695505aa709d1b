import { environmentNames } from "../contract/environment.ts";
import { limits } from "../contract/limits.ts";
import { findEnvironment } from "./environment.ts";
import { keys, ranges } from "./keys.ts";
import { isSuspended } from "./suspension.ts";
import { getItem, queryAll } from "./table.ts";

/** What an account has room for, as it was seen: good for a claim as long as no other claim has come in between. */
export interface TokenRoom {
  readonly namespace: string;
  /** How often a token was claimed; older accounts have none until the next. */
  readonly revision: number | undefined;
  readonly isFull: boolean;
  readonly isSuspended: boolean;
}

/**
 * Counts the tokens of an account; undefined where there is none, or none any more. The revision is read before the rows:
 * what is claimed after it is not in the count, and makes the claim that goes by it fail. Who revokes only makes room.
 */
export async function findTokenRoom(userId: string): Promise<TokenRoom | undefined> {
  const account = await getItem(keys.account(userId));
  if (account === undefined || account.deletingAtMs !== undefined) return undefined;
  const rows = await queryAll(ranges.tokenRows(userId));
  return {
    namespace: account.namespace as string,
    revision: account.tokensRevision as number | undefined,
    isFull: rows.length >= tokensPerAccountMax(),
    isSuspended: isSuspended(account),
  };
}

/** How many tokens an account may have here. */
export function tokensPerAccountMax(): number {
  return Number(findEnvironment(environmentNames.tokensPerAccountMax) ?? limits.tokensPerAccountMax);
}
