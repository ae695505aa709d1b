import { expect } from "vitest";
import { limits } from "../../../functions/core/limits.ts";
import { neededScope, neededTeamRole, type Route } from "../../../functions/http/route.ts";
import { routeOf } from "../../../functions/routes.ts";
import { includesScope } from "../../../functions/table/token-scope.ts";
import { expectError } from "../../support/expect-error.ts";
import { isStepBetween, type Observation } from "../call.ts";
import { type AccountState, type TokenState, tokenOf, withToken } from "../state.ts";
import { during } from "./rule.ts";
import { refuseScope } from "./scope-rule.ts";

const minuteMs = 60_000;

/** The account after a call was admitted or refused. A refused call has no other effect. */
export interface Admission {
  readonly state: AccountState;
  readonly isIn: boolean;
}

/** Checks in this order: 401, 403, invalid input, write rate. See docs/adr/0002-rate-limits.md. */
export function admit(state: AccountState, observation: Observation): Admission {
  const { call, response } = observation;
  if (isStepBetween(call.operation)) return { state, isIn: true };
  const route = routeOf(call.operation);
  const token = tokenOf(state, call);
  if (route.caller === "token" && (token === undefined || token.isRevoked)) {
    expectError(response, "unauthorized");
    return { state, isIn: false };
  }
  if (route.caller === "token" && token && !includesScope(token.scope ?? "all", neededScope(route)))
    return { state: refuseScope(state, token, neededScope(route), observation), isIn: false };
  const bar = route.caller === "token" && token ? barOf(state, token, route) : undefined;
  const used = token && { ...token, lastUsedAtMs: during(observation) };
  if (call.refusal !== undefined) {
    if (bar === undefined) expectError(response, call.refusal);
    else expectBarred(observation, bar);
    // An invalid request does not count as a write.
    return { state: used ? withToken(state, used) : state, isIn: false };
  }
  if (used === undefined) return { state, isIn: true };
  const admission = route.countsAsWrite
    ? spendWrite(state, used, observation)
    : { state: withToken(state, used), isIn: true };
  if (!admission.isIn || bar === undefined) return admission;
  // The person is looked up after the write was counted.
  expectBarred(observation, bar);
  return { ...admission, isIn: false };
}

/** Returns the refusal's details for a person who has left the team or only edits it, and undefined for anyone else. */
function barOf({ team, namespace }: AccountState, { person }: TokenState, route: Route): object | undefined {
  if (team === undefined || !person) return undefined;
  const role = team.people[person.name];
  if (role === undefined) return { reason: "not_in_team", team: namespace };
  return role === "editor" && neededTeamRole(route) === "owner" ? { reason: "not_team_owner" } : undefined;
}

function expectBarred({ response }: Observation, details: object): void {
  expect(expectError(response, "forbidden").details).toEqual(details);
}

function spendWrite(state: AccountState, token: TokenState, observation: Observation): Admission {
  const { response, sentAtMs, answeredAtMs } = observation;
  const { minute } = token;
  const isFresh = minute === undefined || sentAtMs > minute.startedAtMs.to + minuteMs;
  if (isFresh || (minute.count >= limits.writesPerMinutePerToken && mayBeOver(minute, observation))) {
    const opened = { startedAtMs: during(observation), count: 1 };
    return { state: withToken(state, { ...token, minute: opened }), isIn: true };
  }
  if (minute.count < limits.writesPerMinutePerToken) {
    const spent = { ...minute, count: minute.count + 1 };
    return { state: withToken(state, { ...token, minute: spent }), isIn: true };
  }
  const { details } = expectError(response, "rate_limited");
  const waitSeconds = Number(details.retry_after_seconds);
  expect(waitSeconds).toBeGreaterThanOrEqual(
    Math.ceil((minute.startedAtMs.from + minuteMs - answeredAtMs) / 1000),
  );
  expect(waitSeconds).toBeLessThanOrEqual(Math.ceil((minute.startedAtMs.to + minuteMs - sentAtMs) / 1000));
  // A call refused for its rate does not count as a use of the token, but its message to the MCP server does.
  return { state: observation.call.byTool ? withToken(state, token) : state, isIn: false };
}

/** Checks if the minute may have ended, in which case the response decides. */
function mayBeOver(
  { startedAtMs }: NonNullable<TokenState["minute"]>,
  { response, answeredAtMs }: Observation,
): boolean {
  return answeredAtMs >= startedAtMs.from + minuteMs && response.status !== 429;
}
