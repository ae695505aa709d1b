import { hkdfSync } from "node:crypto";
import { createTokenPlaintext, type RandomInt } from "../table/identifiers.ts";
import { createSecret } from "./authorization-store.ts";

/** An access token and the refresh token that renews it, in plain text. */
export interface TokenPair {
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** Draws of 48 bits: no character's chance is off by more than 2^-42. */
const bytesPerDraw = 6;

/** Both tokens together take 73 draws. */
const drawsMax = 80;

/**
 * Derives the tokens that follow a refresh token (RFC 5869). The same refresh token and key give the same tokens, so the service
 * can return them twice and stores neither. Both the key and the refresh token are needed.
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
