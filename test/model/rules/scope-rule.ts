import { expect } from "vitest";
import type { TokenScope } from "../../../functions/table/identifiers.ts";
import { expectError } from "../../support/expect-error.ts";
import type { Observation } from "../call.ts";
import { type AccountState, type DropState, type TokenState, tokenOf } from "../state.ts";
import { feedbackOf } from "./reach-rule.ts";

/** Checks the refusal of a token whose scope is too narrow. It names both scopes, and nothing changes. */
export function refuseScope(
  state: AccountState,
  { scope }: TokenState,
  needed: TokenScope,
  { response }: Observation,
): AccountState {
  expect(expectError(response, "insufficient_scope").details).toEqual({ scope, needed });
  return state;
}

/** Returns the call's token if its scope does not include the change of the drop's access or expiry. */
export function tooNarrowFor(
  before: DropState,
  after: DropState,
  state: AccountState,
  { call }: Observation,
): TokenState | undefined {
  const token = tokenOf(state, call);
  const isNarrow = token !== undefined && (token.scope ?? "all") !== "all";
  return isNarrow && accessOf(before) !== accessOf(after) ? token : undefined;
}

function accessOf(drop: DropState): string {
  const { visibility, readers, passcode, indexed, answers = "off", showsResults = false, expiresAtMs } = drop;
  return JSON.stringify([
    ...[visibility, readers.toSorted(), passcode ?? null, indexed, expiresAtMs ?? null],
    ...[feedbackOf(drop), answers, showsResults],
  ]);
}
