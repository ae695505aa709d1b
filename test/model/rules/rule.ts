import { expect } from "vitest";
import { readSuccess } from "../../support/client.ts";
import type { Observation, StepBetween } from "../call.ts";
import type { AccountState } from "../state.ts";

/**
 * What an operation does to an account: checks the answer, whole, and gives the account after it. Reached only by calls
 * that are let in and whose input is valid.
 *
 * @throws when the answer is not the one that follows from the state
 */
export type Rule = (state: AccountState, observation: Observation) => AccountState;

/** Checks a good answer with JSON: its headers, its fields by the contract, and each value. Gives the body. */
export function expectJson<Body>({ call, answer }: Observation, expected: object): Body {
  readSuccess(call.operation as Exclude<typeof call.operation, StepBetween>, answer);
  const body = JSON.parse(answer.text) as Body;
  expect(body).toEqual(expected);
  return body;
}

/** Checks a good answer without a body. */
export function expectNoContent({ call, answer }: Observation): void {
  readSuccess(call.operation as Exclude<typeof call.operation, StepBetween>, answer);
}

/** The time that an answer tells must lie between its request and its arrival. */
export function during({ sentAtMs, answeredAtMs }: Observation) {
  return { from: sentAtMs, to: answeredAtMs };
}
