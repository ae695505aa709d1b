import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { type RandomInt, randomBase62, toBase62 } from "./identifiers.ts";

/** An API token as the account sees it; the plaintext is never kept. */
export interface Token {
  readonly id: string;
  readonly userId: string;
  /** The sha256 of the plaintext, in hex: the key under which it is stored. */
  readonly hash: string;
  readonly label: string | null;
  readonly createdAtMs: number;
  readonly lastUsedAtMs: number;
  /** @default - it is good until it is revoked, or as long as the operator says now */
  readonly expiresAtMs?: number | undefined;
  /** The one thing that it is good for: the MCP server, whose client got it for somebody. @default - the API and the MCP server */
  readonly audience?: "mcp" | undefined;
}

const prefix = "hb_";

const plaintextPattern = /^hb_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/;

/** A new token's plaintext: `hb_`, 30 random base62 characters and the CRC32 of those in 6 more. */
export function createTokenPlaintext(randomInt: RandomInt): string {
  const secret = randomBase62(randomInt, 30);
  return prefix + secret + checksum(secret);
}

/** Checks the form of a token, so that a mistyped one needs no read. */
export function isTokenPlaintext(text: string): boolean {
  const [, secret, sum] = plaintextPattern.exec(text) ?? [];
  return secret !== undefined && checksum(secret) === sum;
}

/** The sha256 of a secret in hex: what the service keeps of tokens and poll tokens. */
export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

function checksum(secret: string): string {
  return toBase62(crc32(secret), 6);
}
