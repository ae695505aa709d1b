import { lastIdentityOf } from "../people/accounts.ts";
import { keys, ranges } from "../table/keys.ts";
import { getItems, queryAll } from "../table/table.ts";
import { type AccountRow, toAccountRow } from "./accounts.ts";

/** One page of the account list. */
export type AccountPart = Awaited<ReturnType<typeof listAccounts>>;

/** Maximum number of accounts on a page. */
const shownMax = 50;

/** Maximum number of accounts that one request reads, about 2 MB in total. */
const readMax = 2_000;

/**
 * Lists accounts and teams, ordered by namespace.
 *
 * @returns the accounts, and the cursor for the next page, which is a namespace. The cursor is undefined on the last
 * page.
 * @param text search text for `isNamed`. Empty for all accounts
 * @param after cursor from the previous page. Empty for the first page
 */
export async function listAccounts(text: string, after: string) {
  const found: AccountRow[] = [];
  let last = after;
  for (let read = 0; read < readMax; read += shownMax * 2) {
    const some = await readEntries(last, shownMax * 2);
    for (const account of some.accounts) {
      if (!isNamed(account, text)) continue;
      if (found.length === shownMax) return { accounts: found, next: found.at(-1)?.namespace };
      found.push(account);
    }
    if (some.next === undefined) return { accounts: found, next: undefined };
    last = some.next;
  }
  return { accounts: found, next: last };
}

async function readEntries(after: string, limit: number) {
  const range = ranges.accountEntries();
  const entries = await queryAll(range, {
    limit,
    after: after === "" ? undefined : keys.accountEntry(after),
  });
  const items = await getItems(entries.map(({ userId }) => keys.account(userId as string)));
  const accounts = items.map(toAccountRow).sort((one, other) => (one.namespace < other.namespace ? -1 : 1));
  const next = entries.length < limit ? undefined : (entries.at(-1)?.sk as string | undefined);
  return { accounts, next };
}

/** Checks whether a text is an account's user id, or part of its namespace, user name or verified e-mail addresses. Ignores case. */
export function isNamed({ userId, namespace, item }: AccountRow, text: string): boolean {
  if (text === "" || userId === text) return true;
  const { username, emails } = lastIdentityOf(item);
  const names = [namespace, username, ...emails];
  return names.some((name) => name.toLowerCase().includes(text.toLowerCase()));
}
