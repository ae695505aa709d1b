/** Every client is a public one: none has a secret, each proves itself by PKCE. */
export const clientAuthMethod = "none";

/** Properties of every client, whatever it registers. */
export const clientTypes = {
  token_endpoint_auth_method: clientAuthMethod,
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
} as const;

/** The one scope: what whoever lets a client in may do. */
export const scope = "drops";
