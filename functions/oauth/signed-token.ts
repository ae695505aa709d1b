import { createHash } from "node:crypto";
import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from "jose";
import { ApiError } from "../core/errors.ts";
import type { OAuthError } from "./oauth-error.ts";

// This module verifies tokens that other issuers have signed: identity assertions, and ID tokens of workflows.

/** Accepted signature algorithms. All use public keys, because issuers share no secret with this service. */
const algorithms = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"];

/** Allowed difference between the clocks of the issuer and the service, in seconds. */
const clockToleranceSeconds = 30;

/** Maximum age of a token in seconds. Generous, because most issuers' tokens are valid for only a few minutes. */
const ageSecondsMax = 3_600;

/** Maximum length of a token in characters. Long enough for tokens with many groups. */
const charactersMax = 16_384;

/** Timeout of requests for an issuer's metadata and keys, in milliseconds. */
const timeoutMs = 5_000;

/** Rules for one kind of token. */
interface TokenRules {
  readonly issuer: string;
  readonly audience: string;
  /** Required `typ` header, so that the issuer's tokens of other kinds are refused (RFC 8725, section 3.11). */
  readonly typ: string;
  /** Claims that must be non-empty strings. */
  readonly texts: readonly string[];
  /** Creates the error for an invalid token. */
  readonly refuse: (why: string) => OAuthError;
}

/** A verified token. */
export interface SignedToken {
  readonly claims: JWTPayload;
  /** Digest of the issuer and the claim `jti`, used to detect a second use of the token. */
  readonly reference: string;
  /** Time at which the token expires, plus the allowed clock difference. */
  readonly expiresAtMs: number;
}

/**
 * Verifies a token's signature, type, issuer, single audience, age, and required claims.
 *
 * @throws OAuthError from `rules.refuse` for an invalid token; ApiError `idp_unavailable`
 */
export async function verifySignedToken(
  token: string,
  rules: TokenRules,
  nowMs: number,
): Promise<SignedToken> {
  const { issuer, refuse } = rules;
  if (token.length > charactersMax) throw refuse(`it has more than ${charactersMax} characters`);
  const claims = await verifySignature(token, rules, nowMs);
  for (const name of ["jti", ...rules.texts])
    if (typeof claims[name] !== "string" || claims[name] === "") throw refuse(`its ${name} is not a string`);
  // Requires a single audience. Otherwise, another service in the token's audience could use the token here.
  if (Array.isArray(claims.aud) && claims.aud.length !== 1) throw refuse("its aud names several services");
  return {
    claims,
    reference: createHash("sha256").update(`${issuer} ${claims.jti}`).digest("base64url"),
    expiresAtMs: ((claims.exp as number) + clockToleranceSeconds) * 1000,
  };
}

async function verifySignature(
  token: string,
  { issuer, audience, typ, texts, refuse }: TokenRules,
  nowMs: number,
): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, await keysOf(issuer), {
      issuer,
      audience,
      typ,
      algorithms,
      clockTolerance: clockToleranceSeconds,
      maxTokenAge: ageSecondsMax,
      requiredClaims: ["jti", "exp", "iat", ...texts],
      currentDate: new Date(nowMs),
    });
    return payload;
  } catch (error) {
    if (error instanceof errors.JWKSTimeout || !(error instanceof errors.JOSEError) || isOfKeySet(error))
      throw new ApiError("idp_unavailable", { cause: error });
    throw refuse(problemOf(error));
  }
}

/** Checks whether the issuer's keys could not be fetched. For a response status other than 200, `jose` throws only a generic error. */
function isOfKeySet(error: errors.JOSEError): boolean {
  return error instanceof errors.JWKSInvalid || error.code === "ERR_JOSE_GENERIC";
}

function problemOf(error: errors.JOSEError): string {
  if (error instanceof errors.JWTExpired) return "it has expired";
  if (error instanceof errors.JWTClaimValidationFailed) return `its ${error.claim} is missing or wrong`;
  if (error instanceof errors.JWKSNoMatchingKey) return "it is not signed with any of the issuer's keys";
  if (error instanceof errors.JWSSignatureVerificationFailed) return "its signature is wrong";
  if (error instanceof errors.JOSEAlgNotAllowed) return "its algorithm is not allowed";
  return "it is not a signed JWT";
}

const knownKeys = new Map<string, Promise<JWTVerifyGetKey>>();

/** Returns the issuer's keys, which `jose` fetches again every ten minutes, and for an unknown key. Does not cache a failed discovery. */
function keysOf(issuer: string): Promise<JWTVerifyGetKey> {
  const known = knownKeys.get(issuer);
  if (known !== undefined) return known;
  const keys = discoverKeys(issuer);
  knownKeys.set(issuer, keys);
  keys.catch(() => knownKeys.delete(issuer));
  return keys;
}

/** Finds the issuer's key set in its metadata, which must name the same issuer (OpenID Connect Discovery 1.0, section 4). */
async function discoverKeys(issuer: string): Promise<JWTVerifyGetKey> {
  const url = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const response = await fetch(url, { redirect: "error", signal: AbortSignal.timeout(timeoutMs) });
  const metadata = (await response.json()) as { readonly issuer?: unknown; readonly jwks_uri?: unknown };
  const address = String(metadata.jwks_uri);
  if (!response.ok || metadata.issuer !== issuer || !URL.canParse(address))
    throw new Error("The issuer's metadata is not usable.");
  const keySet = new URL(address);
  if (keySet.protocol !== new URL(issuer).protocol)
    throw new Error("The issuer's keys are not served over https.");
  return createRemoteJWKSet(keySet, { timeoutDuration: timeoutMs });
}
