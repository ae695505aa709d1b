import { expect } from "vitest";
import { linkTo, type Visit, Visitor } from "./visitor.ts";

/** Returns the address of the page's sign-in link. */
export function offeredSignIn(page: Visit): URL {
  return linkTo(page, "/login/read");
}

/** Fields of the local identity provider's form. */
export interface ReaderFacts {
  readonly username: string;
  readonly email?: string;
  readonly email_verified?: string;
  /** Separated by commas. */
  readonly groups?: string;
}

/** Opens a restricted or missing drop, signs in through the page's link, and returns to the drop or to a refusal. */
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
