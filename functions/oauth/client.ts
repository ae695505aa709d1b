import { limits } from "../platform/limits.ts";
import { describe } from "../platform/metadata.ts";
import { countCodePoints } from "../platform/schemas.ts";
import { oauthLimits } from "./limits.ts";
import { OAuthError } from "./oauth-error.ts";
import { redirectUriProblem } from "./redirect-uri.ts";

/** A program that asks people for a token: what it says of itself, which is a claim. */
export interface Client {
  readonly id: string;
  readonly name: string | null;
  readonly redirectUris: readonly string[];
}

/** What a client says of itself, as far as it counts here. */
export type ClientMetadata = Omit<Client, "id">;

/**
 * Reads a client's metadata (RFC 7591, section 2). What is not ours to decide is ignored, and what a client asks for that there
 * is not here, a secret or another grant, it does not get: the answer says what it has.
 *
 * @throws OAuthError `invalid_client_metadata` or `invalid_redirect_uri`
 */
export function readClientMetadata(value: unknown): ClientMetadata {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw invalid(`The metadata must be a JSON object, but ${describe(value)} came.`);
  const { redirect_uris, client_name, response_types, grant_types } = value as Record<string, unknown>;
  requireAmong("response_types", response_types, "code");
  requireAmong("grant_types", grant_types, "authorization_code");
  return { redirectUris: readRedirectUris(redirect_uris), name: readName(client_name) };
}

function readRedirectUris(value: unknown): readonly string[] {
  const most = oauthLimits.redirectUrisPerClientMax;
  if (!Array.isArray(value) || value.length === 0)
    throw badRedirect("redirect_uris is required: a list of the addresses to which codes are sent.");
  if (value.length > most)
    throw badRedirect(`redirect_uris has ${value.length} addresses; at most ${most} are allowed.`);
  for (const [index, uri] of value.entries()) {
    const problem = redirectUriProblem(uri);
    if (problem !== undefined) throw badRedirect(`redirect_uris[${index}] ${problem}.`);
  }
  return value as string[];
}

function readName(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== "string" || !value.isWellFormed())
    throw invalid(`client_name must be a string, but ${describe(value)} came.`);
  // What would write over its neighbours, or nobody would see, is no part of a name.
  const name = value.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu, "").trim();
  const most = limits.labelCodePointsMax;
  const characters = countCodePoints(name);
  if (characters > most)
    throw invalid(`client_name has ${characters} characters; at most ${most} are allowed.`);
  return name === "" ? null : name;
}

function requireAmong(name: string, value: unknown, needed: string): void {
  if (value === undefined) return;
  if (Array.isArray(value) && value.includes(needed)) return;
  throw invalid(`${name} must be a list with "${needed}" in it: there is no other way here.`);
}

function invalid(message: string): OAuthError {
  return new OAuthError("invalid_client_metadata", message);
}

function badRedirect(message: string): OAuthError {
  return new OAuthError("invalid_redirect_uri", message);
}
