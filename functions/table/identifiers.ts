import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";

/** Returns a random integer from 0 to `exclusiveMax` - 1. In production, this is `randomInt` of `node:crypto`. */
export type RandomInt = (exclusiveMax: number) => number;

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** Letters of device codes: consonants only, so that no code spells a word (RFC 8628, section 6.1). */
const deviceCodeLetters = "BCDFGHJKLMNPQRSTVWXZ";

/** Creates a drop's slug: 7 base62 characters, `^[A-Za-z0-9]{7}$`. */
export function createSlug(randomInt: RandomInt): string {
  return randomBase62(randomInt, 7);
}

/** Creates a blob's id, in the format of a slug. */
export function createBlobId(randomInt: RandomInt): string {
  return randomBase62(randomInt, 7);
}

/** Creates an account's id: 16 base62 characters, 95 bits. */
export function createUserId(randomInt: RandomInt): string {
  return randomBase62(randomInt, 16);
}

const teamPrefix = "team-";

/** Creates a team's user id. Its prefix distinguishes it from a person's id without reading the account. */
export function createTeamId(randomInt: RandomInt): string {
  return teamPrefix + randomBase62(randomInt, 16);
}

/** Returns true if the account with this id is a team's. */
export function isTeamId(userId: string): boolean {
  return userId.startsWith(teamPrefix);
}

/** Recognizes the user id of a person or a team, including deleted ones. */
export function isUserId(text: string): boolean {
  return /^(team-)?[A-Za-z0-9]{16}$/.test(text);
}

/** Creates a token's public id, for listing and revoking. */
export function createTokenId(randomInt: RandomInt): string {
  return randomBase62(randomInt, 12);
}

/** Creates the random part of an object's key. No two writes share a key. */
export function createObjectId(randomInt: RandomInt): string {
  return randomBase62(randomInt, 16);
}

/** Creates a poll token: 43 base62 characters, 256 bits, so that the token cannot be guessed. */
export function createPollToken(randomInt: RandomInt): string {
  return randomBase62(randomInt, 43);
}

/** Creates the secret of a publication URL: 43 base62 characters, 256 bits. */
export function createPublicationSecret(randomInt: RandomInt): string {
  return randomBase62(randomInt, 43);
}

/** Creates a PKCE code verifier: 64 base62 characters, which are unreserved (RFC 7636). */
export function createCodeVerifier(randomInt: RandomInt): string {
  return randomBase62(randomInt, 64);
}

/** Creates a device code, `XXXX-XXXX`: 20^8 possibilities. */
export function createDeviceCode(randomInt: RandomInt): string {
  const letters = Array.from({ length: 8 }, () => deviceCodeLetters[randomInt(deviceCodeLetters.length)]);
  return `${letters.slice(0, 4).join("")}-${letters.slice(4).join("")}`;
}

/** Creates a string of `length` random characters of 0-9, A-Z and a-z, each with the same probability. */
export function randomBase62(randomInt: RandomInt, length: number): string {
  return Array.from({ length }, () => base62[randomInt(base62.length)]).join("");
}

/** An API token as shown to its account. The plaintext is never stored. */
export interface Token {
  readonly id: string;
  readonly userId: string;
  /** The SHA-256 of the plaintext, in hex. The token is stored under this hash. */
  readonly hash: string;
  readonly label: string | null;
  readonly createdAtMs: number;
  readonly lastUsedAtMs: number;
  /** Expiry that was set at creation. @default - the token is valid until it is revoked, or for the operator's current limit */
  readonly expiresAtMs?: number | undefined;
  readonly scope: TokenScope;
  /** The only use that the token is valid for. @default - the API and the MCP server */
  readonly audience?: Audience | undefined;
  /** Account of the person who acts for the team with this token. @default - the person's own token, or a team's service token */
  readonly personId?: string | undefined;
}

/** Token scopes, from the narrowest to the widest. Each scope includes the scopes before it. */
export const tokenScopes = ["read", "publish", "all"] as const;

/**
 * Scope of a token. `read` allows no changes. `publish` allows creating pages, files and versions and changing content, but no deletions
 * and no changes of access. `all` is the default.
 */
export type TokenScope = (typeof tokenScopes)[number];

/** Use of a restricted token: the MCP server for a client, or an account's own pages for a workflow. */
export type Audience = "mcp" | "own-pages";

const plaintextPattern = /^hb_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/;

/** Creates a token's plaintext: `hb_`, 30 random base62 characters, and 6 more for their CRC32. */
export function createTokenPlaintext(randomInt: RandomInt): string {
  const secret = randomBase62(randomInt, 30);
  return `hb_${secret}${checksum(secret)}`;
}

/** Checks the format and checksum of a token, so that a mistyped token needs no read. */
export function isTokenPlaintext(text: string): boolean {
  const [, secret, sum] = plaintextPattern.exec(text) ?? [];
  return secret !== undefined && checksum(secret) === sum;
}

/** Returns the SHA-256 of a secret in hex, the stored form of tokens and poll tokens. */
export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/** Returns the CRC32 of a secret in base 62, with leading zeros. */
function checksum(secret: string): string {
  let digits = "";
  let rest = crc32(secret);
  for (let place = 0; place < 6; place += 1) {
    digits = base62.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
