import { expect } from "vitest";
import { expectError } from "../../support/expect-error.ts";
import type { Observation } from "../call.ts";
import type { AccountState } from "../state.ts";

/** Checks if a drop is on hold, or for the empty string, the account. */
export function isHeld({ holds }: AccountState, slug: string): boolean {
  return holds.includes("") || (slug !== "" && holds.includes(slug));
}

/** Checks the refusal of a deletion during a hold. Nothing changes. */
export function refuseHeld(state: AccountState, { response }: Observation): AccountState {
  expect(expectError(response, "forbidden").details.reason).toBe("legal_hold");
  return state;
}
