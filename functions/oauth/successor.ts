import { hkdfSync } from "node:crypto";
import { createTokenPlaintext, type RandomInt } from "../table/identifiers.ts";
import { createSecret } from "./authorization-store.ts";

/** An access token and its refresh token in plaintext. */
export interface TokenPair {
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** Bytes per random character. With 48 bits, the bias of each character is at most 2^-42. */
const bytesPerDraw = 6;

/** Maximum number of random characters to derive. The two tokens need 73 in total. */
const drawsMax = 80;

/**
 * Derives the next access token and refresh token from a refresh token, with HKDF (RFC 5869). The same refresh token and key always give
 * the same tokens, so the service can return these tokens again without storing them. The new tokens cannot be derived without both the key
 * and the refresh token.
 */
export function deriveSuccessor(signingKey: string, refreshToken: string): TokenPair {
  const info = `oauth-successor ${refreshToken}`;
  const randomInt = drawFrom(Buffer.from(hkdfSync("sha256", signingKey, "", info, drawsMax * bytesPerDraw)));
  return { accessToken: createTokenPlaintext(randomInt), refreshToken: createSecret(randomInt) };
}

function drawFrom(bytes: Buffer): RandomInt {
  let offset = 0;
  return (exclusiveMax) => {
    const drawn = bytes.readUIntBE(offset, bytesPerDraw) % exclusiveMax;
    offset += bytesPerDraw;
    return drawn;
  };
}
