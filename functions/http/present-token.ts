import type { TokenAnswer } from "../contract/answers.ts";
import type { Token } from "../domain/token.ts";

/** A token on the wire: never its hash; section "TokenInfo" of the specification. */
export function presentToken(token: Token): TokenAnswer {
  return {
    id: token.id,
    label: token.label,
    created_at: token.createdAtMs,
    last_used_at: token.lastUsedAtMs,
  };
}
