import type { ApiError } from "../core/errors.ts";
import type { WriteIds } from "../core/log.ts";
import type { Act } from "../table/audit.ts";
import {
  createTokenId,
  createTokenPlaintext,
  hashSecret,
  type RandomInt,
  type Token,
} from "../table/identifiers.ts";
import { refusal } from "../table/suspension.ts";
import { RetryableError, retryConflicts } from "../table/table.ts";
import { expiryOf } from "../table/tokens.ts";
import { type DeviceCode, deviceCodes } from "./device-codes.ts";
import { findTokenQuota } from "./token-quota.ts";

/** Outcome of a claim: the token, whose plaintext exists only here, or the reason for a refusal. */
export type TokenClaim =
  | {
      readonly kind: "claimed";
      readonly plaintext: string;
      readonly token: Token;
      readonly namespace: string;
    }
  | { readonly kind: "late" }
  | { readonly kind: "no-account" }
  | { readonly kind: "suspended" }
  | { readonly kind: "removed" }
  | { readonly kind: "full" };

/**
 * Turns a verified code into its one token. One of several concurrent claims wins, and the others are late. If the
 * account has reached its limit of tokens, the code expires, and its human sees why at the next sign-in.
 */
export async function claimToken(
  code: Extract<DeviceCode, { readonly state: "verified" }>,
  act: Act,
  randomInt: RandomInt,
): Promise<TokenClaim> {
  const plaintext = createTokenPlaintext(randomInt);
  const token: Token = {
    id: createTokenId(randomInt),
    userId: code.userId,
    hash: hashSecret(plaintext),
    label: code.label,
    createdAtMs: act.atMs,
    lastUsedAtMs: act.atMs,
    expiresAtMs: expiryOf({ createdAtMs: act.atMs }),
    personId: code.personId,
    scope: code.scope,
  };
  return retryConflicts(async () => {
    const tokenQuota = await findTokenQuota(code.userId, act.atMs);
    if (tokenQuota === undefined) return { kind: "no-account" };
    if (tokenQuota.isSuspended) return { kind: "suspended" };
    if (tokenQuota.isRemoved) return { kind: "removed" };
    if (tokenQuota.isFull) return (await deviceCodes.expire(code.code)) ? { kind: "full" } : { kind: "late" };
    const outcome = await deviceCodes.claim(code.code, token, tokenQuota, act);
    if (outcome === "claimed") return { kind: "claimed", plaintext, token, namespace: tokenQuota.namespace };
    if (outcome === "late") return { kind: "late" };
    throw new RetryableError();
  });
}

/** Error for a person whom the operator removed after they signed in. */
export function membershipEnded(): ApiError {
  return refusal("not_a_member", "You are no longer a member here, so there is no token.");
}

/** Log ids of a claim: the account and the token. */
export function claimIds(claim: TokenClaim): WriteIds {
  return claim.kind === "claimed" ? { ownerId: claim.token.userId, tokenId: claim.token.id } : {};
}
