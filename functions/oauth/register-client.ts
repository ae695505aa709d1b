import { randomBase62 } from "../platform/identifiers.ts";
import { anyone, defineOperation } from "../platform/operation.ts";
import { rateLimiter } from "../platform/rate-limits.ts";
import { created } from "../platform/response.ts";
import { readClientMetadata } from "./client.ts";
import { registeredClients } from "./client-store.ts";
import { allClientRegistrationsRule, clientRegistrationRule, oauthLimits } from "./limits.ts";
import { OAuthError, presentOAuthError } from "./oauth-error.ts";
import { registerClientRoute } from "./rows.ts";
import { clientTypes, scope } from "./schemas.ts";

/** 131 bits: nobody guesses whom others have let in. */
const clientIdLength = 22;

/**
 * POST /oauth/register: a client says what it is called and where its codes go, and gets an id for that (RFC 7591). It gets no
 * secret, and it cannot be changed: another registration is another client.
 */
export const registerClient = defineOperation(registerClientRoute, {
  identify: anyone,
  presentError: presentOAuthError,
  run: async ({ body, request, nowMs, randomInt }) => {
    const bytes = request.contentLength ?? 0;
    const most = oauthLimits.clientMetadataBytesMax;
    if (bytes > most)
      throw new OAuthError(
        "invalid_client_metadata",
        `The metadata is ${bytes} bytes; at most ${most} are allowed.`,
      );
    const metadata = readClientMetadata(body);
    await rateLimiter.spend(clientRegistrationRule, request.network, nowMs);
    await rateLimiter.spend(allClientRegistrationsRule, "all", nowMs);
    const client = { id: randomBase62(randomInt, clientIdLength), ...metadata };
    await registeredClients.insert(client, nowMs);
    return created({
      client_id: client.id,
      client_id_issued_at: Math.floor(nowMs / 1000),
      ...(client.name === null ? {} : { client_name: client.name }),
      redirect_uris: client.redirectUris,
      ...clientTypes,
      scope,
    });
  },
});
