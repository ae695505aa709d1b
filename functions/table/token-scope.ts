import { ApiError, inBothWords } from "../core/errors.ts";
import { type Audience, type Token, type TokenScope, tokenScopes } from "./identifiers.ts";

/** Returns true if a granted scope includes the needed scope. */
export function includesScope(granted: TokenScope, needed: TokenScope): boolean {
  return tokenScopes.indexOf(granted) >= tokenScopes.indexOf(needed);
}

/** Returns the condition that a token's item has a scope. Items without the attribute have the scope `all`. */
export function hasScope(needed: TokenScope): { condition: string; values: Record<string, string> } {
  const granted = tokenScopes.filter((scope) => includesScope(scope, needed));
  return {
    condition: `(attribute_not_exists(tokenScope) OR tokenScope IN (${granted.map((scope) => `:${scope}Scope`).join(", ")}))`,
    values: Object.fromEntries(granted.map((scope) => [`:${scope}Scope`, scope])),
  };
}

/**
 * Refuses a call whose token does not have the needed scope.
 *
 * @param act phrase for the message that says what the call does, such as "do this"
 * @throws ApiError `insufficient_scope`
 */
export function requireScope({ scope, audience }: Token, needed: TokenScope, act = "do this"): void {
  if (includesScope(scope, needed)) return;
  throw new ApiError("insufficient_scope", {
    message: inBothWords(
      (call) =>
        `This token may not ${act}: its scope is "${scope}", but "${needed}" is needed. ${wayTo(needed, audience, call)}`,
    ),
    details: { scope, needed },
  });
}

function wayTo(
  needed: TokenScope,
  audience: Audience | undefined,
  call: (http: string, tool: string) => string,
): string {
  switch (audience) {
    case "mcp":
      return `If the human agrees, connect this client again with the OAuth scope ${needed}.`;
    case "own-pages":
      return `Request a token with scope=${needed} at /oauth/token.`;
    case undefined:
      return `If the human agrees, sign in again for it: ${call(`POST /api/auth/start with {"scope": "${needed}"}`, `start_sign_in with scope "${needed}"`)}.`;
  }
}
