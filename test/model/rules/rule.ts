import { expect } from "vitest";
import { readSuccess } from "../../support/client.ts";
import type { Observation, StepBetween } from "../call.ts";
import type { AccountState } from "../state.ts";

/**
 * Model of an operation: checks the whole response, and returns the account after it. Used only for admitted calls with valid
 * input.
 *
 * @throws if the response is not the expected one for the state
 */
export type Rule = (state: AccountState, observation: Observation) => AccountState;

/** Checks a successful JSON response: its headers, its fields by the contract, and each value. Returns the body. */
export function expectJson<Body>(observation: Observation, expected: object): Body {
  const { response } = observation;
  requireSuccess(observation);
  const body = JSON.parse(response.text) as Body;
  expect(body).toEqual(expected);
  return body;
}

/** Checks a successful response without a body. */
export function expectNoContent(observation: Observation): void {
  requireSuccess(observation);
  expect(observation.response.text).toBe("");
}

/** Requires success. A tool's output is not validated against its schema, because every value is compared anyway. */
function requireSuccess({ call, response }: Observation): void {
  if (!call.byTool) readSuccess(call.operation as Exclude<typeof call.operation, StepBetween>, response);
  else if (response.status >= 400) throw new Error(`The tool of ${call.operation} refused: ${response.text}`);
}

/** Returns the range from the request to the response, in which the response's time must lie. */
export function during({ sentAtMs, answeredAtMs }: Observation) {
  return { from: sentAtMs, to: answeredAtMs };
}
