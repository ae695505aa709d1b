import { expect } from "vitest";
import { linkTo, type Visit, Visitor } from "./visitor.ts";

/** The way that a page offers on which nothing is shown: the address of its link to sign in. */
export function offeredSignIn(page: Visit): URL {
  const drop = /^(.*)\/[pd]\/([A-Za-z0-9]{7})(\/(raw|compare|feedback))?$/.exec(page.url.pathname);
  if (drop === null) throw new Error(`${page.url} is not the address of a drop.`);
  const [, prefix = "", slug = ""] = drop;
  return linkTo(page, `${prefix}/p/${slug}/read`);
}

/** What the local identity provider's form takes. */
export interface ReaderFacts {
  readonly username: string;
  readonly email?: string;
  readonly email_verified?: string;
}

/** Opens an address where there seems to be nothing, signs in by the page's offer, and comes back: to the page, or to nothing. */
export async function signInToRead(
  address: string | URL,
  reader: string | ReaderFacts,
  visitor = new Visitor(),
): Promise<Visit> {
  const missing = await visitor.open(address);
  expect(missing.response.status).toBe(404);
  const facts = typeof reader === "string" ? { username: reader } : reader;
  return visitor.submit(await visitor.open(offeredSignIn(missing)), { ...facts });
}
