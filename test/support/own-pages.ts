import { type Account, newAccount } from "./accounts.ts";
import { enterUsername } from "./sign-in.ts";
import { type Visit, Visitor } from "./visitor.ts";

/** Opens a page that asks who somebody is, signs in, and comes back to it. */
export async function openSignedIn(path: string, username: string, visitor = new Visitor()): Promise<Visit> {
  return enterUsername(visitor, await visitor.open(path), username);
}

/** A person with an account, signed in in a browser. */
export async function newOwner(name: string): Promise<Account & { readonly visitor: Visitor }> {
  const account = await newAccount(name);
  const visitor = new Visitor();
  await openSignedIn("/account", account.username, visitor);
  return { ...account, visitor };
}
