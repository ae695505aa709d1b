import type { Token } from "../table/identifiers.ts";
import { expiryOf } from "../table/tokens.ts";
import type { TokenResponse } from "./schemas.ts";

/** Converts a token to its JSON representation, which omits the hash (specification, section "TokenInfo"). */
export function presentToken(token: Token): TokenResponse {
  const expiresAtMs = expiryOf(token);
  return {
    id: token.id,
    label: token.label,
    created_at: token.createdAtMs,
    last_used_at: token.lastUsedAtMs,
    ...(expiresAtMs === undefined ? {} : { expires_at: expiresAtMs }),
    scope: token.scope,
  };
}
