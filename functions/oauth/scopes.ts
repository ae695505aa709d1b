import { type TokenScope, tokenScopes } from "../table/identifiers.ts";
import { includesScope } from "../table/token-scope.ts";
import { OAuthError } from "./oauth-error.ts";
import { defaultScope, type OAuthScope, oauthScopes } from "./schemas.ts";

/**
 * Scope names to ignore, because well-known clients send them to every service: the scopes of OpenID Connect Core 1.0, sections 5.4 and 11,
 * and the default scope of claude.ai.
 */
const ignoredNames = ["openid", "profile", "email", "address", "phone", "offline_access", "claudeai"];

/** Converts an OAuth scope name to a token scope. */
export function toTokenScope(name: OAuthScope): TokenScope {
  return name === defaultScope ? "all" : name;
}

/** Converts an OAuth scope name to the value to store. Returns undefined for the default scope, which is not stored. */
export function storedScope(name: OAuthScope): TokenScope | undefined {
  return name === defaultScope ? undefined : name;
}

/** Finds the widest known scope in a string of scope names. Returns undefined if no name is known. */
export function findScope(text: string): OAuthScope | undefined {
  const sent = namesIn(text);
  const known = oauthScopes.filter((name) => sent.includes(name));
  return known.find((name) => known.every((other) => includesName(name, other)));
}

/** Reads the scope of a request. Returns undefined if the request names no scope. @throws OAuthError `invalid_scope` for unknown names */
export function readScope(text: string | undefined): OAuthScope | undefined {
  const unknown = namesIn(text ?? "").filter(
    (name) => !ignoredNames.includes(name) && !oauthScopes.some((known) => known === name),
  );
  if (unknown.length > 0) throw invalidScope();
  return findScope(text ?? "");
}

/** Returns the narrower of two scopes. Returns the first scope if both allow the same. Ignores undefined scopes. */
export function lesserScope(one: OAuthScope | undefined, other: OAuthScope | undefined): OAuthScope {
  if (one === undefined || other === undefined) return one ?? other ?? defaultScope;
  return includesName(other, one) ? one : other;
}

/** Checks whether a granted scope includes the needed scope. */
export function includesName(granted: OAuthScope, needed: OAuthScope): boolean {
  return includesScope(toTokenScope(granted), toTokenScope(needed));
}

/** Error for an unknown scope. The message is shown on a page, so it does not repeat the requested value. */
export function invalidScope(): OAuthError {
  return new OAuthError(
    "invalid_scope",
    `scope must be one of ${tokenScopes.join(", ")}. To request all, omit scope or send ${defaultScope}.`,
  );
}

/** Error for a refresh with a wider scope than the person granted (RFC 6749, section 6). */
export function tooWide(granted: OAuthScope): OAuthError {
  return new OAuthError(
    "invalid_scope",
    `scope may be at most ${granted}, which the person has allowed. For more, send the person to /oauth/authorize again.`,
  );
}

function namesIn(text: string): readonly string[] {
  return text.split(" ").filter((name) => name !== "");
}
