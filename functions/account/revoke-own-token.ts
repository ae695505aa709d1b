import { ApiError } from "../core/errors.ts";
import { patterns } from "../http/schemas.ts";
import { tokens } from "../table/tokens.ts";
import { ownTokensPage } from "./own-tokens.ts";
import { ownerForm } from "./owner-form.ts";
import { revokeOwnTokenRoute } from "./page-rows.ts";
import { problemOf } from "./problem.ts";

/** POST /account/tokens/{id}/revoke: revokes an owner's token. */
export const revokeOwnToken = ownerForm(revokeOwnTokenRoute, {
  pageOf: () => ({ page: "tokens" }),
  read: () => ({}),
  change: async ({ owner, path, act }) => {
    if (!patterns.tokenId.test(path.id)) throw new ApiError("not_found");
    // The CSRF token proves that the API token belonged to the owner, so a missing API token was already revoked.
    await tokens.revoke(owner.userId, path.id, act);
    return { path: "/account/tokens?done=revoked", wrote: { revokedTokenId: path.id } };
  },
  showAgain: (input, fields, error) => ownTokensPage(input, { problem: problemOf(error, fields) }),
});
