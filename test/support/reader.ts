import { expect } from "vitest";
import { linkTo, type Visit, Visitor } from "./visitor.ts";

/** The address of the link by which a page offers to sign in. */
export function offeredSignIn(page: Visit): URL {
  return linkTo(page, "/login/read");
}

/** What the local identity provider's form takes. */
export interface ReaderFacts {
  readonly username: string;
  readonly email?: string;
  readonly email_verified?: string;
  /** Separated by commas. */
  readonly groups?: string;
}

/** Opens the address of a restricted or missing drop, signs in by the link of the page, and comes back to the drop or to a refusal. */
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
