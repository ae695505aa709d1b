import type { SignInStartAnswer } from "../../contract/answers.ts";
import { ApiError } from "../../contract/api-error.ts";
import { limits } from "../../contract/limits.ts";
import { startSignInRoute } from "../../contract/routes.ts";
import { verificationUrl } from "../../domain/addresses.ts";
import { deviceCodeExpiry } from "../../domain/device-code.ts";
import { createCodeVerifier, createDeviceCode, createPollToken } from "../../domain/identifiers.ts";
import { signInStartRule } from "../../domain/rate-window.ts";
import { hashSecret } from "../../domain/token.ts";
import { ok } from "../../http/answer.ts";
import { operation } from "../../http/operation.ts";
import { deviceCodes } from "../../store/device-codes.ts";
import { rateLimiter } from "../../store/rate-limiter.ts";

/** POST /api/auth/start: a device code for the human, a poll token for the agent. */
export const startSignIn = operation(startSignInRoute, async ({ body, request, site, nowMs, randomInt }) => {
  await rateLimiter.spend(signInStartRule, request.address, nowMs);
  const code = createDeviceCode(randomInt);
  const pollToken = createPollToken(randomInt);
  const started = await deviceCodes.start({
    state: "pending",
    code,
    label: body.label ?? null,
    pollTokenHash: hashSecret(pollToken),
    codeVerifier: createCodeVerifier(randomInt),
    expiresAtMs: deviceCodeExpiry(nowMs),
  });
  if (!started) throw new ApiError("unavailable", { retryAfterSeconds: 1 });
  return ok({
    code,
    verification_url: verificationUrl(site, code),
    poll_token: pollToken,
    expires_in: limits.deviceCodeSeconds,
    poll_interval: limits.pollIntervalSeconds,
  } satisfies SignInStartAnswer);
});
