import { ApiError } from "../core/errors.ts";
import type { OperationInput } from "../http/operation.ts";
import type { Route } from "../http/route.ts";
import {
  createCodeVerifier,
  createDeviceCode,
  createPollToken,
  hashSecret,
  type Token,
} from "../table/identifiers.ts";
import { rateLimiter } from "../table/rate-limits.ts";
import { signInStartRule } from "../table/rate-rules.ts";
import { deviceCodeExpiry, deviceCodes } from "./device-codes.ts";

/** Starts a sign-in. Returns the code to show, and the secret for claiming the token. @throws ApiError `rate_limited` */
export async function startNewSignIn(
  { label, scope }: Pick<Token, "label" | "scope">,
  { request, nowMs, randomInt }: Pick<OperationInput<Route>, "request" | "nowMs" | "randomInt">,
) {
  await rateLimiter.spend(signInStartRule, request.network, nowMs);
  const code = createDeviceCode(randomInt);
  const pollToken = createPollToken(randomInt);
  const started = await deviceCodes.start({
    state: "pending",
    code,
    label,
    scope,
    pollTokenHash: hashSecret(pollToken),
    codeVerifier: createCodeVerifier(randomInt),
    expiresAtMs: deviceCodeExpiry(nowMs),
  });
  if (!started) throw new ApiError("unavailable", { retryAfterSeconds: 1 });
  return { code, pollToken };
}
