import { expect } from "vitest";
import { readSuccess } from "../../support/client.ts";
import type { Observation, StepBetween } from "../call.ts";
import type { AccountState } from "../state.ts";

/**
 * What an operation does to an account: checks the response, whole, and gives the account after it. Reached only by calls
 * that are let in and whose input is valid.
 *
 * @throws when the response is not the one that follows from the state
 */
export type Rule = (state: AccountState, observation: Observation) => AccountState;

/** Checks a good answer with JSON: its headers, its fields by the contract, and each value. Gives the body. */
export function expectJson<Body>(observation: Observation, expected: object): Body {
  const { response } = observation;
  requireSuccess(observation);
  const body = JSON.parse(response.text) as Body;
  expect(body).toEqual(expected);
  return body;
}

/** Checks a good answer without a body. */
export function expectNoContent(observation: Observation): void {
  requireSuccess(observation);
  expect(observation.response.text).toBe("");
}

/** By a tool, the schema of its output is for clients to check: here every value is compared anyway. */
function requireSuccess({ call, response }: Observation): void {
  if (!call.byTool) readSuccess(call.operation as Exclude<typeof call.operation, StepBetween>, response);
  else if (response.status >= 400) throw new Error(`The tool of ${call.operation} refused: ${response.text}`);
}

/** The time that a response tells must lie between its request and its arrival. */
export function during({ sentAtMs, answeredAtMs }: Observation) {
  return { from: sentAtMs, to: answeredAtMs };
}
