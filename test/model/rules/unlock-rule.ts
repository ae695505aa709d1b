import { expect } from "vitest";
import { limits } from "../../../functions/core/limits.ts";
import { expectErrorPage } from "../../support/expect-error.ts";
import type { Observation } from "../call.ts";
import { type AccountState, type DropState, withDrop } from "../state.ts";
import { expectGate, locationOf } from "./page-rules.ts";
import type { Rule } from "./rule.ts";
import { addressOf, dropAt, isOnBaseHost } from "./serving.ts";

/** POST /p/{slug}/unlock: after ten wrong passcodes, a visitor's right one is refused, too. */
export const unlockDrop: Rule = (state, observation) => {
  const { call, response } = observation;
  const drop = isOnBaseHost(state, call) ? dropAt(state, call) : undefined;
  if (drop === undefined) {
    expectErrorPage(response, 404);
    return state;
  }
  if (drop.passcode === undefined) {
    expectWayBack(observation, drop);
    expect(response.setCookies).toEqual([]);
    return state;
  }
  if (drop.wrongGuesses >= limits.wrongPasscodesPerQuarterHourPerVisitor) {
    expectGate(response, drop, 429);
    expect(response.headers["retry-after"]).toMatch(/^[1-9]\d{0,2}$/);
    return state;
  }
  if (new URLSearchParams(call.text).get("passcode") !== drop.passcode) {
    expectGate(response, drop, 403);
    return withDrop(state, { ...drop, wrongGuesses: drop.wrongGuesses + 1 });
  }
  expectWayBack(observation, drop);
  return withCookie(state, drop, observation);
};

function expectWayBack(observation: Observation, { slug }: DropState): void {
  expect(observation.response.status).toBe(303);
  const { host, pathname, search } = locationOf(observation);
  const asked = addressOf(observation.call);
  expect([host, pathname + search]).toEqual([asked.host, asked.searchParams.get("to") ?? `/p/${slug}`]);
}

function withCookie(
  state: AccountState,
  { slug, gateEpoch }: DropState,
  observation: Observation,
): AccountState {
  const [line = "", known, ...others] = observation.response.setCookies;
  expect(known).toMatch(
    new RegExp(`^__Host-dl_tries_${slug}=[^;]+;.*Max-Age=${limits.gateOpenedCookieSeconds}`),
  );
  expect(others).toEqual([]);
  expect(line).toMatch(new RegExp(`^__Host-dl_${slug}=[^;]+;.*Max-Age=${limits.passcodeCookieSeconds}`));
  const pair = line.replace(/;.*$/, "");
  const { host } = addressOf(observation.call);
  return { ...state, cookies: [...state.cookies, { host, slug, gateEpoch, pair }] };
}
