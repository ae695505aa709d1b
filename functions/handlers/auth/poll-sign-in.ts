import type { SignInPollAnswer } from "../../contract/answers.ts";
import { pollSignInRoute } from "../../contract/routes.ts";
import { type DeviceCode, pollStatus } from "../../domain/device-code.ts";
import { createTokenId, type RandomInt } from "../../domain/identifiers.ts";
import { createTokenPlaintext, hashSecret, type Token } from "../../domain/token.ts";
import { ok } from "../../http/answer.ts";
import { operation } from "../../http/operation.ts";
import { accounts } from "../../store/accounts.ts";
import { deviceCodes } from "../../store/device-codes.ts";

/** GET /api/auth/poll: how the sign-in stands; the first verified poll gets the API token, once. */
export const pollSignIn = operation(pollSignInRoute, async ({ query, request, nowMs, randomInt }) => {
  const code = await deviceCodes.findByPollTokenHash(hashSecret(query.pollToken));
  if (code === undefined) return report({ status: "not_found" });
  const status = pollStatus(code, nowMs);
  // HEAD changes nothing (RFC 9110, section 9.3.2), and would lose the token with its answer's body.
  if (status !== "verified" || code.state !== "verified" || request.method === "HEAD") return report({ status });
  return report(await claim(code, code.userId, nowMs, randomInt));
});

async function claim(
  code: DeviceCode,
  userId: string,
  nowMs: number,
  randomInt: RandomInt,
): Promise<SignInPollAnswer> {
  const account = await accounts.find(userId);
  if (account === undefined) return { status: "expired" };
  const plaintext = createTokenPlaintext(randomInt);
  const token: Token = {
    id: createTokenId(randomInt),
    userId,
    hash: hashSecret(plaintext),
    label: code.label,
    createdAtMs: nowMs,
    lastUsedAtMs: nowMs,
  };
  const isClaimed = await deviceCodes.claim(code.code, token, account.namespace, nowMs);
  // Of many polls at once one wins; the others find the code claimed.
  return isClaimed ? { status: "verified", api_token: plaintext, user_id: userId } : { status: "claimed" };
}

function report(answer: SignInPollAnswer) {
  return ok(answer);
}
