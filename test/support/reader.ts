import { expect } from "vitest";
import { enterUsername } from "./sign-in.ts";
import { linkTo, type Visit, Visitor } from "./visitor.ts";

/** The way that a page offers on which nothing is shown: the address of its link to sign in. */
export function offeredSignIn(page: Visit): URL {
  const drop = /^(.*)\/[pd]\/([A-Za-z0-9]{7})(\/raw)?$/.exec(page.url.pathname);
  if (drop === null) throw new Error(`${page.url} is not the address of a drop.`);
  const [, prefix = "", slug = ""] = drop;
  return linkTo(page, `${prefix}/p/${slug}/read`);
}

/** Opens an address where there seems to be nothing, signs in by the page's offer, and comes back: to the page, or to nothing. */
export async function signInToRead(
  address: string | URL,
  username: string,
  visitor = new Visitor(),
): Promise<Visit> {
  const missing = await visitor.open(address);
  expect(missing.response.status).toBe(404);
  return enterUsername(visitor, await visitor.open(offeredSignIn(missing)), username);
}
