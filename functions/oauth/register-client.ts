import { anyone, defineOperation } from "../http/operation.ts";
import { created } from "../http/response.ts";
import { cookieKeys } from "../table/cookie-keys.ts";
import { type ClientMetadata, readClientMetadata, sealClientId } from "./client.ts";
import { oauthLimits } from "./limits.ts";
import { OAuthError, presentOAuthError } from "./oauth-error.ts";
import { registerClientRoute } from "./rows.ts";
import { clientTypes, defaultScope } from "./schemas.ts";

/**
 * POST /oauth/register: registers a client's name and redirect URIs (RFC 7591). The client gets no secret, only an id that contains the
 * name and URIs in encrypted form. Nothing is stored, so registrations are not limited and cannot be changed.
 */
export const registerClient = defineOperation(registerClientRoute, {
  identify: anyone,
  presentError: presentOAuthError,
  run: async ({ body, request, nowMs }) => {
    const bytes = request.contentLength ?? 0;
    const most = oauthLimits.clientMetadataBytesMax;
    if (bytes > most)
      throw new OAuthError(
        "invalid_client_metadata",
        `The metadata is ${bytes} bytes; at most ${most} are allowed.`,
      );
    const client = readClientMetadata(body);
    requireRoom(client);
    await cookieKeys.ensure();
    return created({
      client_id: await sealClientId(client),
      client_id_issued_at: Math.floor(nowMs / 1000),
      ...(client.name === null ? {} : { client_name: client.name }),
      redirect_uris: client.redirectUris,
      ...clientTypes,
      scope: client.scope ?? defaultScope,
    });
  },
});

/** Refuses redirect URIs that are too long in total, because the client id contains them and must fit into a URL. */
function requireRoom({ redirectUris }: ClientMetadata): void {
  const characters = redirectUris.join("").length;
  const most = oauthLimits.redirectUrisCharactersMax;
  if (characters > most)
    throw new OAuthError(
      "invalid_redirect_uri",
      `redirect_uris have ${characters} characters in all; at most ${most} are allowed. Register fewer or shorter addresses.`,
    );
}
