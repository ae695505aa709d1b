import { type TokenScope, tokenScopes } from "../table/identifiers.ts";
import { includesScope } from "../table/token-scope.ts";
import { OAuthError } from "./oauth-error.ts";
import { defaultScope, type OAuthScope, oauthScopes } from "./schemas.ts";

/**
 * Names that published clients send to every service, without a meaning here: those of OpenID Connect Core 1.0, sections 5.4 and 11, and the
 * one that claude.ai sends by default.
 */
const ignoredNames = ["openid", "profile", "email", "address", "phone", "offline_access", "claudeai"];

/** The token's scope by its name in OAuth. */
export function toTokenScope(name: OAuthScope): TokenScope {
  return name === defaultScope ? "all" : name;
}

/** The attribute by which a name is stored. Items without it have the default. */
export function storedScope(name: OAuthScope): TokenScope | undefined {
  return name === defaultScope ? undefined : name;
}

/** Finds the widest of the known names in a text; undefined if it has none. */
export function findScope(text: string): OAuthScope | undefined {
  const sent = namesIn(text);
  const known = oauthScopes.filter((name) => sent.includes(name));
  return known.find((name) => known.every((other) => includesName(name, other)));
}

/**
 * Reads the scope of a request; undefined if it requests none.
 *
 * @throws OAuthError `invalid_scope` for unknown names
 */
export function readScope(text: string | undefined): OAuthScope | undefined {
  const unknown = namesIn(text ?? "").filter(
    (name) => !ignoredNames.includes(name) && !oauthScopes.some((known) => known === name),
  );
  if (unknown.length > 0) throw invalidScope();
  return findScope(text ?? "");
}

/** The lesser of two scopes, or the first of two that mean the same; undefined ones do not count. */
export function lesserScope(one: OAuthScope | undefined, other: OAuthScope | undefined): OAuthScope {
  if (one === undefined || other === undefined) return one ?? other ?? defaultScope;
  return includesName(other, one) ? one : other;
}

/** Compares two names. */
export function includesName(granted: OAuthScope, needed: OAuthScope): boolean {
  return includesScope(toTokenScope(granted), toTokenScope(needed));
}

/** Error for a scope that does not exist. It does not repeat what was sent, since the message is shown on a page. */
export function invalidScope(): OAuthError {
  return new OAuthError(
    "invalid_scope",
    `scope must be one of ${tokenScopes.join(", ")}, or be left out for all. ${defaultScope} means all.`,
  );
}

/** Error for a refresh that asks for more than the person gave; RFC 6749, section 6. */
export function tooWide(granted: OAuthScope): OAuthError {
  return new OAuthError(
    "invalid_scope",
    `scope may be at most ${granted}, which the person has allowed. For more, send the person to /oauth/authorize again.`,
  );
}

function namesIn(text: string): readonly string[] {
  return text.split(" ").filter((name) => name !== "");
}
