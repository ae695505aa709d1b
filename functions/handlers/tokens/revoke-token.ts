import { revokeTokenRoute } from "../../contract/account-routes.ts";
import { ApiError } from "../../contract/api-error.ts";
import { patterns } from "../../contract/patterns.ts";
import { noContent } from "../../http/answer.ts";
import { tokenOperation } from "../../http/token-operation.ts";
import { tokens } from "../../store/tokens.ts";

/** DELETE /api/tokens/{id}: the token is refused from now on. */
export const revokeToken = tokenOperation(revokeTokenRoute, async ({ caller, path, act }) => {
  // The specification has no shape for an id; what is none of ours may be longer than the table takes.
  const isRevoked = patterns.tokenId.test(path.id) && (await tokens.revoke(caller.userId, path.id, act));
  if (!isRevoked) throw new ApiError("not_found", { message: "You have no token with this id." });
  return noContent();
});
