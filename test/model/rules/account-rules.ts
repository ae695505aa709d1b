import { expect } from "vitest";
import type { MeResponse, TokenResponse } from "../../../functions/account/schemas.ts";
import { limits } from "../../../functions/core/limits.ts";
import type { SignInPollResponse, SignInStartResponse } from "../../../functions/identity/schemas.ts";
import { expectError } from "../../support/expect-error.ts";
import type { Call } from "../call.ts";
import { Between, exactly } from "../range.ts";
import {
  type AccountState,
  type PersonState,
  personOf,
  type SignInState,
  type TokenState,
  tokenOf,
  withToken,
} from "../state.ts";
import { during, expectJson, expectNoContent, type Rule } from "./rule.ts";
import { refuseScope } from "./scope-rule.ts";

/** GET /api/me */
export const getMe: Rule = (state, observation) => {
  const token = requireToken(state, observation.call);
  const answered = expectJson<MeResponse>(observation, {
    user_id: state.userId || expect.stringMatching(/^team-/),
    created_at: state.team?.createdAtMs ?? expect.any(Number),
    drop_count: dropCountOf(state),
    token: presented(token),
    account: { namespace: state.namespace, kind: state.team === undefined ? "person" : "team" },
    person: presentedPerson(personOf(state, token)),
  });
  return withToken({ ...state, userId: answered.user_id }, learn(token, answered.token));
};

function presentedPerson(person: PersonState | null): object | null {
  return person && { id: person.userId, name: person.name };
}

/** Returns the token of an admitted call. */
export function requireToken(state: AccountState, call: Call): TokenState {
  const token = tokenOf(state, call);
  if (token === undefined) throw new Error("The model admitted a call without a token of the account.");
  return token;
}

/** GET /api/me/usage */
export const getUsage: Rule = (state, observation) => {
  const bytes = state.blobs.reduce((sum, blob) => sum + Buffer.byteLength(blob.bytes), 0);
  expectJson(observation, {
    plan: "free",
    drops: { used: dropCountOf(state), limit: limits.dropsPerAccountMax },
    blobs: {
      used: state.blobs.length,
      bytes_used: bytes,
      bytes_limit: limits.blobBytesPerAccountMax,
      max_blob_bytes: limits.blobBytesMax,
    },
    subdomains: { used: 1, limit: 1 },
  });
  return state;
};

/** Counts drops. An expired drop counts until it is in the trash. */
function dropCountOf({ drops, expired }: AccountState): number {
  return drops.length + expired.length;
}

/** GET /api/tokens: tokens that are not revoked, oldest first. */
export const listTokens: Rule = (state, observation) => {
  const listed =
    (JSON.parse(observation.response.text) as { readonly tokens?: TokenResponse[] }).tokens ?? [];
  const live = state.tokens.filter(({ isRevoked }) => !isRevoked);
  const unnamed = live.filter(({ id }) => id === undefined);
  // Tokens whose ids are not known yet are listed in the order of their creation.
  const found = listed.map(({ id }) => live.find((token) => token.id === id) ?? unnamed.shift());
  expectJson(observation, { tokens: found.map((token) => (token ? presented(token) : "no such token")) });
  expect(new Set(found).size).toBe(live.length);
  const times = listed.map(({ created_at }) => created_at);
  expect(times).toEqual(times.toSorted((one, other) => one - other));
  return listed.reduce((after, response, index) => {
    const token = found[index];
    return token ? withToken(after, learn(token, response)) : after;
  }, state);
};

/** DELETE /api/tokens/{id}: a token without the scope `all`, or of a team's editor, can revoke only itself. */
export const revokeToken: Rule = (state, observation) => {
  const { id } = observation.call.params ?? {};
  const caller = requireToken(state, observation.call);
  if (id !== caller.id && (caller.scope ?? "all") !== "all")
    return refuseScope(state, caller, "all", observation);
  if (id !== caller.id && caller.person && state.team?.people[caller.person.name] === "editor") {
    expect(expectError(observation.response, "forbidden").details).toEqual({ reason: "not_team_owner" });
    return state;
  }
  const token = state.tokens.find((one) => one.id === id && !one.isRevoked);
  if (token === undefined) {
    expectError(observation.response, "not_found");
    return state;
  }
  expectNoContent(observation);
  return withToken(state, { ...token, isRevoked: true });
};

/** POST /api/auth/start */
export const startSignIn: Rule = (state, observation) => {
  const answered = expectJson<SignInStartResponse>(observation, {
    code: expect.stringMatching(/^[B-Z]{4}-[B-Z]{4}$/),
    verification_url: expect.stringContaining(`${state.baseUrl}/verify?code=`),
    poll_token: expect.stringMatching(/^\w{20,}$/),
    expires_in: limits.deviceCodeSeconds,
    poll_interval: limits.pollIntervalSeconds,
  });
  const { code, poll_token: pollToken } = answered;
  const { label = null } = (observation.call.body ?? {}) as { readonly label?: string };
  return { ...state, signIns: [...state.signIns, { code, pollToken, label, status: "pending" }] };
};

/** A person signs in with the code, which can be used once. */
export const confirmSignIn: Rule = (state, { call, response }) => {
  const signIn = state.signIns.find(({ code }) => code === call.params?.code);
  const isPending = signIn?.status === "pending";
  expect(response.status).toBe(isPending ? 200 : 400);
  const { personId, personName } = call.params ?? {};
  const person = personId === undefined ? undefined : { userId: String(personId), name: String(personName) };
  return isPending ? withSignIn(state, { ...signIn, person, status: "verified" }) : state;
};

/** GET /api/auth/poll: only the first poll after the verification returns the token. */
export const pollSignIn: Rule = (state, observation) => {
  const { token: pollToken } = (observation.call.query ?? {}) as { readonly token?: string };
  const signIn = state.signIns.find((one) => one.pollToken === pollToken);
  if (signIn?.status !== "verified") {
    expectJson(observation, { status: signIn?.status ?? "not_found" });
    return state;
  }
  const answered = expectJson<Required<SignInPollResponse>>(observation, {
    status: "verified",
    api_token: expect.stringMatching(/^hb_\w{36}$/),
    user_id: state.userId,
  });
  const token: TokenState = {
    plaintext: answered.api_token,
    id: undefined,
    label: signIn.label,
    createdAtMs: during(observation),
    lastUsedAtMs: during(observation),
    minute: undefined,
    isRevoked: false,
    person: signIn.person,
  };
  const claimed = withSignIn(state, { ...signIn, status: "claimed" });
  return { ...claimed, tokens: [...claimed.tokens, token] };
};

function withSignIn(state: AccountState, changed: SignInState): AccountState {
  const signIns = state.signIns.map((one) => (one.code === changed.code ? changed : one));
  return { ...state, signIns };
}

/** Section "TokenInfo" of the specification. */
function presented({ id, label, createdAtMs, lastUsedAtMs, scope = "all", expiresAtMs }: TokenState): object {
  return {
    id: id ?? expect.any(String),
    label,
    created_at: new Between(createdAtMs),
    last_used_at: new Between(lastUsedAtMs),
    ...(expiresAtMs === undefined ? {} : { expires_at: expiresAtMs }),
    scope,
  };
}

function learn(token: TokenState, response: TokenResponse): TokenState {
  return {
    ...token,
    id: response.id,
    createdAtMs: exactly(response.created_at),
    lastUsedAtMs: exactly(response.last_used_at),
  };
}
