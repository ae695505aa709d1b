import { createHash, timingSafeEqual } from "node:crypto";
import { anyone, defineOperation, type OperationInput } from "../http/operation.ts";
import { type HttpResponse, ok } from "../http/response.ts";
import type { Site } from "../http/site.ts";
import { findTokenQuota, tokenQuotaExceeded } from "../identity/token-quota.ts";
import { hashSecret } from "../table/identifiers.ts";
import { RetryableError, retryConflicts } from "../table/table.ts";
import { requireResource } from "./authorization-request.ts";
import { type AuthorizationCode, findCode } from "./authorization-store.ts";
import { isClientId } from "./client.ts";
import { type Parameters, readParameters } from "./form.ts";
import { type AccessToken, findRefreshToken, grants, type IssuedTokens, mayActFor } from "./grant-store.ts";
import { findAssertionIssuer } from "./identity-assertion.ts";
import { oauthLimits } from "./limits.ts";
import { invalidGrant, invalidRequest, OAuthError, presentOAuthError } from "./oauth-error.ts";
import { redeemAssertion } from "./redeem-assertion.ts";
import { redeemWorkflowToken } from "./redeem-workflow-token.ts";
import { issueTokenRoute } from "./rows.ts";
import { assertionGrantType, defaultScope, exchangeGrantType, tokenTypes } from "./schemas.ts";
import { findScope, invalidScope, readScope } from "./scopes.ts";
import { findWorkflowTrust } from "./workflow-token.ts";

type Input = OperationInput<typeof issueTokenRoute>;

/**
 * POST /oauth/token: exchanges a code or a refresh token for an access token and a single-use refresh token (RFC 6749, sections 4.1.3 and
 * 6). A second use of a code or refresh token ends the grant (RFC 9700, section 4.14.2). However, within 30 seconds of the first use, a
 * refresh token returns the same tokens again. For an identity assertion or a workflow's ID token, issues only an access token.
 */
export const issueToken = defineOperation(issueTokenRoute, {
  identify: anyone,
  presentError: presentOAuthError,
  run: async (input) => {
    const parameters = readParameters(input.request, input.body);
    const name = parameters.require("grant_type");
    if (name === exchangeGrantType) return exchange(parameters, input);
    requireResource(parameters.all("resource"), input.site);
    const grantType = grantTypes.get(name);
    if (grantType === undefined) throw unsupported(name, input.site);
    parameters.requireAll("client_id", ...(requiredBy[name] ?? []));
    const clientId = parameters.require("client_id");
    return grantType(parameters, clientId, input).catch(async (error: unknown) => {
      throw (await isOfUnknownClient(error, clientId)) ? unknownClient() : error;
    });
  },
});

/** Error for an unsupported grant type. Explains the sign-in for agents to clients that probably run without a browser. */
function unsupported(grantType: string, { baseUrl }: Site): OAuthError {
  const isForAgent = /device_code$|^client_credentials$|^password$/.test(grantType);
  const signIn = isForAgent ? ` To get a token for an agent, call POST ${baseUrl}/api/auth/start.` : "";
  return new OAuthError(
    "unsupported_grant_type",
    `grant_type must be authorization_code, refresh_token or, if the operator allows it, jwt-bearer or token-exchange.${signIn}`,
  );
}

type GrantType = (parameters: Parameters, clientId: string, input: Input) => Promise<HttpResponse>;

const grantTypes: ReadonlyMap<string, GrantType> = new Map([
  ["authorization_code", redeem],
  ["refresh_token", renew],
  [assertionGrantType, assert],
]);

/** Required parameters of each grant type, besides the client id. */
const requiredBy: Readonly<Record<string, readonly string[]>> = {
  authorization_code: ["code", "code_verifier"],
  refresh_token: ["refresh_token"],
};

/**
 * Checks whether the client of a failed request is unknown or has expired. Such a client must register again to get a new grant. Its
 * existing grants stay valid, because a grant stores the hash of the client id.
 */
async function isOfUnknownClient(error: unknown, clientId: string): Promise<boolean> {
  return error instanceof OAuthError && error.oauthCode === "invalid_grant" && !(await isClientId(clientId));
}

async function redeem(parameters: Parameters, clientId: string, input: Input): Promise<HttpResponse> {
  const plaintext = parameters.require("code");
  const verifier = parameters.require("code_verifier");
  const redirectUri = parameters.find("redirect_uri");
  return retryConflicts(async () => {
    const code = await findCode(plaintext);
    if (code === undefined) throw noSuchCode();
    if (code.tokenId !== undefined) throw await usedAgain({ ...code, tokenId: code.tokenId }, input, "code");
    requireOwn(code, { clientId, redirectUri, verifier });
    if (code.expiresAtMs <= input.nowMs) throw noSuchCode();
    const tokenQuota = await findTokenQuota(code.userId, input.nowMs);
    if (tokenQuota === undefined || tokenQuota.isSuspended || tokenQuota.isRemoved) throw overNow();
    const allowedAtMs = code.expiresAtMs - oauthLimits.authorizationCodeSeconds * 1000;
    if (!(await mayActFor(code.userId, { personId: code.personId, createdAtMs: allowedAtMs })))
      throw overNow();
    if (tokenQuota.isFull) throw tokenQuotaExceeded();
    const outcome = await grants.redeem(code, tokenQuota, input.act, input.randomInt);
    // Retries after a conflict, because another request may have used the code.
    if (typeof outcome !== "object") throw new RetryableError();
    return present(outcome);
  });
}

