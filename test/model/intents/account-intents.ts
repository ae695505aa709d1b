import fc from "fast-check";
import type { OperationId } from "../../../functions/routes.ts";
import type { AccountState } from "../state.ts";
import { choose, credential, credentialWords, type Intent, nameOf, target, tokenFor } from "./intent.ts";

function plain(operation: OperationId): fc.Arbitrary<Intent> {
  return credential.map((wanted) => ({
    words: `${operation}${credentialWords(wanted)}`,
    toCall: (state) => ({ operation, ...tokenFor(state, wanted) }),
  }));
}

const revokeToken = fc.tuple(target, credential).map(
  ([one, wanted]): Intent => ({
    words: `revoke-token ${nameOf("token", one)}${credentialWords(wanted)}`,
    toCall(state, other) {
      const idsOf = ({ tokens }: AccountState, isRevoked: boolean) =>
        tokens.flatMap((token) => (token.isRevoked === isRevoked ? (token.id ?? []) : []));
      const ids = { own: idsOf(state, false), deleted: idsOf(state, true), other: idsOf(other, false) };
      return { operation: "revoke-token", ...tokenFor(state, wanted), params: { id: choose(one, ids) } };
    },
  }),
);

const startSignIn = fc.constantFrom(undefined, {}, { label: "an agent" }).map(
  (body): Intent => ({
    words: `start-sign-in ${JSON.stringify(body) ?? ""}`,
    toCall: () => ({ operation: "start-sign-in", ...(body === undefined ? {} : { body }) }),
  }),
);

const confirmSignIn = fc.nat({ max: 1 }).map(
  (index): Intent => ({
    words: `confirm sign-in ${index}`,
    toCall(state) {
      const signIn = state.signIns.at(-1 - index) ?? state.signIns.at(-1);
      const { code = "BBBB-BBBB" } = signIn ?? {};
      return { operation: "confirm-sign-in", params: { code, userId: state.userId } };
    },
  }),
);

const pollSignIn = fc.nat({ max: 1 }).map(
  (index): Intent => ({
    words: `poll-sign-in ${index}`,
    toCall(state) {
      const signIn = state.signIns.at(-1 - index) ?? state.signIns.at(-1);
      return { operation: "poll-sign-in", query: { token: signIn?.pollToken ?? "unknown" } };
    },
  }),
);

/** Intents about the account, its tokens and new sign-ins. */
export const accountIntents = {
  getMe: plain("get-me"),
  getUsage: plain("get-usage"),
  listTokens: plain("list-tokens"),
  revokeToken,
  startSignIn,
  confirmSignIn,
  pollSignIn,
} as const;
