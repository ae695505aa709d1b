import { lastIdentityOf } from "../people/accounts.ts";
import { keys, ranges } from "../table/keys.ts";
import { getItems, queryAll } from "../table/table.ts";
import { type AccountRow, toAccountRow } from "./accounts.ts";

/** A part of the list of accounts. */
export type AccountPart = Awaited<ReturnType<typeof listAccounts>>;

/** Accounts of a part. */
const shownMax = 50;

/** Accounts that one request reads: 2,000 of 1 KB are 2 MB. */
const readMax = 2_000;

/**
 * Lists accounts and teams in the order of their namespaces.
 *
 * @returns the accounts, and the namespace after which the next part begins: undefined for the last part
 * @param text filter of `isNamed`. Empty for all accounts
 * @param after the last namespace of the part before. Empty for the first part
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

/** Recognizes an account by a text: its user id, or a part of its namespace, user name or a verified e-mail address, in any case. */
export function isNamed({ userId, namespace, item }: AccountRow, text: string): boolean {
  if (text === "" || userId === text) return true;
  const { username, emails } = lastIdentityOf(item);
  const names = [namespace, username, ...emails];
  return names.some((name) => name.toLowerCase().includes(text.toLowerCase()));
}
