import { ApiError } from "../core/errors.ts";
import { noContent } from "../http/response.ts";
import { patterns } from "../http/schemas.ts";
import { tokenOperation } from "../http/token-operation.ts";
import { requireScope } from "../table/token-scope.ts";
import { tokens } from "../table/tokens.ts";
import { revokeTokenRoute } from "./rows.ts";

/** DELETE /api/tokens/{id}: revokes a token. Without the scope `all`, a token may only revoke itself. */
export const revokeToken = tokenOperation(revokeTokenRoute, async ({ caller, path, act }) => {
  if (path.id !== caller.token.id) requireScope(caller.token, "all", "revoke other tokens");
  // The specification defines no shape for an id. A foreign id may be longer than a key in the table.
  const isRevoked = patterns.tokenId.test(path.id) && (await tokens.revoke(caller.userId, path.id, act));
  if (!isRevoked) throw new ApiError("not_found");
  return noContent();
});
