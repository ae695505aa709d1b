import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { json, type ScriptedProvider, startScriptedProvider } from "./scripted-provider.ts";

const kid = "key-1";

/** Header and key of a signed assertion. */
export interface Signing {
  /** @default "oauth-id-jag+jwt" */
  readonly typ?: string;
  /** @default "ES256" */
  readonly alg?: string;
  /** @default - the issuer's */
  readonly key?: Parameters<SignJWT["sign"]>[0];
}

/** A company's issuer of assertions for MCP clients. The service can read its keys. */
export interface AssertionIssuer {
  readonly provider: ScriptedProvider;
  sign(claims: JWTPayload, signing?: Signing): Promise<string>;
}

/** Starts an issuer of assertions. */
export async function startAssertionIssuer(): Promise<AssertionIssuer> {
  const provider = await startScriptedProvider();
  const { publicKey, privateKey } = await generateKeyPair("ES256");
  const jwk = { ...(await exportJWK(publicKey)), kid, alg: "ES256", use: "sig" };
  provider.keys = json({ keys: [jwk] });
  return {
    provider,
    sign: (claims, { typ = "oauth-id-jag+jwt", alg = "ES256", key = privateKey } = {}) =>
      new SignJWT(claims).setProtectedHeader({ alg, typ, kid }).sign(key),
  };
}
