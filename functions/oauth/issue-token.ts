import { createHash, timingSafeEqual } from "node:crypto";
import { findTokenQuota, tokenQuotaExceeded } from "../accounts/token-quota.ts";
import { waitForOthers } from "../drops/store.ts";
import { ApiError } from "../platform/errors.ts";
import { anyone, defineOperation, type OperationInput } from "../platform/operation.ts";
import { type HttpResponse, ok } from "../platform/response.ts";
import { requireResource } from "./authorization-request.ts";
import { type AuthorizationCode, findCode } from "./authorization-store.ts";
import { type Parameters, readParameters } from "./form.ts";
import { findRefreshToken, grants, type IssuedTokens } from "./grant-store.ts";
import { OAuthError, presentOAuthError } from "./oauth-error.ts";
import { issueTokenRoute } from "./rows.ts";
import { scope } from "./schemas.ts";

type Input = OperationInput<typeof issueTokenRoute>;

/** Races with others at the same account or grant that one call stands before it gives up. */
const attemptsMax = 60;

/**
 * POST /oauth/token: an access token for a code, or the next for a refresh token, each with a refresh token of one use (RFC 6749,
 * sections 4.1.3 and 6). What comes a second time ends all that came of it (RFC 9700, section 4.14.2).
 */
export const issueToken = defineOperation(issueTokenRoute, {
  identify: anyone,
  presentError: presentOAuthError,
  run: async (input) => {
    const parameters = readParameters(input.request, input.body);
    requireResource(parameters.all("resource"), input.site);
    const grantType = parameters.require("grant_type");
    switch (grantType) {
      case "authorization_code":
        return redeem(parameters, input);
      case "refresh_token":
        return renew(parameters, input);
      default:
        throw new OAuthError(
          "unsupported_grant_type",
          "grant_type must be authorization_code or refresh_token.",
        );
    }
  },
});

async function redeem(parameters: Parameters, input: Input): Promise<HttpResponse> {
  const [plaintext, clientId, redirectUri, verifier] = [
    "code",
    "client_id",
    "redirect_uri",
    "code_verifier",
  ].map(parameters.require) as [string, string, string, string];
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    await waitForOthers(attempt);
    const code = await findCode(plaintext);
    if (code === undefined) throw noSuchCode();
    if (code.tokenId !== undefined) throw await usedAgain({ ...code, tokenId: code.tokenId }, input, "code");
    requireOwn(code, { clientId, redirectUri, verifier });
    if (code.expiresAtMs <= input.nowMs) throw noSuchCode();
    const room = await findTokenQuota(code.userId, input.nowMs);
    if (room === undefined || room.isSuspended || room.isRemoved) throw overNow();
    if (room.isFull) throw tokenQuotaExceeded();
    const outcome = await grants.redeem(code, room, input.act, input.randomInt);
    // Of two calls at once the one that comes late finds the code used.
    if (typeof outcome === "object") return present(outcome);
  }
  throw new ApiError("unavailable", { retryAfterSeconds: 1 });
}

async function renew(parameters: Parameters, input: Input): Promise<HttpResponse> {
  const [plaintext, clientId] = ["refresh_token", "client_id"].map(parameters.require) as [string, string];
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    await waitForOthers(attempt);
    const token = await findRefreshToken(plaintext);
    if (token === undefined)
      throw new OAuthError("invalid_grant", "There is no such refresh token, or no more.");
    if (token.clientId !== clientId)
      throw new OAuthError("invalid_grant", "This refresh token was given to another client.");
    if (token.isUsed) throw await usedAgain(token, input, "refresh token");
    const outcome = await grants.renew(token, input.act, input.randomInt);
    if (outcome === "over") throw overNow();
    if (outcome !== "raced") return present(outcome);
  }
  throw new ApiError("unavailable", { retryAfterSeconds: 1 });
}

/** One of two has it by theft, and nobody can say which: neither keeps anything. */
async function usedAgain(
  grant: { readonly userId: string; readonly tokenId: string },
  { act }: Input,
  what: string,
): Promise<OAuthError> {
  await grants.end(grant, act);
  return new OAuthError(
    "invalid_grant",
    `This ${what} was used before: whatever came of it is revoked. Ask the person to connect the client again.`,
  );
}

/** The code is of whoever began this: the same client, the same address, and the verifier of the challenge. */
function requireOwn(
  code: AuthorizationCode,
  sent: { readonly clientId: string; readonly redirectUri: string; readonly verifier: string },
): void {
  if (sent.clientId !== code.clientId)
    throw new OAuthError("invalid_grant", "This code was given to another client.");
  if (sent.redirectUri !== code.redirectUri)
    throw new OAuthError("invalid_grant", "redirect_uri is another than the one that the code was sent to.");
  // RFC 7636, section 4.6.
  const challenge = createHash("sha256").update(sent.verifier).digest();
  const expected = Buffer.from(code.codeChallenge, "base64url");
  if (expected.byteLength !== challenge.byteLength || !timingSafeEqual(expected, challenge))
    throw new OAuthError("invalid_grant", "code_verifier is not the one that code_challenge was made of.");
}

function noSuchCode(): OAuthError {
  return new OAuthError("invalid_grant", "There is no such code, or no more: a code is good for a minute.");
}

function overNow(): OAuthError {
  return new OAuthError(
    "invalid_grant",
    "What the client was let do is over: it was revoked, or its account may do nothing now.",
  );
}

/** RFC 6749, section 5.1. */
function present({
  accessToken,
  refreshToken,
  expiresInSeconds,
  userId,
  tokenId,
}: IssuedTokens): HttpResponse {
  return ok(
    {
      access_token: accessToken,
      token_type: "Bearer",
      expires_in: expiresInSeconds,
      refresh_token: refreshToken,
      scope,
    },
    { ownerId: userId, tokenId },
  );
}