async function renew(parameters: Parameters, clientId: string, input: Input): Promise<HttpResponse> {
  const plaintext = parameters.require("refresh_token");
  const scope = readScope(parameters.find("scope"));
  return retryConflicts(async () => {
    const token = await findRefreshToken(plaintext);
    if (token === undefined) throw invalidGrant("This refresh token is unknown or has expired.");
    if (token.clientHash !== hashSecret(clientId))
      throw invalidGrant("This refresh token was issued to another client.");
    const outcome =
      token.use === undefined
        ? await grants.renew(token, plaintext, input.act, scope)
        : await grants.repeat(token, token.use, plaintext, input.nowMs);
    if (outcome === "reused") throw await usedAgain(token, input, "refresh token");
    if (outcome === "over") throw overNow();
    if (outcome === "raced") throw new RetryableError();
    return present(outcome);
  });
}

/** Exchanges an identity assertion for an access token (RFC 7523, section 2.1). */
async function assert(parameters: Parameters, clientId: string, input: Input): Promise<HttpResponse> {
  const issuer = findAssertionIssuer();
  if (issuer === undefined)
    throw new OAuthError(
      "unsupported_grant_type",
      "This service does not accept assertions from an identity provider.",
    );
  const asked = parameters.find("scope");
  const scope = asked === undefined ? undefined : findScope(asked);
  if (asked !== undefined && scope === undefined) throw invalidScope();
  const assertion = parameters.require("assertion");
  return present(await redeemAssertion({ assertion, clientId, scope }, issuer, input));
}

/** Exchanges the ID token of a GitHub workflow job for an access token (RFC 8693, section 2). */
async function exchange(parameters: Parameters, input: Input): Promise<HttpResponse> {
  const trust = findWorkflowTrust();
  if (trust === undefined)
    throw new OAuthError(
      "unsupported_grant_type",
      "This service does not accept workflow ID tokens: its operator has not set githubActions.",
    );
  const { baseUrl } = input.site;
  for (const target of [...parameters.all("resource"), ...parameters.all("audience")])
    if (target !== baseUrl)
      throw new OAuthError("invalid_target", `resource and audience must be ${baseUrl}, if they are sent.`);
  const type = parameters.require("subject_token_type");
  if (type !== tokenTypes.idToken && type !== tokenTypes.jwt)
    throw invalidRequest(`subject_token_type must be ${tokenTypes.idToken}.`);
  const scope = readScope(parameters.find("scope"));
  const { accessToken, expiresInSeconds, userId, tokenId } = await redeemWorkflowToken(
    { idToken: parameters.require("subject_token"), scope: scope ?? defaultScope },
    trust,
    input,
  );
  return ok(
    {
      access_token: accessToken,
      issued_token_type: tokenTypes.accessToken,
      token_type: "Bearer",
      expires_in: expiresInSeconds,
      ...(scope === undefined ? {} : { scope }),
    },
    { ownerId: userId, tokenId },
  );
}

/** Ends a grant whose code or refresh token was used twice, because one of the two callers may have stolen it. */
async function usedAgain(
  grant: { readonly userId: string; readonly tokenId: string },
  { act }: Input,
  what: string,
): Promise<OAuthError> {
  await grants.end(grant, act);
  return invalidGrant(
    `This ${what} was used before, so its access is revoked. Ask the person to connect the client again.`,
  );
}

/**
 * Requires that the code was issued to the client, and that the verifier and the redirect URI match. The redirect URI is optional, because
 * the verifier already binds the code to the client (OAuth 2.1, section 4.1.3).
 */
function requireOwn(
  code: AuthorizationCode,
  sent: { readonly clientId: string; readonly redirectUri: string | undefined; readonly verifier: string },
): void {
  if (hashSecret(sent.clientId) !== code.clientHash)
    throw invalidGrant("This code was issued to another client.");
  if (sent.redirectUri !== undefined && sent.redirectUri !== code.redirectUri)
    throw invalidGrant("redirect_uri differs from the redirect_uri of the authorization request.");
  // Compares the verifier with the challenge (RFC 7636, section 4.6).
  const challenge = createHash("sha256").update(sent.verifier).digest();
  const expected = Buffer.from(code.codeChallenge, "base64url");
  if (expected.byteLength !== challenge.byteLength || !timingSafeEqual(expected, challenge))
    throw invalidGrant("code_verifier does not match code_challenge.");
}

function unknownClient(): OAuthError {
  return new OAuthError(
    "invalid_client",
    "This client_id is unknown, or has expired. Register again at /oauth/register, and ask the person to connect the client again.",
  );
}

function noSuchCode(): OAuthError {
  return invalidGrant("This code is unknown or has expired. A code is valid for one minute.");
}

function overNow(): OAuthError {
  return invalidGrant(
    "Access has ended: the grant was revoked or the account is disabled. Connect the client again.",
  );
}

/** Builds the response with issued tokens (RFC 6749, section 5.1). */
function present({
  accessToken,
  refreshToken,
  expiresInSeconds,
  userId,
  tokenId,
  scope,
}: AccessToken & Partial<IssuedTokens>): HttpResponse {
  return ok(
    {
      access_token: accessToken,
      token_type: "Bearer",
      expires_in: expiresInSeconds,
      ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
      scope,
    },
    { ownerId: userId, tokenId },
  );
}
