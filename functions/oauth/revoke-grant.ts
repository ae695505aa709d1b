import { anyone, defineOperation } from "../http/operation.ts";
import { ok } from "../http/response.ts";
import { hashSecret, isTokenPlaintext } from "../table/identifiers.ts";
import { readParameters } from "./form.ts";
import { findAccessToken, findRefreshToken, grants } from "./grant-store.ts";
import { invalidGrant, presentOAuthError } from "./oauth-error.ts";
import { revokeGrantRoute } from "./rows.ts";

/**
 * POST /oauth/revoke: ends the grant of an access token or a refresh token (RFC 7009). Requires no client authentication. Responds in the
 * same way if the token is unknown.
 */
export const revokeGrant = defineOperation(revokeGrantRoute, {
  identify: anyone,
  presentError: presentOAuthError,
  run: async ({ request, body, act }) => {
    const parameters = readParameters(request, body);
    const plaintext = parameters.require("token");
    const clientId = parameters.find("client_id");
    const isAccess = isTokenPlaintext(plaintext);
    const found = isAccess ? await findAccessToken(plaintext) : await findRefreshToken(plaintext);
    if (found === undefined) return ok({});
    if (clientId !== undefined && hashSecret(clientId) !== found.clientHash)
      throw invalidGrant("This token was issued to another client.");
    await grants.end(found, act);
    return ok({}, { ownerId: found.userId, revokedTokenId: found.tokenId });
  },
});
