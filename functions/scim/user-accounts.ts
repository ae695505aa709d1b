import { endMembershipOf, membershipEndedAttribute } from "../people/accounts.ts";
import type { Act, EndedAccess } from "../table/audit.ts";
import { keys, ranges } from "../table/keys.ts";
import { getItem, getItems, type Item, queryAll } from "../table/table.ts";
import { isUnchanged, type TransactionWrite, transact } from "../table/table-writes.ts";
import { readTokens, tokenIdOf, tokenRemoval, tokens } from "../table/tokens.ts";
import { nameKey, textsOf, type UniqueName } from "./name-claims.ts";
import type { StoredUser } from "./stored-user.ts";

/**
 * Links a SCIM user with the accounts of people who signed in with one of the user's names before SCIM provisioned the user. Links each
 * account in its own transaction. After a failure, the next change to the user links the remaining accounts. Returns true if any account
 * had to be linked.
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
      // If the account was deleted, removes only the link from the name.
      if (!outcome.committed && outcome.failed.has("account"))
        await transact([unlinkAccount(name, accountId)]);
    }
  }
  return isAny;
}

/** Finds the accounts of people who signed in with a name before SCIM provisioned the name. */
async function findLinkedAccounts(name: UniqueName): Promise<readonly string[]> {
  return textsOf((await getItem(nameKey(name))) ?? {}, "accounts");
}

/** Builds the write that removes the link between a name and an account. */
function unlinkAccount(name: UniqueName, accountId: string): TransactionWrite {
  return {
    key: nameKey(name),
    update: "DELETE accounts :account",
    condition: "attribute_exists(pk)",
    values: { ":account": new Set([accountId]) },
  };
}

/** Maximum number of tokens that one transaction revokes. Each token needs two writes, and a transaction has at most 100. */
const tokensAtOnceMax = 40;

/** Ends all access of a SCIM user's accounts, and counts the ended tokens, sessions and grants. */
export class AccessEnd {
  readonly #act: Act;
  /** Counts of tokens and grants that were revoked before the transaction, which can revoke only `tokensAtOnceMax`. */
  readonly #before = { tokens: 0, grants: 0 };
  #counts: EndedAccess = { tokens: 0, sessions: 0, grants: 0 };

  constructor(act: Act) {
    this.#act = act;
  }

  /** Counts of the tokens, sessions and grants that `prepare` ends, including the tokens that it revokes itself. */
  get counts(): EndedAccess {
    return this.#counts;
  }

  /**
   * Builds the writes that end all access of a SCIM user's accounts. The accounts then have no tokens until the person signs in again.
   *
   * Add the writes to the transaction that deactivates the user. They fail if an account gets or renews a token in the meantime. Returns no
   * writes if all access has already ended. If the accounts have too many tokens for one transaction, revokes the excess tokens first.
   */
  async prepare(user: StoredUser): Promise<TransactionWrite[]> {
    const writes: TransactionWrite[] = [];
    const last: Item[] = [];
    for (const accountId of user.accounts) {
      // Reads the account before its tokens, so that the writes fail if a token is created after this read.
      const account = await getItem(keys.account(accountId));
      // Skips an account whose person has since signed in as another SCIM user.
      if (account === undefined || !textsOf(account, "provisionedAs").includes(user.id)) continue;
      const rows = await queryAll(ranges.tokenRows(accountId));
      const free = tokensAtOnceMax - last.length;
      await this.#revoke(accountId, rows.slice(free));
      const ending = rows.slice(0, free);
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

/** Counts unexpired tokens and grants to MCP clients separately. */
async function countTokens(
  rows: readonly Item[],
  nowMs: number,
): Promise<Pick<EndedAccess, "tokens" | "grants">> {
  const valid = (await readTokens(rows)).filter(({ expiresAtMs }) => (expiresAtMs ?? nowMs + 1) > nowMs);
  const grants = valid.filter(({ audience }) => audience !== undefined).length;
  return { tokens: valid.length - grants, grants };
}

/** Counts the sessions that started after the last deactivation and have not expired. */
async function countSessions({ id, endedAtMs = 0 }: StoredUser, nowMs: number): Promise<number> {
  const started = await queryAll(ranges.provisionedSessions(id));
  const sessions = await getItems(started.map(({ reference }) => keys.readerSession(String(reference))));
  return sessions.filter(
    ({ createdAtMs, expiresAtMs }) => (expiresAtMs as number) > nowMs && (createdAtMs as number) > endedAtMs,
  ).length;
}
