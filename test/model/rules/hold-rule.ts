import { expect } from "vitest";
import { expectError } from "../../support/expect-error.ts";
import type { Observation } from "../call.ts";
import type { AccountState } from "../state.ts";

/** Tells whether a drop, or with the empty string anything else of the account, is on hold. */
export function isHeld({ holds }: AccountState, slug: string): boolean {
  return holds.includes("") || (slug !== "" && holds.includes(slug));
}

/** Checks the refusal of a deletion of what is on hold: nothing changes. */
export function refuseHeld(state: AccountState, { response }: Observation): AccountState {
  expect(expectError(response, "forbidden").details.reason).toBe("legal_hold");
  return state;
}
