import { endMembershipOf, membershipEndedAttribute } from "../identity/accounts.ts";
import type { Act, EndedAccess } from "../table/audit.ts";
import { keys, ranges } from "../table/keys.ts";
import { getItem, getItems, type Item, queryAll } from "../table/table.ts";
import { isUnchanged, type TransactionWrite, transact } from "../table/table-writes.ts";
import { readTokens, tokenIdOf, tokenRemoval, tokens } from "../table/tokens.ts";
import { nameKey, textsOf, type UniqueName } from "./name-claims.ts";
import type { StoredUser } from "./stored-user.ts";

/**
 * Takes over the accounts of people who signed in under one of a user's names before SCIM knew it. Each is one transaction, and the
 * rest is done by the next change. Resolves to whether there were any.
 */
export async function adoptAccounts(id: string, names: readonly UniqueName[]): Promise<boolean> {
  let isAny = false;
  for (const name of names) {
    for (const accountId of await findLinkedAccounts(name)) {
      isAny = true;
      const outcome = await transact({
        account: {
          key: keys.account(accountId),
          update: "ADD provisionedAs :ids",
          condition: "attribute_exists(pk)",
          values: { ":ids": new Set([id]) },
        },
        user: {
          key: keys.provisionedUser(id),
          update: "ADD accounts :account, accountsRevision :one",
          condition: "attribute_exists(pk)",
          values: { ":account": new Set([accountId]), ":one": 1 },
        },
        link: unlinkAccount(name, accountId),
      });
      // The account is gone.
      if (!outcome.committed && outcome.failed.has("account"))
        await transact([unlinkAccount(name, accountId)]);
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

/** Tokens that one transaction revokes: two items each, of the 100 that it may have. */
const tokensAtOnceMax = 40;

/** End of the access of a SCIM user's accounts, and how much access that was. */
export class AccessEnd {
  readonly #act: Act;
  /** Access that earlier attempts have ended: tokens beyond the limit of one transaction. */
  readonly #before = { tokens: 0, grants: 0 };
  #counts: EndedAccess = { tokens: 0, sessions: 0, grants: 0 };

  constructor(act: Act) {
    this.#act = act;
  }

  /** Access that ends with the writes that were prepared last: that of an active user. */
  get counts(): EndedAccess {
    return this.#counts;
  }

  /**
   * Builds the writes that end the access of a SCIM user's accounts. Afterwards no account has a token, and none gets one
   * before its person has signed in again.
   *
   * The writes belong in the transaction that deactivates the user. They fail when an account gets or renews a token
   * meanwhile. The list is empty when all access has ended already. Tokens beyond the limit of one transaction are revoked
   * before this returns.
   */
  async prepare(user: StoredUser): Promise<TransactionWrite[]> {
    const writes: TransactionWrite[] = [];
    const last: Item[] = [];
    for (const accountId of user.accounts) {
      // The account comes first: a token that it gets after that changes its revision.
      const account = await getItem(keys.account(accountId));
      // Whoever has signed in since as somebody else of the directory is not this one.
      if (account === undefined || !textsOf(account, "provisionedAs").includes(user.id)) continue;
      const rows = await queryAll(ranges.tokenRows(accountId));
      const place = tokensAtOnceMax - last.length;
      await this.#revoke(accountId, rows.slice(place));
      const ending = rows.slice(0, place);
      last.push(...ending);
      if (ending.length === 0 && account[membershipEndedAttribute] !== undefined) continue;
      const mark = endMembershipOf(accountId, this.#act.atMs);
      writes.push(
        {
          ...mark,
          condition: `${mark.condition} AND ${isUnchanged("tokensRevision", account.tokensRevision)}`,
          values: { ...mark.values, ":seen": account.tokensRevision },
        },
        ...ending.flatMap(tokenRemoval),
      );
    }
    await this.#count(user, last);
    return writes;
  }

  async #revoke(accountId: string, rows: readonly Item[]): Promise<void> {
    if (rows.length === 0) return;
    const found = await countTokens(rows, this.#act.atMs);
    for (const row of rows)
      await tokens.revoke(accountId, tokenIdOf(row), { ...this.#act, action: "revoke-token" });
    this.#before.tokens += found.tokens;
    this.#before.grants += found.grants;
  }

  async #count(user: StoredUser, last: readonly Item[]): Promise<void> {
    const [ending, sessions] = await Promise.all([
      countTokens(last, this.#act.atMs),
      user.active ? countSessions(user, this.#act.atMs) : 0,
    ]);
    this.#counts = {
      tokens: this.#before.tokens + ending.tokens,
      sessions,
      grants: this.#before.grants + ending.grants,
    };
  }
}

/** Counts the tokens of people's own, and the grants of MCP clients, that had not expired. */
async function countTokens(
  rows: readonly Item[],
  nowMs: number,
): Promise<Pick<EndedAccess, "tokens" | "grants">> {
  const valid = (await readTokens(rows)).filter(({ expiresAtMs }) => (expiresAtMs ?? nowMs + 1) > nowMs);
  const grants = valid.filter(({ audience }) => audience !== undefined).length;
  return { tokens: valid.length - grants, grants };
}

/** Counts the sessions that people have started since the last deactivation, and not ended. */
async function countSessions({ id, endedAtMs = 0 }: StoredUser, nowMs: number): Promise<number> {
  const started = await queryAll(ranges.provisionedSessions(id));
  const sessions = await getItems(started.map(({ reference }) => keys.readerSession(String(reference))));
  return sessions.filter(
    ({ createdAtMs, expiresAtMs }) => (expiresAtMs as number) > nowMs && (createdAtMs as number) > endedAtMs,
  ).length;
}
