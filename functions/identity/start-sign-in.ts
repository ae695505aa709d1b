import { limits } from "../core/limits.ts";
import { operation } from "../http/operation.ts";
import { ok } from "../http/response.ts";
import { verificationUrl } from "../http/site.ts";
import { startNewSignIn } from "./new-sign-in.ts";
import { startSignInRoute } from "./rows.ts";
import type { SignInStartResponse } from "./schemas.ts";

/** POST /api/auth/start: responds with a device code for the human and a poll token for the agent. */
export const startSignIn = operation(startSignInRoute, async (input) => {
  const { body, site } = input;
  const { code, pollToken } = await startNewSignIn(
    { label: body.label || null, scope: body.scope ?? "all" },
    input,
  );
  return ok({
    code,
    verification_url: verificationUrl(site, code),
    poll_token: pollToken,
    expires_in: limits.deviceCodeSeconds,
    poll_interval: limits.pollIntervalSeconds,
  } satisfies SignInStartResponse);
});
