import type { Observation } from "./call.ts";
import { judge, shelfKeptMs } from "./judge.ts";
import { admit } from "./rules/admission.ts";
import { isAnsweredBefore, withStored } from "./rules/idempotency-rule.ts";
import {
  type Accounts,
  createTeam,
  createTeamToken,
  editTeam,
  getTeam,
  listTeams,
  moveDrop,
  removeTeamRole,
  setTeamRole,
  type TeamRule,
  withAccount,
} from "./rules/team-rules.ts";
import { type AccountState, tokenOf, withShelfLeftovers } from "./state.ts";

const rules: Partial<Record<Observation["call"]["operation"], TeamRule>> = {
  "list-teams": listTeams,
  "create-team": createTeam,
  "get-team": getTeam,
  "edit-team": editTeam,
  "set-team-role": setTeamRole,
  "remove-team-role": removeTeamRole,
  "create-team-token": createTeamToken,
  "move-drop": moveDrop,
};

/**
 * The model of people and their teams: checks a response against the accounts before the call, and returns the accounts after it.
 *
 * @param acting the acting account, if neither a token nor a drop identifies it
 * @throws if the response is not the expected one
 */
export function judgeTeams(before: Accounts, observation: Observation, acting: AccountState): Accounts {
  const account = accountOf(before, observation, acting);
  const rule = rules[observation.call.operation];
  if (rule === undefined) return withAccount(before, judge(account, observation));
  const { state, isIn } = admit(account, observation);
  const admitted = withAccount(before, state);
  if (!isIn || isAnsweredBefore(state, observation)) return admitted;
  const after = rule(admitted, state, observation);
  return after.map((one) => {
    const was = before.find(({ namespace }) => namespace === one.namespace) ?? one;
    const stored = one.namespace === state.namespace ? withStored(state, one, observation) : one;
    return withShelfLeftovers(was, stored, observation.answeredAtMs + shelfKeptMs);
  });
}

/** Returns the account of a call: that of its token, or of the drop in its URL. */
function accountOf(accounts: Accounts, { call }: Observation, acting: AccountState): AccountState {
  const slug = call.address && /^\/[pd]\/(\w{7})/.exec(new URL(call.address).pathname)?.[1];
  return (
    accounts.find((account) => tokenOf(account, call) !== undefined) ??
    accounts.find((account) => slug !== undefined && hasSlug(account, slug)) ??
    acting
  );
}

function hasSlug({ drops, expired, trash, deletedSlugs }: AccountState, slug: string): boolean {
  const all = [...drops, ...expired, ...trash.map(({ drop }) => drop)].map((drop) => drop.slug);
  return [...all, ...deletedSlugs].includes(slug);
}
