import type { DeviceCode } from "../domain/device-code.ts";
import { createTokenId, type RandomInt } from "../domain/identifiers.ts";
import { createTokenPlaintext, hashSecret, type Token } from "../domain/token.ts";
import { accounts } from "../store/accounts.ts";
import { deviceCodes } from "../store/device-codes.ts";
import type { WriteIds } from "./request-log.ts";

/** What became of a verified code: its token, whose plaintext exists here and nowhere else, or why there is none. */
export type TokenClaim =
  | {
      readonly kind: "claimed";
      readonly plaintext: string;
      readonly token: Token;
      readonly namespace: string;
    }
  | { readonly kind: "late" }
  | { readonly kind: "no-account" };

/** Turns a verified code into its one token. Of many claims at once one wins, and the others are late. */
export async function claimToken(
  code: Extract<DeviceCode, { readonly state: "verified" }>,
  nowMs: number,
  randomInt: RandomInt,
): Promise<TokenClaim> {
  const account = await accounts.find(code.userId);
  if (account === undefined) return { kind: "no-account" };
  const plaintext = createTokenPlaintext(randomInt);
  const token: Token = {
    id: createTokenId(randomInt),
    userId: code.userId,
    hash: hashSecret(plaintext),
    label: code.label,
    createdAtMs: nowMs,
    lastUsedAtMs: nowMs,
  };
  const { namespace } = account;
  const isClaimed = await deviceCodes.claim(code.code, token, namespace, nowMs);
  return isClaimed ? { kind: "claimed", plaintext, token, namespace } : { kind: "late" };
}

/** What a claim is logged with: whose the token is, and its id. */
export function claimIds(claim: TokenClaim): WriteIds {
  return claim.kind === "claimed" ? { ownerId: claim.token.userId, tokenId: claim.token.id } : {};
}
