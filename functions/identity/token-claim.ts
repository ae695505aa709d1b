import { ApiError } from "../core/errors.ts";
import type { WriteIds } from "../core/log.ts";
import { findTeamRole } from "../people/teams.ts";
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
import { type DeviceCode, deviceCodes, lastSetAtOf } from "./device-codes.ts";
import { findTokenQuota } from "./token-quota.ts";

/** Result of claiming a token: the token, or the reason for the refusal. The token's plaintext is never stored. */
export type TokenClaim =
  | {
      readonly kind: "claimed";
      readonly plaintext: string;
      readonly token: Token;
      readonly namespace: string;
    }
  | { readonly kind: "late" | "no-account" | "suspended" | "removed" | "left-team" | "full" };

type VerifiedCode = Extract<DeviceCode, { readonly state: "verified" }>;

/**
 * Claims the token of a verified code. Only one of several concurrent claims succeeds. The others return `late`. If the account has reached
 * its token limit, the code expires, and the person sees the reason at the next sign-in.
 */
export async function claimToken(code: VerifiedCode, act: Act, randomInt: RandomInt): Promise<TokenClaim> {
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
    if (!(await mayStillAct(code))) return { kind: "left-team" };
    if (tokenQuota.isFull) return (await deviceCodes.expire(code.code)) ? { kind: "full" } : { kind: "late" };
    const outcome = await deviceCodes.claim(code.code, token, tokenQuota, act);
    if (outcome === "claimed") return { kind: "claimed", plaintext, token, namespace: tokenQuota.namespace };
    if (outcome === "late") return { kind: "late" };
    throw new RetryableError();
  });
}

/** Checks whether the person who confirmed a code for a team may still publish for the team, and was not deactivated in the meantime. */
async function mayStillAct({ userId, personId, expiresAtMs }: VerifiedCode): Promise<boolean> {
  if (personId === undefined) return true;
  const { role } = await findTeamRole({ userId, personId, grantedAtMs: lastSetAtOf({ expiresAtMs }) });
  return role !== undefined;
}

/** Error for a person who left the team before the token was claimed. */
export function teamLeft(): ApiError {
  return new ApiError("forbidden", {
    message:
      "You may no longer publish for this team, so there is no token. Ask an owner of the team to add you.",
    details: { reason: "not_in_team" },
  });
}

/** Error for a person whom the operator removed before the token was claimed. */
export function membershipEnded(): ApiError {
  return refusal("not_a_member", "You are no longer a member here, so no token was issued.");
}

/** Returns the account id and token id for the request's log entry. */
export function claimIds(claim: TokenClaim): WriteIds {
  return claim.kind === "claimed" ? { ownerId: claim.token.userId, tokenId: claim.token.id } : {};
}
