import type { SignInStartAnswer } from "../../contract/answers.ts";
import { limits } from "../../contract/limits.ts";
import { startSignInRoute } from "../../contract/sign-in-routes.ts";
import { verificationUrl } from "../../domain/addresses.ts";
import { ok } from "../../http/answer.ts";
import { startNewSignIn } from "../../http/new-sign-in.ts";
import { operation } from "../../http/operation.ts";

/** POST /api/auth/start: a device code for the human, a poll token for the agent. */
export const startSignIn = operation(startSignInRoute, async ({ body, request, site, nowMs, randomInt }) => {
  const by = { network: request.network, nowMs, randomInt };
  const { code, pollToken } = await startNewSignIn(body.label ?? null, by);
  return ok({
    code,
    verification_url: verificationUrl(site, code),
    poll_token: pollToken,
    expires_in: limits.deviceCodeSeconds,
    poll_interval: limits.pollIntervalSeconds,
  } satisfies SignInStartAnswer);
});
