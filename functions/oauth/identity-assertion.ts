import { createHash } from "node:crypto";
import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from "jose";
import { environmentNames, findEnvironment, type IdentityProviderSettings } from "../http/environment.ts";
import { ApiError } from "../http/errors.ts";
import type { Site } from "../http/site.ts";
import { requireResource } from "./authorization-request.ts";
import { OAuthError } from "./oauth-error.ts";
import { scope } from "./schemas.ts";

// Enterprise-managed authorization: the company's identity provider says by a signed assertion that a client may act for a person. IETF draft
// "Identity Assertion JWT Authorization Grant" (ID-JAG); MCP extension io.modelcontextprotocol/enterprise-managed-authorization.

/** Type of the assertion, which no other token of the issuer has; RFC 8725, section 3.11. */
const assertionType = "oauth-id-jag+jwt";

/** Signatures by public keys. Those by shared secrets are not accepted. */
const algorithms = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"];

/** Difference between the clocks of issuer and service. */
const clockToleranceSeconds = 30;

/** Age that an assertion may have: used ones are stored as long, and issuers give them out for minutes. */
const ageSecondsMax = 3_600;

/** Characters of an assertion; issuers may add groups. */
const charactersMax = 16_384;

/** Time that the issuer may take for its metadata or its keys. */
const timeoutMs = 5_000;

/** Issuer of assertions, and the claims that describe a person. */
export type AssertionIssuer = Extract<IdentityProviderSettings, { kind: "oidc" }>;

/** A valid assertion. */
export interface IdentityAssertion {
  readonly claims: JWTPayload;
  readonly clientId: string;
  /** Digest of issuer and `jti`, by which a second use is detected. */
  readonly reference: string;
  /** Moment from which it is refused for its age. */
  readonly expiresAtMs: number;
}

/** The issuer of the setting `enterpriseAuthorization`; undefined where it is not set. */
export function findAssertionIssuer(): AssertionIssuer | undefined {
  const said = findEnvironment(environmentNames.enterpriseAuthorization);
  return said === undefined ? undefined : JSON.parse(said);
}

/**
 * Verifies an assertion: signature, type, issuer, audience, age, resource and scope. The client and a second use are the caller's to check.
 *
 * @throws OAuthError `invalid_grant`, `invalid_target` or `invalid_scope`; ApiError `idp_unavailable`
 */
export async function verifyAssertion(
  assertion: string,
  { issuer }: AssertionIssuer,
  site: Site,
  nowMs: number,
): Promise<IdentityAssertion> {
  if (assertion.length > charactersMax) throw invalid(`it has more than ${charactersMax} characters`);
  const claims = await verifySignature(assertion, issuer, site, nowMs);
  const { sub, jti, client_id: clientId, exp, resource, scope: granted } = claims;
  for (const [name, value] of Object.entries({ sub, jti, client_id: clientId }))
    if (typeof value !== "string" || value === "") throw invalid(`its ${name} is no text`);
  // One audience: an assertion for several services could be used by each of them at the others.
  if (Array.isArray(claims.aud) && claims.aud.length !== 1) throw invalid("its aud names several services");
  requireResource([resource ?? []].flat().map(String), site);
  if (granted !== undefined && !String(granted).split(" ").includes(scope))
    throw new OAuthError("invalid_scope", `The assertion's scope must have ${scope}, the only one here.`);
  return {
    claims,
    clientId: clientId as string,
    reference: createHash("sha256").update(`${issuer} ${jti}`).digest("base64url"),
    expiresAtMs: ((exp as number) + clockToleranceSeconds) * 1000,
  };
}

async function verifySignature(
  assertion: string,
  issuer: string,
  site: Site,
  nowMs: number,
): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(assertion, await keysOf(issuer), {
      issuer,
      audience: site.baseUrl,
      typ: assertionType,
      algorithms,
      clockTolerance: clockToleranceSeconds,
      maxTokenAge: ageSecondsMax,
      requiredClaims: ["sub", "jti", "client_id", "exp", "iat"],
      currentDate: new Date(nowMs),
    });
    return payload;
  } catch (error) {
    if (error instanceof errors.JWKSTimeout || !(error instanceof errors.JOSEError) || isOfKeySet(error))
      throw new ApiError("idp_unavailable", { cause: error });
    throw invalid(problemOf(error));
  }
}

/** Recognizes an error of the issuer's key set. `jose` has no class of its own for a response that is not 200. */
function isOfKeySet(error: errors.JOSEError): boolean {
  return error instanceof errors.JWKSInvalid || error.code === "ERR_JOSE_GENERIC";
}

function problemOf(error: errors.JOSEError): string {
  if (error instanceof errors.JWTExpired) return "it has expired";
  if (error instanceof errors.JWTClaimValidationFailed) return `its ${error.claim} is missing or wrong`;
  if (error instanceof errors.JWKSNoMatchingKey) return "none of the issuer's keys has signed it";
  if (error instanceof errors.JWSSignatureVerificationFailed) return "its signature is wrong";
  if (error instanceof errors.JOSEAlgNotAllowed) return "its algorithm is not allowed";
  return "it is no signed JWT";
}

function invalid(why: string): OAuthError {
  return new OAuthError("invalid_grant", `The assertion is not valid: ${why}.`);
}

let known: { readonly issuer: string; readonly keys: Promise<JWTVerifyGetKey> } | undefined;

/** Keys of the issuer, which `jose` fetches again when one is unknown and every ten minutes. A failed discovery is not kept. */
function keysOf(issuer: string): Promise<JWTVerifyGetKey> {
  if (known?.issuer !== issuer) {
    const keys = discoverKeys(issuer);
    known = { issuer, keys };
    keys.catch(() => {
      known = undefined;
    });
  }
  return known.keys;
}

/** OpenID Connect Discovery 1.0, section 4: the metadata must name the issuer that it was asked of. */
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
