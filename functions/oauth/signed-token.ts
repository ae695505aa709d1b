import { createHash } from "node:crypto";
import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from "jose";
import { ApiError } from "../core/errors.ts";
import type { OAuthError } from "./oauth-error.ts";

// Tokens that other issuers have signed: identity assertions, and ID tokens of workflows.

/** Signatures by public keys. Shared secrets are not accepted. */
const algorithms = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"];

/** Difference between the clocks of issuer and service. */
const clockToleranceSeconds = 30;

/** Age limit of a token. Used tokens are stored as long; issuers make them valid for minutes. */
const ageSecondsMax = 3_600;

/** Limit of a token's length in characters; issuers may add groups. */
const charactersMax = 16_384;

/** Timeout of requests for the issuer's metadata and keys. */
const timeoutMs = 5_000;

/** Rules of a kind of token. */
export interface TokenRules {
  readonly issuer: string;
  readonly audience: string;
  /** Type in the header, so that no other token of the issuer is taken for one; RFC 8725, section 3.11. */
  readonly typ: string;
  /** Claims that must be text. */
  readonly texts: readonly string[];
  /** Creates the refusal. */
  readonly refuse: (why: string) => OAuthError;
}

/** A token that satisfies its rules. */
export interface SignedToken {
  readonly claims: JWTPayload;
  /** Digest of issuer and `jti`, by which a second use is detected. */
  readonly reference: string;
  /** Moment from which it is refused because of its age. */
  readonly expiresAtMs: number;
}

/**
 * Verifies a token: its signature, type, issuer, single audience, age, and required claims.
 *
 * @throws OAuthError of the rules; ApiError `idp_unavailable`
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
    if (typeof claims[name] !== "string" || claims[name] === "") throw refuse(`its ${name} is no text`);
  // A single audience: each of several services could use the token at the others.
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

/** Recognizes an error of the issuer's key set. `jose` has no class of its own for a response other than 200. */
function isOfKeySet(error: errors.JOSEError): boolean {
  return error instanceof errors.JWKSInvalid || error.code === "ERR_JOSE_GENERIC";
}

function problemOf(error: errors.JOSEError): string {
  if (error instanceof errors.JWTExpired) return "it has expired";
  if (error instanceof errors.JWTClaimValidationFailed) return `its ${error.claim} is missing or wrong`;
  if (error instanceof errors.JWKSNoMatchingKey) return "none of the issuer's keys has signed it";
  if (error instanceof errors.JWSSignatureVerificationFailed) return "its signature is wrong";
  if (error instanceof errors.JOSEAlgNotAllowed) return "its algorithm is not allowed";
  return "it is not a signed JWT";
}

const knownKeys = new Map<string, Promise<JWTVerifyGetKey>>();

/** Keys of the issuer, which `jose` fetches again for an unknown key and every ten minutes. A failed discovery is not cached. */
function keysOf(issuer: string): Promise<JWTVerifyGetKey> {
  const known = knownKeys.get(issuer);
  if (known !== undefined) return known;
  const keys = discoverKeys(issuer);
  knownKeys.set(issuer, keys);
  keys.catch(() => knownKeys.delete(issuer));
  return keys;
}

/** OpenID Connect Discovery 1.0, section 4: the metadata must name the requested issuer. */
async function discoverKeys(issuer: string): Promise<JWTVerifyGetKey> {
  const url = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const response = await fetch(url, { redirect: "error", signal: AbortSignal.timeout(timeoutMs) });
  const metadata = (await response.json()) as { readonly issuer?: unknown; readonly jwks_uri?: unknown };
  const address = String(metadata.jwks_uri);
  if (!response.ok || metadata.issuer !== issuer || !URL.canParse(address))
    throw new Error("The issuer's metadata is not usable.");
  const keySet = new URL(address);
  if (keySet.protocol !== new URL(issuer).protocol) throw new Error("The issuer's keys are not at https.");
  return createRemoteJWKSet(keySet, { timeoutDuration: timeoutMs });
}
